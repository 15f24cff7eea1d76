/** The engine of the client: sends calls through the pipeline and converts responses into values, pages or failures. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { ofBaseUrl } from "../contract/Dialect.ts"
import type { CatalogEntry } from "../contract/CatalogEntry.ts"
import * as Failure from "../contract/Failure.ts"
import * as OAuthScopes from "../contract/OAuthScopes.ts"
import { defaultVersion } from "../contract/Versions.ts"
import { Scheduler } from "../limits/Scheduler.ts"
import * as LazyPages from "../paging/LazyPages.ts"
import * as LinkHeader from "../paging/LinkHeader.ts"
import * as Page from "../paging/Page.ts"
import * as Pages from "../paging/Pages.ts"
import * as AttemptTimeout from "./steps/AttemptTimeout.ts"
import * as BaseUrl from "./BaseUrl.ts"
import type { CallOptions, JsonForm } from "./CallOptions.ts"
import type { CredentialInfo, GenericMethods } from "./Client.ts"
import * as ClientEndpoint from "./ClientEndpoint.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import * as Credential from "./Credential.ts"
import * as Download from "./Download.ts"
import type { Contract, MethodKind } from "./EndpointDescription.ts"
import * as EventStream from "./EventStream.ts"
import * as PageResponse from "./responses/PageResponse.ts"
import * as Pipeline from "./Pipeline.ts"
import type { RawInput, RawResponse } from "./RawCall.ts"
import * as RawRequest from "./RawRequest.ts"
import * as Redactor from "./Redactor.ts"
import * as RequestSender from "./RequestSender.ts"
import * as ResponseAge from "./ResponseAge.ts"
import * as ResponseBody from "./responses/ResponseBody.ts"
import * as ResponseDecoder from "./responses/ResponseDecoder.ts"
import * as ResponseStore from "./ResponseStore.ts"
import type { Telemetry } from "./Telemetry.ts"

const DEFAULT_USER_AGENT = "tongs"

/** Client methods that do not depend on the types of the contract, and the client's rate-limit scope. */
export interface Engine<Entry = CatalogEntry> extends GenericMethods<Entry>, CredentialInfo {}

/**
 * Creates an engine that sends requests of a contract through `transport`. Background work ends with the Effect `Scope`
 * in the context, if there is one.
 */
export const make = Effect.fnUntraced(function* <Entry>(
  options: ClientOptions,
  transport: HttpClient.HttpClient,
  { describe, matchRoute }: Contract<Entry>,
  makeTelemetry?: (safe: (text: string) => string) => Telemetry
) {
  const baseUrl = BaseUrl.parse(options.baseUrl)
  const origin = new URL(baseUrl).origin
  const dialect = options.dialect ?? ofBaseUrl(baseUrl)
  const maxBody = options.maxBody ?? ResponseBody.DEFAULT_MAX_BODY
  const userAgent = options.userAgent ?? DEFAULT_USER_AGENT
  const { timeout, token, totalTimeout } = options
  const scope = yield* Credential.scopeOf(baseUrl, token)
  const redactor = Redactor.make()
  if (Redacted.isRedacted(token)) redactor.addSecret(Redacted.value(token))
  const telemetry = makeTelemetry?.(redactor.text)
  const pipeline = Pipeline.make({
    redactor,
    telemetry,
    transport,
    scheduler: yield* Scheduler,
    responseStore: options.responseStore ?? ResponseStore.makeMemory(),
    scope,
    dialect,
    token,
    version: options.version ?? defaultVersion,
    userAgent,
    timeout,
    totalTimeout,
    maxWait: options.maxWait,
    onWait: options.onWait,
    maxBody,
    matchRoute,
    lifetime: Option.getOrUndefined(yield* Effect.serviceOption(Scope.Scope))
  })

  const sender = RequestSender.make({ baseUrl, dialect, mask: redactor.mask, pipeline })
  const downloadFile = Download.make({ sender, telemetry, transport, userAgent, timeout, totalTimeout })

  const endpoints = new Map<Entry, EndpointWithDecoders>()
  const endpointOf = (entry: Entry) => {
    const known = endpoints.get(entry)
    if (known !== undefined) return known
    const made = ClientEndpoint.make(describe(entry), dialect)
    const endpoint = options.strict === true ? { ...made, decodeLeniently: undefined } : made
    endpoints.set(entry, endpoint)
    return endpoint
  }

  const { host } = new URL(baseUrl)
  /** False if an option or the dialect says so, and once the forge has not known the path of an extension. */
  let hasExtensions = options.extensions ?? dialect !== "github"
  const unsupported = (extension: string) => (request: string) => {
    hasExtensions = false
    const detail = `The forge at ${host} does not have the ${extension} extension; the embedded forge does`
    return new Failure.Unsupported({ request, detail })
  }

  /** Builds the request. Fails without sending the request if the endpoint is an extension and the forge has none. */
  const buildRequest = (endpoint: EndpointWithDecoders, input: RawInput) =>
    endpoint.extension === undefined || hasExtensions
      ? endpoint.toRequest(input)
      : Effect.fail(unsupported(endpoint.extension)(endpoint.route))

  const requestTarget = (
    { declares, extension, points, resource, route }: EndpointWithDecoders,
    name: string
  ): RequestSender.RequestTarget => ({
    name,
    endpoint: route,
    resource,
    ...(points === undefined ? {} : { points }),
    declares,
    ...(extension === undefined ? {} : { unsupported: unsupported(extension) })
  })

  const call: Engine<Entry>["call"] = Effect.fnUntraced(function* (entry, input = {}, options = {}) {
    const endpoint = endpointOf(entry)
    const request = yield* buildRequest(endpoint, input)
    const target = requestTarget(endpoint, `${request.method} ${request.url}`)
    if (endpoint.isFile) return yield* collectFile(target.name, downloadFile(target, request, options), maxBody)
    const { response, body } = yield* sender.sendForText(target, request, options)
    if (!endpoint.hasBody(response.status)) return undefined
    return ResponseAge.recordAge(yield* ResponseDecoder.decode(target.name, endpoint, response.status, body), response)
  })

  const stream: Engine<Entry>["stream"] = (entry, input = {}, options = {}) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const endpoint = endpointOf(entry)
        const request = yield* buildRequest(endpoint, input)
        const target = requestTarget(endpoint, `${request.method} ${request.url}`)
        const response = yield* sender.sendForStream(target, request, options)
        return EventStream.read(
          target.name,
          endpoint,
          response,
          options.timeout ?? timeout ?? AttemptTimeout.DEFAULT_TIMEOUT
        )
      })
    )

  const list: Engine<Entry>["list"] = (entry, input = {}, options = {}) => {
    const endpoint = endpointOf(entry)
    const target = requestTarget(endpoint, endpoint.route)
    return Pages.make(
      {
        request: target.name,
        origin,
        start: startUrl(target.name, options),
        fetch: Effect.fnUntraced(function* (url, pagesRead) {
          const first = yield* buildRequest(endpoint, { ...input, ...pageParameters(endpoint.query, options) })
          const name = `${first.method} ${first.url}`
          const request = url === undefined ? first : HttpClientRequest.get(url)
          const { response, body } = yield* sender.sendForText({ ...target, name }, request, options)
          // Some forges answer 204 for an empty list.
          const value =
            response.status === 204 ? [] : yield* ResponseDecoder.decode(name, endpoint, response.status, body)
          return ResponseAge.recordAge(Page.make(value, linksOf(response), pagesRead), response)
        })
      },
      options
    )
  }

  const request: Engine<Entry>["request"] = Effect.fnUntraced(function* (route, input = {}, options = {}) {
    const { body: requestBody, ...rest } = options
    const raw = yield* buildRaw(route, input, requestBody)
    const { response, body } = yield* sender.sendForText(raw, raw.request, rest)
    return ResponseAge.recordAge(yield* rawResponse(response, body), response)
  })

  const paginate: Engine<Entry>["paginate"] = (route, input = {}, options = {}) => {
    const name = RequestSender.withoutQuery(route)
    return Pages.make(
      {
        request: name,
        origin,
        start: startUrl(name, options),
        fetch: Effect.fnUntraced(function* (url, pagesRead) {
          const raw = yield* buildRaw(route, { ...input, ...pageParameters(["per_page", "page"], options) })
          const request = url === undefined ? raw.request : HttpClientRequest.get(url)
          const { response, body } = yield* sender.sendForText({ ...raw, name }, request, options)
          const received = yield* rawResponse(response, body)
          const page = PageResponse.record(Page.make(received.data, linksOf(response), pagesRead), received)
          return ResponseAge.recordAge(page, response)
        })
      },
      options
    )
  }

  const download: Engine<Entry>["download"] = (route, input = {}, { body, ...options } = {}) =>
    Stream.unwrap(Effect.map(buildRaw(route, input, body), (raw) => downloadFile(raw, raw.request, options)))

  const redact = <A>(effect: Effect.Effect<A, Failure.Failure>) => Effect.mapError(effect, redactor.failure)
  const redactPages = <A>(list: Pages.Pages<A, Failure.Failure>): Pages.Pages<A, Failure.Failure> =>
    LazyPages.make(redact(list.first), () => ({
      items: Stream.mapError(list.items, redactor.failure),
      pages: Stream.mapError(list.pages, redactor.failure)
    }))

  return {
    scope,
    mask: redactor.mask,
    grantedScopes: () => {
      const granted = sender.grantedScopes()
      return granted === undefined ? undefined : OAuthScopes.parse(granted).map(redactor.text)
    },
    call: (...args) => redact(call(...args)),
    list: (...args) => redactPages(list(...args)),
    stream: (...args) => Stream.mapError(stream(...args), redactor.failure),
    request: (...args) => redact(request(...args)),
    paginate: (...args) => redactPages(paginate(...args)),
    download: (...args) => Stream.mapError(download(...args), redactor.failure)
  } satisfies Engine<Entry>
})

/** Reads a file into memory, up to `maxBody` bytes. */
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

/**
 * Builds a raw request. The request may fail with any error status, since the contract does not describe the endpoint.
 */
const buildRaw = (route: string, input: RawInput, body?: Uint8Array) =>
  Result.match(RawRequest.make(route, input, body), {
    onSuccess: (raw) =>
      Effect.succeed({
        ...raw,
        name: RequestSender.withoutQuery(`${raw.request.method} ${raw.request.url}`),
        declares: () => true
      }),
    onFailure: (detail) => invalid(RequestSender.withoutQuery(route), detail)
  })

/** Returns a response with the body in all forms. The pipeline has buffered the body, so reading cannot fail. */
const rawResponse = (
  { arrayBuffer, headers, status }: HttpClientResponse.HttpClientResponse,
  text: string
): Effect.Effect<RawResponse> =>
  Effect.map(Effect.orDie(arrayBuffer), (buffer) => ({
    status,
    headers,
    text,
    data: ResponseDecoder.parseJson(text),
    bytes: new Uint8Array(buffer)
  }))

const invalid = (request: string, detail: string) =>
  Effect.fail(new Failure.ValidationFailed({ request, detail, status: 400, errors: [] }))

/** Creates client methods of endpoints. */
export const methodOf =
  <Entry>(engine: Engine<Entry>) =>
  (entry: Entry, kind: MethodKind) =>
  (input?: RawInput, options?: CallOptions<JsonForm> & Pages.NumberedPageOptions) =>
    engine[kind](entry, input, options)

const linksOf = (response: HttpClientResponse.HttpClientResponse) => LinkHeader.parse(response.headers.link ?? "")

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
        onNone: () => invalid(request, "Invalid cursor. Pass the `cursor` of a page unchanged.")
      })
