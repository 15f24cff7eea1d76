import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { versions } from "@tongs/core/contract/Versions"
import { commit } from "../git/Fixture.test-support.ts"
import * as Forge from "../main/Forge.test-support.ts"
import { Owner } from "../main/Owner.ts"
import { App } from "./App.ts"
import * as ItemCache from "./ItemCache.ts"
import * as TestDatabase from "../storage/TestDatabase.test-support.ts"

const { TestForge } = Forge

describe("ItemCache", () => {
  it("gives the JSON of the list, and makes only changed items", () => {
    const cache = ItemCache.make()
    let made = 0
    const encode = (values: ReadonlyArray<string>, scope = "x") => {
      const keyed = () => values.map((value) => ({ key: value, make: () => ({ value: (made++, value) }) }))
      const { body, identity } = cache.encode(scope, { keyed }, (items) => items)
      assert.strictEqual(Buffer.from(body).toString(), JSON.stringify(values.map((value) => ({ value }))))
      return identity
    }
    encode([])
    const first = encode(["a", "é"])
    assert.strictEqual(encode(["a", "é"]), first)
    assert.notStrictEqual(encode(["é", "a"]), first)
    assert.strictEqual(made, 2)
    encode(["a", "b", "é"])
    assert.strictEqual(made, 3)
    encode(["a"], "y")
    assert.strictEqual(made, 4)
  })

  it("does not cache items without a key, and keeps to its limit", () => {
    for (const [key, limit] of [
      [undefined, undefined],
      ["key", 100]
    ] as const) {
      const cache = ItemCache.make(limit)
      for (const value of [1, 2]) {
        const { body } = cache.encode("x", { keyed: () => [{ key, make: () => value }] }, (items) => items)
        assert.strictEqual(Buffer.from(body).toString(), `[${value}]`)
      }
    }
  })
})

/** Lists whose items are cached. */
const lists = (base: string) => [
  "/user/repos",
  "/user/repos?sort=updated&per_page=2",
  "/user/repos?sort=pushed&type=public",
  `${base.replace("/repos", "/users")}/repos?page=2&per_page=1`,
  `${base}/one/branches`,
  `${base}/two/branches?per_page=1`,
  `${base}/one/commits`,
  `${base}/two/commits?per_page=2`
]

/** Asks `app` with the token of the owner. */
const ask = Effect.fnUntraced(function* (app: App["Service"], token: string, path: string, version: string) {
  const request = new Request("http://forge.localhost/", {
    headers: {
      "user-agent": "test",
      authorization: `Bearer ${token}`,
      "x-github-api-version": version,
      "x-service-api-version": version
    }
  })
  const response = yield* app.handle(HttpServerRequest.fromWeb(request).modify({ url: path }))
  const { etag, link } = response.headers
  return { path, etag, link, text: yield* Effect.promise(() => HttpServerResponse.toWeb(response).text()) }
})

for (const dialect of ["service", "github"] as const) {
  layer(Forge.layer((repos) => ["one", "two", "three"].forEach((name) => Forge.repository(repos, name)), { dialect }))(
    `lists of the ${dialect} dialect`,
    (it) => {
      it.effect("are those of a forge without cached items, after each write", () =>
        Effect.gen(function* () {
          const { ask: send, base, owner, repos, user } = yield* TestForge
          const write = (method: string, path: string, body?: unknown) =>
            Effect.map(send(method, path, { body }), ({ status, text }) => assert.isBelow(status, 300, text))
          const token = Redacted.value((yield* Owner).token)
          const oid = commit(join(repos, "one"), { "b.txt": "two\n" }, "second")
          const writes: ReadonlyArray<Effect.Effect<unknown>> = [
            Effect.void,
            write("PATCH", `${base}/one`, { description: "é <new>", homepage: "https://example.com" }),
            write("POST", `${base}/one/git/refs`, { ref: "refs/heads/topic", sha: oid }),
            write("PATCH", `${base}/two`, { private: true }),
            Effect.sync(() => commit(join(repos, "two"), { "c.md": "three\n" }, "third")),
            user({ login: "author", email: "test@example.org" }),
            write("PATCH", `${base}/three`, { name: "four", use_squash_pr_title_as_default: true }),
            write("POST", "/user/repos", { name: "five", private: true }),
            write("DELETE", `${base}/one/git/refs/heads/topic`)
          ]
          for (const one of writes) {
            yield* one
            const cold = yield* Layer.build(
              Layer.fresh(
                TestDatabase.forgeLayer({ data: join(repos, "../data"), owner, cwd: repos, repos: [repos], dialect })
              )
            )
            for (const version of versions) {
              for (const path of lists(base)) {
                const warm = yield* ask(yield* App, token, path, version)
                assert.deepStrictEqual(warm, yield* ask(Context.get(cold, App), token, path, version))
              }
            }
          }
        }).pipe(Effect.scoped)
      )
    }
  )
}
