/** Prints the responses of `tongs api` as gh does: unchanged, except on a terminal. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ErrorResponse from "@tongs/core/client/responses/ErrorResponse"
import type { RawResponse } from "@tongs/core/client/RawCall"
import * as ResponseDecoder from "@tongs/core/client/responses/ResponseDecoder"
import * as Failure from "@tongs/core/contract/Failure"
import * as LinkHeader from "@tongs/core/paging/LinkHeader"
import { isDeeper, MAX_LEVELS, Output, printable } from "../../base/Output.ts"
import type * as JsonOutput from "../../json/JsonOutput.ts"
import * as ByteOutput from "../../session/ByteOutput.ts"
import * as HttpText from "./HttpText.ts"

export interface PrinterOptions {
  readonly include: boolean
  readonly silent: boolean
  readonly slurp: boolean
  readonly verbose: boolean
  /** True if the responses are pages of a REST list. */
  readonly isPaged: boolean
  /** True for responses of GraphQL, whose errors have status 200. */
  readonly isGraphQl: boolean
  /** Prints the data of a response in another form. */
  readonly printData: JsonOutput.Printer | undefined
}

/**
 * Creates functions that print each response of a command, the response of a failed request, and the end of the output.
 */
export const make = Effect.fnUntraced(function* (options: PrinterOptions) {
  const output = yield* Output
  const { include, isGraphQl, isPaged, printData, silent, slurp, verbose } = options
  let count = 0
  let hasItems = false

  const printHead = (response: RawResponse) => {
    if (verbose) return output.write([...HttpText.head("< ", "\n", response), "\n"].join(""))
    if (!include) return Effect.void
    return output.write([count > 0 ? "\n" : "", ...HttpText.head("", "\r\n", response), "\r\n"].join(""))
  }

  /** Returns a page without the brackets between pages, so that all pages together are one array. */
  const joined = ({ headers, text }: RawResponse) => {
    const items = text.trim().slice(1, -1)
    const start = count === 0 ? "[" : hasItems && items !== "" ? "," : ""
    hasItems ||= items !== ""
    return start + items + (LinkHeader.parse(headers["link"]).next === undefined ? "]" : "")
  }

  const printBody = Effect.fnUntraced(function* (response: RawResponse) {
    const { bytes, data, text } = response
    if (silent || text === "") return
    if (output.isTerminal || verbose) {
      if (typeof data === "string") return yield* ByteOutput.print(Stream.succeed(bytes))
      return yield* output.print(yield* printable(data, output.isTerminal))
    }
    const joins = isPaged && !slurp && !include && Array.isArray(data)
    yield* output.write(joins ? joined(response) : bytes)
  })

  const printSeparator = () => (!slurp || silent ? Effect.void : output.write(count === 0 ? "[" : ","))

  /** Prints a response. Fails with the errors of a GraphQL response. */
  const print = Effect.fnUntraced(function* (response: RawResponse) {
    yield* printHead(response)
    yield* printSeparator()
    const errors = isGraphQl ? graphQlErrors(response) : undefined
    if (printData !== undefined && errors === undefined && response.status !== 204) yield* printData(response.data)
    else yield* printBody(response)
    count += 1
    if (errors !== undefined) return yield* Effect.fail(errors)
  })

  /** Prints the response of a failure, if there is one. `ExitCode.report` prints the message to stderr. */
  const printFailure = Effect.fnUntraced(function* (failure: unknown) {
    if (!isFailure(failure) || failure.status === undefined || failure.status < 300) return
    const text = ErrorResponse.bodyOf(failure) ?? ""
    const { headers, status } = failure
    const data = ResponseDecoder.parseJson(text)
    const response = { status, headers, text, data, bytes: new TextEncoder().encode(text) }
    yield* printHead(response)
    yield* printSeparator()
    yield* printBody(isDeeper(data, MAX_LEVELS) ? { ...response, data: { message: failure.detail } } : response)
    count += 1
  })

  const end = Effect.suspend(() => (slurp && !silent ? output.write(count === 0 ? "[]" : "]") : Effect.void))

  return { print, printFailure, end }
})

const isFailure = (error: unknown): error is Failure.Failure => error instanceof Failure.ForgeError

/** Returns the failure for the errors of a GraphQL response; undefined without errors. */
const graphQlErrors = ({ data, headers, status }: RawResponse): Failure.ValidationFailed | undefined => {
  if (typeof data !== "object" || data === null || !("errors" in data) || !Array.isArray(data.errors)) return undefined
  const messages = data.errors.map((error: unknown) =>
    typeof error === "object" && error !== null && "message" in error ? String(error.message) : JSON.stringify(error)
  )
  if (messages.length === 0) return undefined
  return new Failure.ValidationFailed({
    request: "POST /graphql",
    detail: messages.join("\n"),
    status,
    headers,
    errors: []
  })
}
