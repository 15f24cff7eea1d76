/** What every call goes through, whichever way it was made: the pipeline, and from answers to values, pages or failures. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpBody from "effect/http/HttpBody"
import type * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpMethod from "effect/http/HttpMethod"
import { type Entry, entries } from "../contract/Catalog.ts"
import type { Dialect } from "../contract/Dialect.ts"
import * as Failure from "../contract/Failure.ts"
import { defaultVersion } from "../contract/Versions.ts"
import { Scheduler } from "../limits/Scheduler.ts"
import * as Link from "../paging/Link.ts"
import * as Page from "../paging/Page.ts"
import * as Pages from "../paging/Pages.ts"
import * as Answers from "./Answer.ts"
import { Call, type CallOptions } from "./Call.ts"
import * as Credentials from "./Credentials.ts"
import * as Endpoint from "./Endpoint.ts"
import * as Pipeline from "./Pipeline.ts"

export interface Options {
  /** Where the API is, as `https://forge.example/api/v3`. */
  readonly baseUrl: string
  readonly token?: Credentials.Token | undefined
  /** `service` by default. */
  readonly dialect?: Dialect | undefined
  /** The API version to ask for. */
  readonly version?: string | undefined
  /** Who asks: the name of an account or an application (spec part 1 §1.2). */
  readonly userAgent?: string | undefined
}

/** What a raw request gives: the answer of a success. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body, parsed where it is JSON. */
  readonly data: unknown
  /** The body as it came, in the documents' vocabulary. */
  readonly text: string
}

export interface RawInput {
  readonly [name: string]: unknown
}

const defaultUserAgent = "tongs"

export interface Engine {
  readonly scope: string
  readonly call: (entry: Entry, input?: Endpoint.Input, options?: CallOptions) => Effect.Effect<unknown, Failure.Failure>
  readonly list: (
    entry: Entry,
    input?: Endpoint.Input,
    options?: CallOptions & Pages.PageOptions
  ) => Pages.Pages<unknown, Failure.Failure>
  readonly request: (route: string, input?: RawInput, options?: CallOptions) => Effect.Effect<Answer, Failure.Failure>
  readonly paginate: (route: string, input?: RawInput, options?: CallOptions & Pages.PageOptions) => Pages.Pages<unknown, Failure.Failure>
}

export const make = Effect.fnUntraced(function* (options: Options, transport: HttpClient.HttpClient) {
  const baseUrl = options.baseUrl.replace(/\/+$/, "")
  const origin = new URL(baseUrl).origin
  const dialect = options.dialect ?? "service"
  const scope = yield* Credentials.scope(baseUrl, options.token)
  const pipeline = Pipeline.make({
    transport,
    scheduler: yield* Scheduler,
    scope,
    dialect,
    token: options.token,
    version: options.version ?? defaultVersion,
    userAgent: options.userAgent ?? defaultUserAgent
  })

  /** Sends, and fails with what an error status means. `name` is the request as failures call it. */
  const send = Effect.fnUntraced(function* (
    name: string,
    call: { readonly endpoint: string; readonly resource: string; readonly points?: number },
    request: HttpClientRequest.HttpClientRequest,
    options: CallOptions
  ) {
    const asked =
      options.mediaType === undefined
        ? request
        : HttpClientRequest.setHeader(request, "accept", `application/vnd.service.${options.mediaType}+json`)
    const absolute = asked.url.startsWith("/") ? HttpClientRequest.prependUrl(asked, baseUrl) : asked
    const response = yield* pipeline.execute(absolute).pipe(
      Effect.provideService(Call, {
        ...call,
        priority: options.priority ?? "normal",
        ...(options.deadline === undefined ? {} : { deadline: options.deadline })
      }),
      Effect.mapError((error) => named(name, error))
    )
    const body = yield* response.status === 204
      ? Effect.succeed("")
      : Effect.mapError(Answers.text(dialect, response), (error) => Answers.transportFailure(name, error))
    if (response.status >= 200 && response.status < 300) return { response, body }
    return yield* Effect.fail(Answers.failure(name, response, body))
  })

  const endpoints = new Map<Entry, Endpoint.Endpoint>()
  const endpointOf = (entry: Entry) => {
    const known = endpoints.get(entry)
    if (known !== undefined) return known
    const endpoint = Endpoint.make(entry)
    endpoints.set(entry, endpoint)
    return endpoint
  }

  const endpointCall = (endpoint: Endpoint.Endpoint) => ({
    endpoint: `${endpoint.method} ${endpoint.path}`,
    resource: endpoint.operation.resource,
    ...(endpoint.operation.points === undefined ? {} : { points: endpoint.operation.points })
  })

  const call: Engine["call"] = Effect.fnUntraced(function* (entry, input = {}, options = {}) {
    const endpoint = endpointOf(entry)
    const request = yield* endpoint.toRequest(input)
    const name = `${request.method} ${request.url}`
    const { response, body } = yield* send(name, endpointCall(endpoint), request, options)
    if (response.status === 204) return undefined
    return yield* Answers.decode(name, endpoint.decode, response.status, body)
  })

  const list: Engine["list"] = (entry, input = {}, options = {}) => {
    const endpoint = endpointOf(entry)
    const name = `${endpoint.method} ${endpoint.path}`
    return Pages.make(
      {
        request: name,
        origin,
        start: startOf(name, options),
        fetch: Effect.fnUntraced(function* (url) {
          const request = yield* url === undefined
            ? endpoint.toRequest({ ...input, ...pageParameters(endpoint.query, options) })
            : Effect.succeed(HttpClientRequest.get(url))
          const { response, body } = yield* send(name, endpointCall(endpoint), request, options)
          const value = yield* Answers.decode(name, endpoint.decode, response.status, body)
          return Page.make(value, links(response))
        })
      },
      options
    )
  }

  const request: Engine["request"] = Effect.fnUntraced(function* (route, input = {}, options = {}) {
    const raw = yield* rawRequest(route, input)
    const { response, body } = yield* send(`${raw.request.method} ${raw.request.url}`, raw.call, raw.request, options)
    return { status: response.status, headers: response.headers, text: body, data: parsed(body) }
  })

  const paginate: Engine["paginate"] = (route, input = {}, options = {}) =>
    Pages.make(
      {
        request: route,
        origin,
        start: startOf(route, options),
        fetch: Effect.fnUntraced(function* (url) {
          const raw = yield* rawRequest(route, { ...input, ...pageParameters(["per_page", "page"], options) })
          const request = url === undefined ? raw.request : HttpClientRequest.get(url)
          const { response, body } = yield* send(route, raw.call, request, options)
          return Page.make(parsed(body), links(response))
        })
      },
      options
    )

  return { scope, call, list, request, paginate } satisfies Engine
})

/** The groups of the contract, one method an endpoint. */
export const groups = (engine: Engine): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
  const groups: Record<string, Record<string, unknown>> = {}
  for (const entry of entries) {
    const members = (groups[entry.group] ??= {})
    members[entry.name] =
      entry.operation.paging === undefined
        ? (input?: Endpoint.Input, options?: CallOptions) => engine.call(entry, input, options)
        : (input?: Endpoint.Input, options?: CallOptions & Pages.PageOptions) => engine.list(entry, input, options)
  }
  return groups
}

const links = (response: HttpClientResponse.HttpClientResponse) => Link.parse(response.headers.link ?? "")

const pageParameters = (query: ReadonlyArray<string>, options: Pages.PageOptions) => ({
  ...(query.includes("per_page") && options.perPage !== undefined ? { per_page: options.perPage } : {}),
  ...(query.includes("page") && options.page !== undefined ? { page: options.page } : {})
})

const startOf = (request: string, options: Pages.PageOptions): Effect.Effect<string | undefined, Failure.ValidationFailed> => {
  if (options.cursor === undefined) return Effect.succeed(undefined)
  return Option.match(Page.fromCursor(options.cursor), {
    onSome: Effect.succeed,
    onNone: () =>
      Effect.fail(
        new Failure.ValidationFailed({ request, detail: "the cursor is not one that a page gave", status: 400, errors: [] })
      )
  })
}

/** `GET /repos/{owner}/{repo}`: the path's names are filled in, the rest goes into the query or the body. */
const rawRequest = (route: string, input: RawInput) =>
  Effect.suspend(() => {
    const match = /^\s*(?:([A-Za-z]+)\s+)?(\/\S*)\s*$/.exec(route)
    const method = (match?.[1] ?? "GET").toUpperCase()
    const path = match?.[2]
    const invalid = (detail: string) =>
      Effect.fail(new Failure.ValidationFailed({ request: route, detail, status: 400, errors: [] }))
    if (path === undefined) return invalid("give a method and a path, as `GET /repos/{owner}/{repo}`")
    if (!isMethod(method)) return invalid(`there is no method ${method}`)
    const used = new Set<string>()
    const missing: Array<string> = []
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      used.add(name)
      if (input[name] === undefined) missing.push(name)
      return encodeURIComponent(String(input[name]))
    })
    if (missing.length > 0) return invalid(`the path needs ${missing.join(", ")}`)
    if (/(^|\/)(\.|%2e){1,2}(\/|$|\?)/i.test(url)) return invalid("a path cannot hold dot segments")
    const rest = Object.entries(input).filter(([name]) => !used.has(name))
    const request = HttpMethod.hasBody(method)
      ? HttpClientRequest.make(method)(url, rest.length === 0 ? {} : { body: HttpBody.jsonUnsafe(Object.fromEntries(rest)) })
      : HttpClientRequest.make(method)(url, { urlParams: rest.map(([name, value]) => [name, String(value)] as const) })
    const resource = url.startsWith("/search/code") ? "code_search" : url.startsWith("/search/") ? "search" : "core"
    return Effect.succeed({ request, call: { endpoint: `${method} ${path.split("?")[0]}`, resource } })
  })

const isMethod = (method: string): method is HttpMethod.HttpMethod => HttpMethod.all.has(method as HttpMethod.HttpMethod) // a set's `has` takes members only

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const named = (request: string, error: Failure.RateLimited | HttpClientError.HttpClientError): Failure.Failure =>
  error._tag === "RateLimited"
    ? new Failure.RateLimited({ detail: error.detail, limit: error.limit, resource: error.resource, until: error.until, request })
    : Answers.transportFailure(request, error)
