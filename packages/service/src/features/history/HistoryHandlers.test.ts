import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

layer(Forge.layer((repos) => void Forge.repository(repos, "hello", { "a/b.txt": "one\n" })))("history", (it) => {
  it.effect("does not find paths that are invalid or were never committed", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const url = `/tongs${base}/hello`
      assert.strictEqual((yield* get(`${url}/history/a/b.txt`)).json[0].path, "a/b.txt")
      for (const path of [
        "%2f",
        "%2fetc%2fpasswd",
        "..",
        "a%2f..%2fb.txt",
        "a%2f%2fb.txt",
        "%00",
        "absent",
        "a%0ab",
        ":(top)a"
      ]) {
        assert.strictEqual((yield* get(`${url}/history/${path}`)).status, 404, path)
        assert.strictEqual((yield* get(`${url}/blame/${path}`)).status, 404, path)
      }
    })
  )
})
