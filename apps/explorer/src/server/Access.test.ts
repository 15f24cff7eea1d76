import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as ServerSecret from "@tongs/connection/base/ServerSecret"
import * as Stub from "./FakeForge.test-support.ts"
import { ExplorerApi } from "../ExplorerApi.ts"
import { get, send, start, token } from "./TestServer.test-support.ts"

const secret = Redacted.value(token)

const apiPaths = Object.values(ExplorerApi.groups).flatMap(({ endpoints }) =>
  Object.values(endpoints).map(({ path }) => path.replaceAll(/:\w+/g, "x"))
)

const views = [
  "",
  "search?q=x",
  "file?repo=octo/hello&path=a.ts",
  "index.html",
  "missing.js",
  "//[",
  "x/../api/connection"
]

describe("Access", () => {
  it.live("rejects every path and method without the cookie", () =>
    Effect.gen(function* () {
      const url = yield* start
      assert.isAbove(apiPaths.length, 10)
      const paths = [...apiPaths.map((path) => path.slice(1)), "api/none", "api/", ...views]
      const port = new URL(url).port
      const wrong = [
        {},
        { cookie: `tongs-explore-${port}=` },
        { cookie: `tongs-explore-${port}=${secret}` },
        { cookie: `tongs-explore-${port}=${ServerSecret.generate()}` },
        { authorization: `Bearer ${secret}` }
      ]
      for (const path of paths) {
        for (const headers of wrong) {
          for (const method of ["GET", "HEAD"]) {
            const { headers: answered, status, text } = yield* send(`${url}${path}`, headers, method)
            assert.strictEqual(status, 401, `${method} ${path} ${JSON.stringify(headers)}`)
            assert.isUndefined(answered["set-cookie"])
            assert.notInclude(text, "<title>page</title>")
          }
        }
      }
    }).pipe(Effect.provide(Stub.layer(Stub.repositoryReplies)))
  )

  it.live("rejects a wrong secret", () =>
    Effect.gen(function* () {
      const url = yield* start
      for (const wrong of ["", "x", ServerSecret.generate(), `${secret}x`, secret.slice(1)]) {
        const { headers, status } = yield* send(`${url}?token=${wrong}`)
        assert.deepStrictEqual([status, headers["set-cookie"]], [401, undefined], wrong)
      }
      // The API rejects the secret, so that URLs of the API never contain the secret.
      assert.strictEqual((yield* send(`${url}api/connection?token=${secret}`)).status, 401)
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("exchanges the secret for a cookie at any view, and removes it from the URL", () =>
    Effect.gen(function* () {
      const url = yield* start
      const port = new URL(url).port
      for (const [path, location] of [
        [`?token=${secret}`, "/"],
        [`search?q=a%20b&token=${secret}&page=2`, "/search?q=a+b&page=2"],
        [`/evil.example/x?token=${secret}`, "/evil.example/x"]
      ] as const) {
        // pairs
        const { headers, status, text } = yield* send(`${url}${path}`)
        assert.deepStrictEqual([status, headers.location, text], [303, location, ""])
        const [cookie = ""] = headers["set-cookie"] ?? []
        assert.match(cookie, new RegExp(`^tongs-explore-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`))
        assert.notInclude(cookie, secret)
        assert.deepInclude(headers, { "cache-control": "no-store", "referrer-policy": "no-referrer" })
        assert.strictEqual((yield* send(`${url}api/connection`, { cookie: cookie.split(";", 1)[0] ?? "" })).status, 200)
      }
      assert.strictEqual((yield* get(`${url}search?q=x&token=old`)).headers.location, "/search?q=x")
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("names the link to open, and shows nothing else", () =>
    Effect.gen(function* () {
      const url = yield* start
      const page = yield* send(`${url}file?repo=octo/hello&path=secret.ts`, { accept: "text/html" })
      assert.include(page.text, "<code>tongs explore</code> printed")
      assert.notMatch(page.text, /<script|<link|refresh|secret|octo/)
      assert.include(page.headers["content-security-policy"], "default-src 'none'")
      assert.deepStrictEqual(JSON.parse((yield* send(`${url}api/connection`)).text), {
        kind: "LinkNeeded",
        message: "Open the link that `tongs explore` printed when it started."
      })
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("reloads a navigation from another site, and escapes its URL", () =>
    Effect.gen(function* () {
      const url = yield* start
      const elsewhere = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }
      const { status, text } = yield* send(`${url}search?q="><script>alert(1)</script>&x='`, elsewhere)
      assert.strictEqual(status, 401)
      assert.include(text, 'content="0;url=/search?q=')
      assert.notInclude(text, "<script")
      assert.include((yield* send(`${url}/evil.example`, elsewhere)).text, "url=/evil.example")
      assert.strictEqual((yield* get(`${url}search?q=x`, elsewhere)).status, 200)
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("serves the page's assets without a cookie", () =>
    Effect.gen(function* () {
      const url = yield* start
      assert.strictEqual((yield* send(`${url}assets/none.js`)).status, 404)
      assert.strictEqual((yield* send(`${url}assets/%2e%2e/api/connection`)).status, 401)
      assert.strictEqual((yield* send(`${url}assets/..%2fapi/connection`)).status, 404)
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("rejects the cookie of an earlier explorer", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* start, yield* start]
      const { headers } = yield* send(`${first}?token=${secret}`)
      const cookie = headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? ""
      const { port } = new URL(second)
      const renamed = cookie.replace(/^[^=]+/, `tongs-explore-${port}`)
      assert.strictEqual((yield* send(`${second}api/connection`, { cookie: renamed })).status, 401)
    }).pipe(Effect.provide(Stub.layer({})))
  )
})
