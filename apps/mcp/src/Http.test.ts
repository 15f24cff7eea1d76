import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Http from "./Http.ts"
import { MAX_MESSAGE } from "./Stdin.ts"

const url = "http://127.0.0.1:4000/mcp"

/** A server with sessions, as the protocol has them. */
const serve = () => {
  const open = new Set<string>()
  let count = 0
  const app = Effect.gen(function* () {
    const { headers, method } = yield* HttpServerRequest.HttpServerRequest
    const session = headers["mcp-session-id"]
    if (session !== undefined && !open.has(session)) return HttpServerResponse.empty({ status: 404 })
    if (headers["mcp-protocol-version"] !== undefined) return HttpServerResponse.empty({ status: 400 })
    if (method === "DELETE") return HttpServerResponse.empty({ status: open.delete(session ?? "") ? 204 : 400 })
    if (session !== undefined) return HttpServerResponse.empty({ status: 200 })
    const begun = `session-${++count}`
    open.add(begun)
    return HttpServerResponse.empty({ status: 200, headers: { "mcp-session-id": begun } })
  })
  const guarded = Http.guard(app, url, ["2025-11-25", "2025-06-18"])
  const send = (method: string, headers: Record<string, string>) =>
    Effect.scoped(
      Effect.provideService(
        guarded,
        HttpServerRequest.HttpServerRequest,
        HttpServerRequest.fromWeb(new Request(url, { method, headers: { host: "127.0.0.1:4000", ...headers } }))
      )
    )
  return { open, send }
}

describe("over HTTP", () => {
  it.effect("answers only who asks for this machine", () =>
    Effect.gen(function* () {
      const { open, send } = serve()
      for (const host of [
        "evil.example",
        "evil.example:4000",
        "127.0.0.1.evil.example",
        "localhost@evil.example",
        ""
      ]) {
        assert.strictEqual((yield* send("POST", { host })).status, 403, host)
      }
      assert.strictEqual(open.size, 0)
      for (const host of ["127.0.0.1:4000", "localhost", "LOCALHOST:9", "[::1]:4000"]) {
        assert.strictEqual((yield* send("POST", { host })).status, 200, host)
      }
    })
  )

  it.effect("refuses what is longer than a message may be", () =>
    Effect.gen(function* () {
      const { send } = serve()
      const status = (length: number) =>
        Effect.map(send("POST", { "content-length": String(length) }), ({ status }) => status)
      assert.deepStrictEqual([yield* status(MAX_MESSAGE), yield* status(MAX_MESSAGE + 1)], [200, 413])
    })
  )

  it.effect("holds a session to what it agreed on, whichever version that is offered a request names", () =>
    Effect.gen(function* () {
      const { send } = serve()
      yield* send("POST", {})
      const use = (version: string, session = "session-1") =>
        Effect.map(send("POST", { "mcp-session-id": session, "mcp-protocol-version": version }), ({ status }) => status)
      assert.deepStrictEqual([yield* use("2025-06-18"), yield* use("2025-11-25")], [200, 200])
      assert.deepStrictEqual([yield* use("1999-01-01"), yield* use("2025-06-18", "session-9")], [400, 404])
      assert.strictEqual((yield* send("POST", { "mcp-protocol-version": "2025-06-18" })).status, 400)
    })
  )

  it.effect("ends the session used longest ago where there are too many", () =>
    Effect.gen(function* () {
      const { open, send } = serve()
      const begin = (times: number) => Effect.repeat(send("POST", {}), { times: times - 1 })
      const use = (session: string) => Effect.map(send("POST", { "mcp-session-id": session }), ({ status }) => status)
      yield* begin(Http.MAX_SESSIONS)
      assert.strictEqual(yield* use("session-1"), 200)
      yield* send("DELETE", { "mcp-session-id": "session-3" })
      assert.strictEqual(yield* use("session-3"), 404)
      yield* begin(2)
      assert.strictEqual(open.size, Http.MAX_SESSIONS)
      assert.deepStrictEqual(
        [yield* use("session-1"), yield* use("session-2"), yield* use("session-4")],
        [200, 404, 200]
      )
    })
  )
})
