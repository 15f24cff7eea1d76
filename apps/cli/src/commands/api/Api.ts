/** `tongs api`: sends a raw request through the client, with the command line of `gh api`. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Command from "effect/cli/Command"
import * as HttpMethod from "effect/http/HttpMethod"
import { Forge } from "@tongs/core/client/Forge"
import { Output } from "../../base/Output.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as JsonOutput from "../../json/JsonOutput.ts"
import * as ByteOutput from "../../session/ByteOutput.ts"
import * as InteractiveRequest from "../../session/InteractiveRequest.ts"
import * as Progress from "../../session/Progress.ts"
import * as Session from "../../session/Session.ts"
import * as ApiCache from "./ApiCache.ts"
import * as ApiFlags from "./ApiFlags.ts"
import * as ApiPrinter from "./ApiPrinter.ts"
import * as ApiRequest from "./ApiRequest.ts"
import * as ApiResponses from "./ApiResponses.ts"
import * as HostConnection from "./HostConnection.ts"
import * as HttpText from "./HttpText.ts"

const run = Effect.fnUntraced(function* (given: ApiFlags.ApiFlags) {
  const request = yield* ApiRequest.read(given)
  const { include, paginate, silent, slurp, verbose } = given
  const { graphQl, method } = request
  if (paginate && method !== "GET" && graphQl === undefined) {
    const detail = `--paginate requires GET, not ${method}.`
    return yield* new UsageError({ detail, hint: "Omit --paginate." })
  }
  const isFiltered = yield* JsonOutput.isFiltered
  const isPlain = !paginate && !include && !silent && !verbose && !isFiltered && Option.isNone(given.cache)
  if (isPlain && isFile(request)) return yield* printFile(request)
  const printer = yield* ApiPrinter.make({
    include,
    silent,
    slurp,
    verbose,
    isPaged: paginate && graphQl === undefined,
    isGraphQl: request.path === "/graphql",
    printData: isFiltered ? yield* JsonOutput.printer() : undefined
  })
  const sent = ApiResponses.send(request, paginate)
  const lifetime = Option.flatMap(given.cache, (text) => Option.fromUndefinedOr(ApiFlags.milliseconds(text)))
  const responses =
    Option.isSome(lifetime) && ApiCache.isCacheable(request)
      ? ApiCache.reuse(request, paginate, lifetime.value, sent)
      : sent
  if (verbose) yield* printRequest(request)
  const start = yield* Clock.currentTimeMillis
  yield* Progress.showWaiting(Stream.runForEach(responses, printer.print)).pipe(
    Effect.tapError(printer.printFailure),
    Effect.ensuring(printer.end)
  )
  if (verbose) yield* (yield* Output).print(`* Request took ${(yield* Clock.currentTimeMillis) - start}ms`)
})

/** Files are streamed, because a file can be larger than memory: the raw form, archives, and downloads. */
const isFile = ({ headers, mediaType, method, path }: ApiRequest.ApiRequest) =>
  method === "GET" &&
  (mediaType === "raw" || /\braw\b/.test(headers["accept"] ?? "") || /\/(tarball|zipball|zip|logs)(\/|\?|$)/.test(path))

const printFile = Effect.fnUntraced(function* ({ headers, input, mediaType, method, path }: ApiRequest.ApiRequest) {
  const forge = yield* Forge
  const form = { headers, ...(mediaType === undefined ? {} : { mediaType }) }
  const options = { ...(yield* InteractiveRequest.interactive), ...form }
  const printer = yield* ApiPrinter.make(plain)
  yield* Effect.tapError(ByteOutput.print(forge.download(`${method} ${path}`, input, options)), printer.printFailure)
})

const plain = {
  include: false,
  silent: false,
  slurp: false,
  verbose: false,
  isPaged: false,
  isGraphQl: false,
  printData: undefined
}

/** Prints a request without its credential. */
const printRequest = Effect.fnUntraced(function* ({ body, headers, method, path }: ApiRequest.ApiRequest) {
  const { print } = yield* Output
  const { baseUrl } = yield* Forge
  const url = new URL(baseUrl.replace(/\/+$/, "") + path)
  const lines = [
    HttpText.header("host", url.host),
    ...Object.entries(headers).map(([name, value]) => HttpText.header(name, value)),
    ...(HttpMethod.hasBody(method) && body !== undefined ? [`Content-Length: ${body.byteLength}`] : [])
  ]
  yield* print(
    `* Request to ${url.href}`,
    `> ${method} ${url.pathname}${url.search} HTTP/1.1`,
    ...lines.map((line) => `> ${line}`),
    "",
    ...(body === undefined ? [] : [new TextDecoder().decode(body), ""])
  )
})

export const api = Command.make("api", ApiFlags.config, (given) =>
  Effect.andThen(
    ApiFlags.check(given),
    Effect.provide(
      Effect.scoped(run(given)),
      Option.match(given.hostname, { onNone: () => Session.ownLayer, onSome: HostConnection.layer })
    )
  )
).pipe(
  Command.withDescription("Send any request to the API, with the command line of `gh api`"),
  Command.withExamples([
    { command: "tongs api repos/{owner}/{repo}/branches --paginate --jq '.[].name'" },
    { command: "tongs api --media-type diff /repos/{owner}/{repo}/commits/main" },
    { command: "tongs api -X POST /repos/octo/hello/git/refs --input ref.json" },
    { command: "tongs api -X PATCH /repos/{owner}/{repo}/git/refs/heads/main -f sha=1a2b3c4…" },
    { command: "tongs api graphql -f query='{ viewer { login } }'" }
  ])
)
