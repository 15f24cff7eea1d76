import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stub from "./FakeForge.test-support.ts"
import { get, start } from "./TestServer.test-support.ts"

describe("CrossOriginGuard", () => {
  it.live("sends the policy with every response, without inline scripts and styles", () =>
    Effect.gen(function* () {
      const url = yield* start
      for (const path of ["", "search?q=x", "api/connection", "api/none", "missing.js"]) {
        const { headers } = yield* get(`${url}${path}`)
        const policy = headers["content-security-policy"] ?? ""
        assert.include(policy, "default-src 'none'", path)
        assert.include(policy, "script-src 'self'")
        assert.include(policy, "frame-ancestors 'none'")
        assert.notInclude(policy, "unsafe")
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
        assert.strictEqual(headers["referrer-policy"], "no-referrer")
        assert.strictEqual(headers["access-control-allow-origin"], undefined)
      }
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("answers only at its own address", () =>
    Effect.gen(function* () {
      const url = yield* start
      const { port } = new URL(url)
      for (const host of [
        `evil.example:${port}`,
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:1",
        `localhost.evil.example:${port}`
      ]) {
        assert.strictEqual((yield* get(`${url}api/connection`, { host })).status, 421, host)
        assert.strictEqual((yield* get(url, { host })).status, 421, host)
      }
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
        assert.strictEqual((yield* get(`${url}api/connection`, { host })).status, 200, host)
      }
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("rejects requests of other sites", () =>
    Effect.gen(function* () {
      const url = yield* start
      const status = (headers: Record<string, string>, path = "api/connection") =>
        Effect.map(get(`${url}${path}`, headers), (got) => got.status)
      assert.strictEqual(yield* status({ origin: "https://evil.example" }), 403)
      assert.strictEqual(yield* status({ origin: "null" }), 403)
      assert.strictEqual(yield* status({ origin: url.slice(0, -1) }), 200)
      assert.strictEqual(yield* status({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }), 403)
      assert.strictEqual(yield* status({ "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" }), 403)
      assert.strictEqual(yield* status({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }), 403)
      assert.strictEqual(yield* status({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }, ""), 200)
      assert.strictEqual(yield* status({ "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" }), 200)
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("rejects writes, and paths outside of its folder", () =>
    Effect.gen(function* () {
      const url = yield* start
      assert.strictEqual((yield* get(`${url}api/connection`, {}, "POST")).status, 405)
      assert.strictEqual((yield* get(`${url}api/search?q=x`, {}, "DELETE")).status, 405)
      for (const path of ["..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd"]) {
        assert.notInclude((yield* get(`${url}${path}`, { accept: "text/plain" })).text, "root:")
      }
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("parses a URL like a browser", () =>
    Effect.gen(function* () {
      const url = yield* start
      const navigation = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }
      // A path that looks like another host is still a path, outside of the API.
      for (const path of ["/x/api/connection", "/["]) {
        const { status, text } = yield* get(`${url}${path}`, navigation)
        assert.deepStrictEqual([status, text.includes("<title>")], [200, true], path)
      }
      assert.strictEqual((yield* get(`${url}x/%2e%2e/api/connection`, navigation)).status, 403)
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("never sends the token", () =>
    Effect.gen(function* () {
      const url = yield* start
      const paths = [
        "",
        "api/connection",
        "api/repositories",
        "api/search?q=x",
        "api/file?owner=octo&repo=hello&path=x"
      ]
      for (const path of paths) {
        const { headers, text } = yield* get(`${url}${path}`)
        assert.notInclude(text + JSON.stringify(headers), Stub.TOKEN)
      }
    }).pipe(Effect.provide(Stub.layer(Stub.repositoryReplies)))
  )
})
