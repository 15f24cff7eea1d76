import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Zlib from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stub from "./FakeForge.test-support.ts"
import { get, pageFolder, serve } from "./TestServer.test-support.ts"

const SCRIPT = "console.log(1)"

const start = Effect.gen(function* () {
  const page = yield* pageFolder
  Fs.mkdirSync(Path.join(page, "assets"))
  Fs.writeFileSync(Path.join(page, "assets/index-abc.js"), SCRIPT)
  Fs.writeFileSync(Path.join(page, "assets/index-abc.js.br"), Zlib.brotliCompressSync(SCRIPT))
  Fs.writeFileSync(Path.join(page, "..", "secret-of-this-test"), "no")
  return yield* serve(page)
})

describe("the page's files", () => {
  it.live("are cached forever if their names have a hash, unlike the page itself", () =>
    Effect.gen(function* () {
      const url = yield* start
      const asset = yield* get(`${url}assets/index-abc.js`)
      assert.strictEqual(asset.text, SCRIPT)
      assert.strictEqual(asset.headers["content-type"], "text/javascript; charset=utf-8")
      assert.strictEqual(asset.headers["cache-control"], "public, max-age=31536000, immutable")
      assert.strictEqual((yield* get(url)).headers["cache-control"], "no-cache")
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("are compressed for clients that accept it", () =>
    Effect.gen(function* () {
      const url = yield* start
      const response = yield* Effect.promise(() =>
        fetch(`${url}assets/index-abc.js`, { headers: { "accept-encoding": "gzip, br" } })
      )
      assert.strictEqual(response.headers.get("content-encoding"), "br")
      assert.strictEqual(yield* Effect.promise(() => response.text()), SCRIPT)
      assert.isUndefined(
        (yield* get(`${url}assets/index-abc.js`, { "accept-encoding": "gzip" })).headers["content-encoding"]
      )
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("are limited to the folder", () =>
    Effect.gen(function* () {
      const url = yield* start
      assert.strictEqual((yield* get(`${url}assets/index-old.js`)).status, 404)
      for (const path of ["../secret-of-this-test", "%2e%2e/secret-of-this-test", "..%2fsecret-of-this-test"]) {
        assert.notInclude((yield* get(`${url}${path}`)).text, "no")
        assert.strictEqual(
          (yield* get(`${url}assets/${path}`)).text.includes("<title>page</title>"),
          !path.includes("%2f")
        )
      }
    }).pipe(Effect.provide(Stub.layer({})))
  )
})
