/** What every call goes through, whichever way it was made: the pipeline, and from answers to values, pages or failures. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { type Dialect, ofBaseUrl } from "../contract/Dialect.ts"
import type { Entry } from "../contract/Entry.ts"
import * as Failure from "../contract/Failure.ts"
import { defaultVersion } from "../contract/Versions.ts"
import { Scheduler } from "../limits/Scheduler.ts"
import * as LinkHeader from "../paging/LinkHeader.ts"
import * as Page from "../paging/Page.ts"
import * as Pages from "../paging/Pages.ts"
import * as ResponseDecoder from "./ResponseDecoder.ts"
import { type ResponseStore, makeMemory } from "./ResponseStore.ts"
import * as BaseUrl from "./BaseUrl.ts"
import * as ResponseBody from "./ResponseBody.ts"
import type { CallOptions, JsonForm, RawOptions } from "./CallOptions.ts"
import * as Credentials from "./Credentials.ts"
import * as Download from "./Download.ts"
import * as ClientEndpoint from "./ClientEndpoint.ts"
import * as ResponseAge from "./ResponseAge.ts"
import * as Pipeline from "./Pipeline.ts"
import * as Redactor from "./Redactor.ts"
import * as RawRequest from "./RawRequest.ts"
import * as RequestSender from "./RequestSender.ts"

export interface ClientOptions {
  /** Where the API is, as `https://forge.example/api/v3`. */
  readonly baseUrl: string
  /** A token (`Redacted.make(text)`), or what gives one when it is needed. Without one, only what is public can be asked for. */
  readonly token?: Credentials.Token | Credentials.Credential | undefined
  /** `github` by default at `api.github.com` and `*.ghe.com`, `service` elsewhere. */
  readonly dialect?: Dialect | undefined
  /** The API version to ask for. */
  readonly version?: string | undefined
  /** Who asks: the name of an account or an application (spec part 1 §1.2). */
  readonly userAgent?: string | undefined
  /** Milliseconds that a try may take, from when it leaves until its answer is there whole; a minute by default. */
  readonly timeout?: number | undefined
  /**
   * Whether a response that differs from the contract in any member fails the call with `UnexpectedResponse`. By default
   * such a member is left out (null where its type has null), and only a missing identifying member, such as `id`, fails.
   */
  readonly strict?: boolean | undefined
  /**
   * Milliseconds that the tries of a request may take together once its budget lets it leave, and the waits between them; a
   * minute by default. The first try is limited by `timeout` alone. Of a download, it is how long no byte may come.
   */
  readonly totalTimeout?: number | undefined
  /**
   * Milliseconds that a call without a `deadline` may wait for its budget; it fails with `RateLimited` at once if it would
   * wait longer. An hour and a minute by default, which every documented limit lifts in.
   */
  readonly maxWait?: number | undefined
  /** Bytes that a response body may have after unpacking; 128 MB by default. Downloads are streams of any length. */
  readonly maxBody?: number | undefined
  /** Keeps the answers that can be asked for conditionally; in memory by default. */
  readonly responseStore?: ResponseStore | undefined
}

/** What a raw request gives: the answer of a success. */
export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body, parsed where it is JSON. */
  readonly data: unknown
  /** The body as the forge sent it. */
  readonly text: string
}

const DEFAULT_USER_AGENT = "tongs"

export interface Engine {
  readonly scope: string
  readonly call: (
    entry: Entry,
    input?: ClientEndpoint.Input,
    options?: CallOptions<JsonForm>
  ) => Effect.Effect<unknown, Failure.Failure>
  readonly list: (
    entry: Entry,
    input?: ClientEndpoint.Input,
    options?: CallOptions<JsonForm> & Pages.NumberedPageOptions
  ) => Pages.Pages<unknown, Failure.Failure>
  readonly request: (
    route: string,
    input?: RawRequest.RawInput,
    options?: RawOptions
  ) => Effect.Effect<RawResponse, Failure.Failure>
  readonly paginate: (
    route: string,
    input?: RawRequest.RawInput,
    options?: RawOptions & Pages.NumberedPageOptions
  ) => Pages.Pages<unknown, Failure.Failure>
  readonly download: (
    route: string,
    input?: RawRequest.RawInput,
    options?: Download.DownloadOptions
  ) => Stream.Stream<Uint8Array, Failure.Failure>
}

export const make = Effect.fnUntraced(function* (options: ClientOptions, transport: HttpClient.HttpClient) {
  const baseUrl = BaseUrl.parse(options.baseUrl)
  const origin = new URL(baseUrl).origin
  const dialect = options.dialect ?? ofBaseUrl(baseUrl)
  const maxBody = options.maxBody ?? ResponseBody.DEFAULT_MAX_BODY
  const scope = yield* Credentials.scopeOf(baseUrl, options.token)
  const redact = Redactor.make()
  const pipeline = Pipeline.make({
    redact,
    transport,
    scheduler: yield* Scheduler,
    responseStore: options.responseStore ?? makeMemory(),
    scope,
    dialect,
    token: options.token,
    version: options.version ?? defaultVersion,
    userAgent: options.userAgent ?? DEFAULT_USER_AGENT,
    timeout: options.timeout,
    totalTimeout: options.totalTimeout,
    maxWait: options.maxWait,
    maxBody,
    lifetime: Option.getOrUndefined(yield* Effect.serviceOption(Scope.Scope))
  })

  const send = RequestSender.make({ baseUrl, dialect, mask: redact.mask, pipeline })
  const file = Download.make({
    send,
    redact,
    transport,
    userAgent: options.userAgent ?? DEFAULT_USER_AGENT,
    timeout: options.timeout,
    totalTimeout: options.totalTimeout
  })

  const endpoints = new Map<Entry, EndpointWithDecoders>()
  const endpointOf = (entry: Entry) => {
    const known = endpoints.get(entry)
    if (known !== undefined) return known
    const made = ClientEndpoint.make(entry, dialect)
    const endpoint = options.strict === true ? { ...made, decodeLeniently: undefined } : made
    endpoints.set(entry, endpoint)
    return endpoint
  }

  const call: Engine["call"] = Effect.fnUntraced(function* (entry, input = {}, options = {}) {
    const endpoint = endpointOf(entry)
    const request = yield* endpoint.toRequest(input)
    const to = requestTarget(endpoint, `${request.method} ${request.url}`)
    if (endpoint.isFile) return yield* collectFile(to.name, file(to, request, options), maxBody)
    const { response, body } = yield* send.text(to, request, options)
    if (!endpoint.hasBody) return undefined
    return ResponseAge.recordAge(yield* ResponseDecoder.decode(to.name, endpoint, response.status, body), response)
  })

  const list: Engine["list"] = (entry, input = {}, options = {}) => {
    const endpoint = endpointOf(entry)
    const to = requestTarget(endpoint, endpoint.route)
    return Pages.make(
      {
        request: to.name,
        origin,
        start: startUrl(to.name, options),
        fetch: Effect.fnUntraced(function* (url, read) {
          const first = yield* endpoint.toRequest({ ...input, ...pageParameters(endpoint.query, options) })
          const name = `${first.method} ${first.url}`
          const request = url === undefined ? first : HttpClientRequest.get(url)
          const { response, body } = yield* send.text({ ...to, name }, request, options)
          // Some lists answer 204 where they have nothing (spec part 1 §1.4.9).
          const value =
            response.status === 204 ? [] : yield* ResponseDecoder.decode(name, endpoint, response.status, body)
          return ResponseAge.recordAge(Page.make(value, links(response), read), response)
        })
      },
      options
    )
  }

  const request: Engine["request"] = Effect.fnUntraced(function* (route, input = {}, { body: given, ...options } = {}) {
    const raw = yield* buildRaw(route, input, given)
    const { response, body } = yield* send.text(raw, raw.request, options)
    const { headers, status } = response
    return ResponseAge.recordAge({ status, headers, text: body, data: ResponseDecoder.parseJson(body) }, response)
  })

  const paginate: Engine["paginate"] = (route, input = {}, options = {}) => {
    const name = RequestSender.withoutQuery(route)
    return Pages.make(
      {
        request: name,
        origin,
        start: startUrl(name, options),
        fetch: Effect.fnUntraced(function* (url, read) {
          const raw = yield* buildRaw(route, { ...input, ...pageParameters(["per_page", "page"], options) })
          const request = url === undefined ? raw.request : HttpClientRequest.get(url)
          const { response, body } = yield* send.text({ ...raw, name }, request, options)
          return ResponseAge.recordAge(Page.make(ResponseDecoder.parseJson(body), links(response), read), response)
        })
      },
      options
    )
  }

  const download: Engine["download"] = (route, input = {}, { body, ...options } = {}) =>
    Stream.unwrap(Effect.map(buildRaw(route, input, body), (raw) => file(raw, raw.request, options)))

  const safe = <A>(effect: Effect.Effect<A, Failure.Failure>) => Effect.mapError(effect, redact.failure)
  const safePages = <A>({ first, items, pages }: Pages.Pages<A, Failure.Failure>): Pages.Pages<A, Failure.Failure> => ({
    first: safe(first),
    items: Stream.mapError(items, redact.failure),
    pages: Stream.mapError(pages, redact.failure)
  })

  return {
    scope,
    call: (...args) => safe(call(...args)),
    list: (...args) => safePages(list(...args)),
    request: (...args) => safe(request(...args)),
    paginate: (...args) => safePages(paginate(...args)),
    download: (...args) => Stream.mapError(download(...args), redact.failure)
  } satisfies Engine
})

/** All bytes of a file that fits into memory. */
const collectFile = (request: string, file: Stream.Stream<Uint8Array, Failure.Failure>, maxBody: number) =>
  Effect.suspend(() => {
    let size = 0
    const detail = `a file of more than ${maxBody} bytes; raise maxBody, or read it as a stream with download()`
    const bounded = Stream.tap(file, ({ byteLength }) => {
      size += byteLength
      return size > maxBody
        ? Effect.fail(new Failure.UnexpectedResponse({ request, detail, status: 200 }))
        : Effect.void
    })
    return Stream.mkUint8Array(bounded)
  })

type EndpointWithDecoders = Omit<ClientEndpoint.ClientEndpoint, "decodeLeniently"> & ResponseDecoder.Decoders

const requestTarget = (
  { declares, operation, route }: EndpointWithDecoders,
  name: string
): RequestSender.RequestTarget => ({
  name,
  endpoint: route,
  resource: operation.resource,
  ...(operation.points === undefined ? {} : { points: operation.points }),
  declares
})

/** A raw route can meet every status. */
const buildRaw = (route: string, input: RawRequest.RawInput, body?: Uint8Array) =>
  Result.match(RawRequest.make(route, input, body), {
    onSuccess: (raw) =>
      Effect.succeed({
        ...raw,
        name: RequestSender.withoutQuery(`${raw.request.method} ${raw.request.url}`),
        declares: () => true
      }),
    onFailure: (detail) => invalid(RequestSender.withoutQuery(route), detail)
  })

const invalid = (request: string, detail: string) =>
  Effect.fail(new Failure.ValidationFailed({ request, detail, status: 400, errors: [] }))

/** The method of an endpoint: a call, or a list where it pages. */
export const method = ({ call, list }: Engine, entry: Entry) =>
  entry.operation.paging === undefined
    ? (input?: ClientEndpoint.Input, options?: CallOptions<JsonForm>) => call(entry, input, options)
    : (input?: ClientEndpoint.Input, options?: CallOptions<JsonForm> & Pages.NumberedPageOptions) =>
        list(entry, input, options)

const links = (response: HttpClientResponse.HttpClientResponse) => LinkHeader.parse(response.headers.link ?? "")

const pageParameters = (query: ReadonlyArray<string>, options: Pages.NumberedPageOptions) => ({
  ...(query.includes("per_page") && options.perPage !== undefined ? { per_page: options.perPage } : {}),
  ...(query.includes("page") && options.page !== undefined ? { page: options.page } : {})
})

const startUrl = (
  request: string,
  { cursor }: Pages.NumberedPageOptions
): Effect.Effect<string | undefined, Failure.ValidationFailed> =>
  cursor === undefined
    ? Effect.undefined
    : Option.match(Page.decodeCursor(cursor), {
        onSome: Effect.succeed,
        onNone: () => invalid(request, "the cursor is not one that a page gave")
      })
