/** What every call goes through, whichever way it was made: the pipeline, and from answers to values, pages or failures. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
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
import * as Route from "./Route.ts"

export interface Options {
  /** Where the API is, as `https://forge.example/api/v3`. */
  readonly baseUrl: string
  /** A token, or what gives one when it is needed. */
  readonly token?: Credentials.Token | Credentials.Credential | undefined
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

const defaultUserAgent = "tongs"

export interface Engine {
  readonly scope: string
  readonly call: (
    entry: Entry,
    input?: Endpoint.Input,
    options?: CallOptions
  ) => Effect.Effect<unknown, Failure.Failure>
  readonly list: (
    entry: Entry,
    input?: Endpoint.Input,
    options?: CallOptions & Pages.NumberedPageOptions
  ) => Pages.Pages<unknown, Failure.Failure>
  readonly request: (
    route: string,
    input?: Route.RawInput,
    options?: CallOptions
  ) => Effect.Effect<Answer, Failure.Failure>
  readonly paginate: (
    route: string,
    input?: Route.RawInput,
    options?: CallOptions & Pages.NumberedPageOptions
  ) => Pages.Pages<unknown, Failure.Failure>
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

  /** Sends. `name` is the request as failures call it. */
  const execute = (
    name: string,
    to: Destination,
    request: HttpClientRequest.HttpClientRequest,
    options: CallOptions
  ) => {
    const asked =
      options.mediaType === undefined
        ? request
        : HttpClientRequest.setHeader(request, "accept", `application/vnd.service.${options.mediaType}+json`)
    const absolute = asked.url.startsWith("/") ? HttpClientRequest.prependUrl(asked, baseUrl) : asked
    return pipeline.execute(absolute).pipe(
      Effect.provideService(Call, {
        ...to,
        priority: options.priority ?? "normal",
        ...(options.deadline === undefined ? {} : { deadline: options.deadline })
      }),
      Effect.mapError((error) => named(name, error))
    )
  }

  const textOf = (name: string, response: HttpClientResponse.HttpClientResponse) =>
    response.status === 204
      ? Effect.succeed("")
      : Effect.mapError(Answers.text(dialect, response), (error) => Answers.transportFailure(name, error))

  /** Sends, and fails with what an error status means. */
  const send = Effect.fnUntraced(function* (
    name: string,
    to: Destination,
    request: HttpClientRequest.HttpClientRequest,
    options: CallOptions
  ) {
    const response = yield* execute(name, to, request, options)
    const body = yield* textOf(name, response)
    if (isSuccess(response)) return { response, body }
    return yield* Answers.failure(name, response, body, to.declares)
  })

  /** The same where the success is a file: its bytes. */
  const sendForFile = Effect.fnUntraced(function* (
    name: string,
    to: Destination,
    request: HttpClientRequest.HttpClientRequest,
    options: CallOptions
  ) {
    const response = yield* execute(name, { ...to, toSigned: true }, request, options)
    if (!isSuccess(response)) return yield* Answers.failure(name, response, yield* textOf(name, response), to.declares)
    const buffer = yield* Effect.mapError(response.arrayBuffer, (error) => Answers.transportFailure(name, error))
    return new Uint8Array(buffer)
  })

  const endpoints = new Map<Entry, Endpoint.Endpoint>()
  const endpointOf = (entry: Entry) => {
    const known = endpoints.get(entry)
    if (known !== undefined) return known
    const endpoint = Endpoint.make(entry)
    endpoints.set(entry, endpoint)
    return endpoint
  }

  const call: Engine["call"] = Effect.fnUntraced(function* (entry, input = {}, options = {}) {
    const endpoint = endpointOf(entry)
    const request = yield* endpoint.toRequest(input)
    const name = `${request.method} ${request.url}`
    if (endpoint.isFile) return yield* sendForFile(name, destination(endpoint), request, options)
    const { response, body } = yield* send(name, destination(endpoint), request, options)
    return endpoint.hasBody ? yield* Answers.decode(name, endpoint.decode, response.status, body) : undefined
  })

  const list: Engine["list"] = (entry, input = {}, options = {}) => {
    const endpoint = endpointOf(entry)
    const name = endpoint.route
    return Pages.make(
      {
        request: name,
        origin,
        start: startOf(name, options),
        fetch: Effect.fnUntraced(function* (url, read) {
          const request =
            url === undefined
              ? yield* endpoint.toRequest({ ...input, ...pageParameters(endpoint.query, options) })
              : HttpClientRequest.get(url)
          const { response, body } = yield* send(name, destination(endpoint), request, options)
          // Some lists answer 204 where they have nothing (spec part 1 §1.4.9).
          const value =
            response.status === 204 ? [] : yield* Answers.decode(name, endpoint.decode, response.status, body)
          return Page.make(value, links(response), read)
        })
      },
      options
    )
  }

  const request: Engine["request"] = Effect.fnUntraced(function* (route, input = {}, options = {}) {
    const raw = yield* fill(route, input)
    const name = `${raw.request.method} ${raw.request.url}`
    const { response, body } = yield* send(name, raw, raw.request, options)
    return { status: response.status, headers: response.headers, text: body, data: Answers.parsed(body) }
  })

  const paginate: Engine["paginate"] = (route, input = {}, options = {}) =>
    Pages.make(
      {
        request: route,
        origin,
        start: startOf(route, options),
        fetch: Effect.fnUntraced(function* (url, read) {
          const raw = yield* fill(route, { ...input, ...pageParameters(["per_page", "page"], options) })
          const request = url === undefined ? raw.request : HttpClientRequest.get(url)
          const { response, body } = yield* send(route, raw, request, options)
          return Page.make(Answers.parsed(body), links(response), read)
        })
      },
      options
    )

  return { scope, call, list, request, paginate } satisfies Engine
})

/** Where a request goes, as the budget and the failures know it. */
interface Destination {
  readonly endpoint: string
  readonly resource: string
  readonly points?: number
  readonly toSigned?: boolean
  readonly declares: (status: number) => boolean
}

const destination = ({ declares, operation, route }: Endpoint.Endpoint): Destination => ({
  endpoint: route,
  resource: operation.resource,
  ...(operation.points === undefined ? {} : { points: operation.points }),
  declares
})

/** A raw route can meet every status. */
const fill = (route: string, input: Route.RawInput) =>
  Result.match(Route.fill(route, input), {
    onSuccess: (raw) => Effect.succeed({ ...raw, declares: () => true }),
    onFailure: (detail) => invalid(route, detail)
  })

const invalid = (request: string, detail: string) =>
  Effect.fail(new Failure.ValidationFailed({ request, detail, status: 400, errors: [] }))

/** The groups of the contract, one method an endpoint. */
export const groups = (engine: Engine): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
  const groups: Record<string, Record<string, unknown>> = {}
  for (const entry of entries) {
    const members = (groups[entry.group] ??= {})
    members[entry.name] =
      entry.operation.paging === undefined
        ? (input?: Endpoint.Input, options?: CallOptions) => engine.call(entry, input, options)
        : (input?: Endpoint.Input, options?: CallOptions & Pages.NumberedPageOptions) =>
            engine.list(entry, input, options)
  }
  return groups
}

const isSuccess = ({ status }: HttpClientResponse.HttpClientResponse) => status >= 200 && status < 300

const links = (response: HttpClientResponse.HttpClientResponse) => Link.parse(response.headers.link ?? "")

const pageParameters = (query: ReadonlyArray<string>, options: Pages.NumberedPageOptions) => ({
  ...(query.includes("per_page") && options.perPage !== undefined ? { per_page: options.perPage } : {}),
  ...(query.includes("page") && options.page !== undefined ? { page: options.page } : {})
})

const startOf = (
  request: string,
  { cursor }: Pages.NumberedPageOptions
): Effect.Effect<string | undefined, Failure.ValidationFailed> =>
  cursor === undefined
    ? Effect.undefined
    : Option.match(Page.fromCursor(cursor), {
        onSome: Effect.succeed,
        onNone: () => invalid(request, "the cursor is not one that a page gave")
      })

const named = (request: string, error: Failure.Always | HttpClientError.HttpClientError): Failure.Failure => {
  switch (error._tag) {
    case "HttpClientError":
      return Answers.transportFailure(request, error)
    case "BadCredentials":
      return new Failure.BadCredentials({ detail: error.detail, request })
    case "RateLimited":
      return new Failure.RateLimited({
        detail: error.detail,
        limit: error.limit,
        resource: error.resource,
        until: error.until,
        request
      })
    case "Forbidden":
    case "ServiceFailed":
    case "Unreachable":
    case "UnexpectedResponse":
      return error // of the request that renews the credential
  }
}
