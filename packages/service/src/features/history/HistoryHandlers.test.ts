import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixture from "../../git/Fixture.test-support.ts"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

/** A function that changes, moves to another file and gets a line above. */
const prepare = (repos: string) => {
  Forge.repository(repos, "hello", { "a/b.txt": "one\n" })
  const other = "other()\n".repeat(20)
  const folder = Forge.repository(repos, "moved", { "old.js": `${other}function f() {\n  one()\n}\n` })
  Fixture.commit(folder, { "old.js": `${other}function f() {\n  two()\n}\n` }, "Change f")
  Fixture.git(folder, ["reset", "--quiet", "--hard"])
  Fixture.git(folder, ["mv", "old.js", "new.js"])
  Fixture.commit(folder, {}, "Move the file")
  Fixture.commit(folder, { "new.js": `first()\n${other}function f() {\n  two()\n}\n` }, "Add a line above")
  Fixture.commit(folder, { "new.js": `first()\n${other}function f() {\n  three()\n}\n` }, "Change f again")
}

layer(Forge.layer(prepare))("history", (it) => {
  it.effect("lists the commits of lines across a rename, without commits of other lines", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const url = `/tongs${base}/moved/history/new.js`
      const { json } = yield* get(`${url}?lines=22,24`)
      assert.deepStrictEqual(
        json.items.map(({ path, summary }: Readonly<Record<string, string>>) => [path, summary]),
        [
          ["new.js", "Change f again"],
          ["old.js", "Change f"],
          ["old.js", "first"]
        ]
      )
      const second = yield* get(`${url}?lines=22,24&per_page=2&page=2`)
      assert.deepStrictEqual([second.json.items.length, second.json.items[0].summary], [1, "first"])
      assert.isFalse(json.incomplete_results)
      assert.strictEqual((yield* get(`/tongs${base}/moved/history/absent?lines=1,2`)).status, 404)
      for (const lines of ["3,2", "0,1", "1", "a,b", "99,100", ""]) {
        const { json, status } = yield* get(`${url}?lines=${lines}`)
        assert.deepStrictEqual([status, json.errors[0].field], [422, "lines"], lines)
      }
    })
  )

  it.effect("does not find paths that are invalid or were never committed", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const url = `/tongs${base}/hello`
      assert.strictEqual((yield* get(`${url}/history/a/b.txt`)).json.items[0].path, "a/b.txt")
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
