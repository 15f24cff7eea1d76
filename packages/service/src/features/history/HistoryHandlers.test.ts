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

  it.effect("lists the entries of a folder with their last commits", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const url = `/tongs${base}/hello/folder-history`
      for (const [path, entry] of [
        ["", "a"],
        ["/", "a"],
        ["/%2f", "a"],
        ["/a", "a/b.txt"],
        ["/a/", "a/b.txt"]
      ] as const) {
        const { json } = yield* get(`${url}${path}`)
        assert.isFalse(json.incomplete_results, path)
        assert.deepStrictEqual(
          json.entries.map(({ path, summary }: Readonly<Record<string, string>>) => [path, summary]),
          [[entry, "first"]],
          path
        )
      }
      for (const path of ["a/b.txt", "absent", "..", "%2fetc", "%00"]) {
        assert.strictEqual((yield* get(`${url}/${path}`)).status, 404, path)
      }
      assert.strictEqual((yield* get(`${url}?ref=nowhere`)).status, 404)
    })
  )
})
