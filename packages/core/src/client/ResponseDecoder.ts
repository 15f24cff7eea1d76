/** Decodes the body of a successful response, strictly or leniently. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Schema from "effect/Schema"
import * as Failure from "../contract/Failure.ts"
import type { LenientDecoder } from "./LenientDecoder.ts"

/** Parses a JSON body. Returns the text of any other body. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Decoders of an endpoint's successful response. */
export interface Decoders {
  readonly decode: (value: unknown) => Exit.Exit<unknown, Schema.SchemaError>
  /** Decodes values that `decode` rejected. Without it, the call fails. */
  readonly decodeLeniently?: LenientDecoder | undefined
}

/** Decodes the body of a successful response. Fails with the path of the member that does not decode. */
export const decode = (
  request: string,
  { decode, decodeLeniently }: Decoders,
  status: number,
  body: string
): Effect.Effect<unknown, Failure.UnexpectedResponse> => {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return Effect.fail(new Failure.UnexpectedResponse({ request, detail: "the body is not JSON", status }))
  }
  return decodeValue(request, { decode, decodeLeniently }, status, value)
}

/** Decodes the value of a successful response, or one event of an event stream. */
export const decodeValue = (
  request: string,
  { decode, decodeLeniently }: Decoders,
  status: number,
  value: unknown
): Effect.Effect<unknown, Failure.UnexpectedResponse> => {
  const exit = decode(value)
  if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
  const lenient = decodeLeniently?.(value)
  if (lenient !== undefined && "value" in lenient)
    return Effect.as(reportMembers(request, lenient.unexpected), lenient.value)
  const detail =
    lenient === undefined || lenient.missing === ""
      ? schemaErrorMessage(exit.cause)
      : `the identifying member is missing or wrong at ${lenient.missing}`
  return Effect.fail(new Failure.UnexpectedResponse({ request, detail, status }))
}

/** Reports the members that differ from the contract on the span and in the debug log. */
const reportMembers = (request: string, unexpected: ReadonlyArray<string>) =>
  Effect.andThen(
    Effect.annotateCurrentSpan("tongs.unexpected_members", unexpected),
    Effect.logDebug(`${request}: UnexpectedMember ${unexpected.join(", ")}`)
  )

/** Formats a schema error in one line, for example `Expected string at ["object"]["sha"]`. */
export const schemaErrorMessage = (cause: Cause.Cause<Schema.SchemaError>) => {
  const error = Cause.squash(cause)
  return (error instanceof Error ? error.message : String(error)).replace(/\n\s*/g, " ")
}
