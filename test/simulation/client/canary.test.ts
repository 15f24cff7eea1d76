/** Secrets of a client never appear in failures, logs, spans, inspections or JSON. */
import * as Http from "node:http"
import { inspect } from "node:util"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import { listen } from "./SocketServer.test-support.ts"

/** Secrets by source. */
const canaries = {
  header: "canary-header-4711",
  body: "canary-body-4711",
  query: "canary-query-4711",
  redirect: "canary-redirect-4711"
}

/** A forge with a response per path. Some redirect to addresses with secrets. */
const server = Effect.gen(function* () {
  const server = Http.createServer((request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`)
    const status = Number(/\d{3}/.exec(url.pathname)?.[0] ?? 200)
    const at = (path: string) => `${path}?signature=${canaries.redirect}`
    const json = (body: unknown, headers: Http.OutgoingHttpHeaders = {}) =>
      response
        .writeHead(status, { "content-type": "application/json", "www-authenticate": "Bearer", ...headers })
        .end(JSON.stringify(body))
    request.resume()
    if (url.searchParams.has("signature")) return response.destroy()
    if (url.pathname.includes("hang")) return
    if (url.pathname.includes("break"))
      return response.writeHead(200, { "content-length": 50 }).write("{", () => response.destroy())
    if (url.pathname.includes("leave")) return json([], { link: `<http://127.0.0.1:9${at("/x")}>; rel="next"` })
    if (url.pathname.includes("round")) return json([], { link: `<${at(`${url.origin}/round`)}>; rel="next"` })
    if (url.pathname.includes("away"))
      return response.writeHead(302, { location: `http://127.0.0.1:9${at("/x")}` }).end()
    if (url.pathname.includes("loop")) return response.writeHead(301, { location: url.pathname }).end()
    if (url.pathname.includes("signed")) return response.writeHead(302, { location: at("/file") }).end()
    if (url.pathname.includes("limit")) {
      return response.writeHead(429, { "retry-after": "3600" }).end(JSON.stringify({ message: "secondary rate limit" }))
    }
    json(status === 200 ? { token: 7 } : { message: "No", documentation_url: "https://forge.test/docs" })
  })
  return yield* listen(server, () => server.closeAllConnections())
})

/** All text forms of a value. */
const textsOf = (value: unknown): ReadonlyArray<string> => [
  inspect(value, { depth: 30, showHidden: true, getters: true }),
  String(value),
  json(value),
  ...(value instanceof Error ? [value.message, value.stack ?? "", json({ ...value })] : [])
]

const json = (value: unknown) => {
  const seen = new Set<unknown>()
  return (
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === "bigint") return String(part)
      if (typeof part !== "object" || part === null) return part
      if (seen.has(part)) return "again"
      seen.add(part)
      return part
    }) ?? ""
  )
}

for (const [name, transport] of [
  ["Node's HTTP client", NodeHttpClient.layerNodeHttp],
  ["fetch", FetchHttpClient.layer]
] as const) {
  it.live(`${name}: no secret appears in any output`, () => {
    const recorded: Array<string> = []
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const logger = Logger.make((entry) => void recorded.push(...textsOf(entry.message), Cause.pretty(entry.cause)))

    return Effect.gen(function* () {
      const baseUrl = yield* server
      const forge = yield* Forge.make({ baseUrl, token: Redacted.make(canaries.header), timeout: 500 })
      const ref = { owner: "o", repo: "r", ref: "heads/a" }
      const hook = { owner: "o", repo: "r", config: { url: "http://forge.test", secret: canaries.body } }
      const artifact = { owner: "o", repo: "r", artifact_id: 1, archive_format: "zip" }
      const closed = yield* Forge.make({ baseUrl: "http://127.0.0.1:9", token: Redacted.make(canaries.header) })
      const limited = yield* Forge.make({ baseUrl, token: Redacted.make(`${canaries.header}-limited`) })
      const malformed = yield* Forge.make({ baseUrl, token: Redacted.make(`${canaries.header}\n`) })

      const calls: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        ...[400, 401, 403, 404, 409, 410, 422, 500].flatMap((status) => [
          forge.gitRefs.get({ ...ref, owner: String(status) }),
          forge.repositoryHooks.create({ ...hook, owner: String(status) }),
          forge.request(`GET /${status}?access_token=${canaries.query}`),
          forge.request(`POST /${status}`, { password: canaries.body }),
          Stream.runDrain(forge.paginate(`GET /${status}?access_token=${canaries.query}`, { q: canaries.query }).items)
        ]),
        forge.request("GET /hang", { q: canaries.query }),
        forge.request("POST /hang", { q: canaries.body }),
        forge.request("GET /break", { q: canaries.query }),
        forge.request("GET /away"),
        forge.request("GET /loop", { q: canaries.query }),
        forge.request("GET /signed"),
        limited.request("GET /limit", { q: canaries.query }, { deadline: 1 }),
        forge.request(`FETCH /x?access_token=${canaries.query}`),
        forge.request(`GET /a/../b?access_token=${canaries.query}`),
        Stream.runDrain(forge.paginate("GET /leave").items),
        Stream.runDrain(forge.paginate("GET /round").items),
        Stream.runDrain(forge.branches.list({ owner: "leave", repo: "r" }).items),
        Stream.runDrain(forge.branches.list({ owner: "round", repo: "r" }).items),
        forge.artifacts.download({ ...artifact, owner: "signed" }),
        forge.artifacts.download({ ...artifact, owner: "away" }),
        forge.gitRefs.get({ ...ref, owner: "shape" }),
        // @ts-expect-error -- invalid input, which the failure must not quote
        forge.repositoryHooks.create({ ...hook, active: canaries.body }),
        // @ts-expect-error -- the same
        Stream.runDrain(forge.branches.list({ owner: "o", repo: "r", protected: canaries.query }).items),
        closed.gitRefs.get(ref),
        closed.request("POST /x", { password: canaries.body }),
        malformed.gitRefs.get(ref)
      ]
      const exits = yield* Effect.forEach(
        calls,
        (call) =>
          Effect.exit(
            call.pipe(
              Effect.tapCause((cause) => Effect.logError("it failed", cause)),
              Effect.timeout("20 seconds"),
              Effect.withSpan("call")
            )
          ),
        { concurrency: 10 }
      )
      for (const exit of exits) {
        assert.isTrue(Exit.isFailure(exit))
        recorded.push(...textsOf(exit))
        if (Exit.isFailure(exit)) recorded.push(Cause.pretty(exit.cause), ...textsOf(Cause.squash(exit.cause)))
      }
      for (const { attributes, events, name, status } of spans) {
        recorded.push(name, ...textsOf([...attributes]), ...textsOf(events), ...textsOf(status))
      }
      recorded.push(...textsOf(forge), ...textsOf(yield* Scheduler), ...textsOf(yield* (yield* Scheduler).status))
      // Other text appears.
      assert.isAbove(spans.length, calls.length)
      assert.isTrue(recorded.some((text) => text.includes("/hang")))
      assert.isTrue(spans.some(({ attributes }) => json([...attributes]).includes("/hang")))
      for (const [place, canary] of Object.entries(canaries)) {
        const seen = recorded.filter((text) => text.includes(canary)).map((text) => around(text, canary))
        assert.deepStrictEqual(seen, [], `a secret of a ${place} is seen`)
      }
    }).pipe(
      Effect.provide(Layer.mergeAll(Scheduler.layerMemory, transport, Logger.layer([logger]))),
      Effect.provideService(References.MinimumLogLevel, "All"),
      Effect.provideService(Tracer.Tracer, tracer),
      Effect.scoped
    )
  })
}

/** The text around a secret, for finding its source. */
const around = (text: string, canary: string) => {
  const at = text.indexOf(canary)
  return text.slice(Math.max(0, at - 150), at + canary.length)
}
