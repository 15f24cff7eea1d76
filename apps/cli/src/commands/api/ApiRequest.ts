/** The request of a `tongs api` command line. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as HttpMethod from "effect/http/HttpMethod"
import { Forge } from "@tongs/core/client/Forge"
import type { RawOptions } from "@tongs/core/client/CallOptions"
import * as RawRequest from "@tongs/core/client/RawRequest"
import * as FileInput from "../../base/FileInput.ts"
import { UsageError } from "../../base/UsageError.ts"
import type { ApiFlags } from "./ApiFlags.ts"
import * as Placeholders from "./Placeholders.ts"
import * as RequestFields from "./RequestFields.ts"
import * as RequestHeaders from "./RequestHeaders.ts"

export interface ApiRequest {
  readonly method: HttpMethod.HttpMethod
  /** The path with the query. `/graphql` is the GraphQL endpoint. */
  readonly path: string
  /** Values of names in braces in the path. */
  readonly input: RequestFields.Fields
  readonly headers: Readonly<Record<string, string>>
  readonly mediaType: RawOptions["mediaType"]
  readonly body: Uint8Array | undefined
  /** The fields of a GraphQL query, which a next page changes. */
  readonly graphQl: RequestFields.Fields | undefined
}

const wrong = (detail: string, hint: string) => new UsageError({ detail, hint })

/** Reads the request of a command line, with files. Fails with `UsageError` for an invalid request. */
export const read = Effect.fnUntraced(function* (given: ApiFlags) {
  const { baseUrl } = yield* Forge
  const fill = yield* Placeholders.filler(Option.getOrUndefined(given.repo))
  const fields = yield* RequestFields.parse(given.strings, given.typed, fill)
  const file = Option.getOrUndefined(given.input)
  const hasInput = Object.keys(fields).length > 0 || file !== undefined
  const line = yield* readLine(given.words, Option.getOrUndefined(given.method), hasInput, baseUrl)
  const isGraphQl = line.target === "graphql"
  const { method } = line
  const template = isGraphQl ? "/graphql" : yield* fill(line.path, Placeholders.encodePath)
  const inPath = new Set(Array.from(template.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name))
  const [used, rest] = partition(fields, (name) => inPath.has(name))
  const inQuery = file !== undefined || !HttpMethod.hasBody(method)
  const path = withQuery(template, inQuery ? rest : {}, given.paginate && !isGraphQl)
  const request: ApiRequest = {
    method,
    path,
    input: used,
    headers: yield* RequestHeaders.parse([...given.headers, ...previewHeaders(given.previews)]),
    mediaType: Option.getOrUndefined(given.mediaType),
    body:
      file !== undefined
        ? yield* FileInput.readBytes(file)
        : inQuery || Object.keys(rest).length === 0
          ? undefined
          : bodyOf(isGraphQl ? graphQlBody(rest) : rest),
    graphQl: isGraphQl && file === undefined ? rest : undefined
  }
  const problem = Result.getFailure(RawRequest.make(`${method} ${path}`, used, request.body))
  if (Option.isSome(problem)) return yield* wrong(`${JSON.stringify(`${method} ${path}`)}: ${problem.value}.`, "")
  return request
})

/** Returns the request for the page of a GraphQL list after a cursor. */
export const after = (request: ApiRequest, cursor: string): ApiRequest => {
  const graphQl = { ...request.graphQl, endCursor: cursor }
  return { ...request, graphQl, body: bodyOf(graphQlBody(graphQl)) }
}

const bodyOf = (fields: RequestFields.Fields) => new TextEncoder().encode(RequestFields.toJson(fields))

/** Returns the body of a GraphQL request. All fields but two are variables of the query. */
const graphQlBody = (fields: RequestFields.Fields): RequestFields.Fields => {
  const [own, variables] = partition(fields, (name) => name === "query" || name === "operationName")
  return Object.keys(variables).length === 0 ? own : { ...own, variables }
}

const partition = (fields: RequestFields.Fields, isFirst: (name: string) => boolean) => {
  const entries = Object.entries(fields)
  const first: RequestFields.Fields = Object.fromEntries(entries.filter(([name]) => isFirst(name)))
  const second: RequestFields.Fields = Object.fromEntries(entries.filter(([name]) => !isFirst(name)))
  return [first, second] as const // a pair
}

/** The size of pages, as in gh, if the path and the fields name none. */
const PAGE_SIZE = 100

const withQuery = (path: string, fields: RequestFields.Fields, isPaged: boolean) => {
  const hasSize = /[?&]per_page=/.test(path) || fields["per_page"] !== undefined
  const query = RequestFields.toQuery(isPaged && !hasSize ? { ...fields, per_page: String(PAGE_SIZE) } : fields)
  return query === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`
}

const previewHeaders = (names: ReadonlyArray<string>) => {
  const previews = names.flatMap((name) => name.split(",")).map((name) => name.trim())
  const types = previews.map((name, index) => `application/vnd.github.${name}-preview${index === 0 ? "+json" : ""}`)
  return types.length === 0 ? [] : [`Accept: ${types.join(", ")}`]
}

const methodPattern = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/
const METHODS = "METHOD is GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS."

const readLine = Effect.fnUntraced(function* (
  words: ReadonlyArray<string>,
  flag: string | undefined,
  hasInput: boolean,
  baseUrl: string
) {
  const [first = "", second] = words
  if (second !== undefined && flag !== undefined)
    return yield* wrong(`The method is given twice: ${first} and --method ${flag}.`, "Omit one of them.")
  const target = second ?? first
  if (methodPattern.test(target.toUpperCase()))
    return yield* wrong(`No path after ${first}.`, `Write \`tongs api [METHOD] PATH\`; ${METHODS}`)
  const named = second === undefined ? flag : first
  const method = (named ?? (hasInput ? "POST" : "GET")).toUpperCase()
  const known = [...HttpMethod.all].find((one) => one === method)
  if (known === undefined || !methodPattern.test(method))
    return yield* wrong(`Invalid method ${JSON.stringify(named)}.`, `Write \`tongs api [METHOD] PATH\`; ${METHODS}`)
  const base = baseUrl.replace(/\/+$/, "")
  const path = target.startsWith(`${base}/`) ? target.slice(base.length) : target
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    return yield* wrong(`${target} is not on ${baseUrl}.`, "Pass a path, or select the forge with --url.")
  return { method: known, target, path: path.startsWith("/") ? path : `/${path}` }
})
