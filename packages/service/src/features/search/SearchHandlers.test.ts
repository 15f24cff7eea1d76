import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

layer(
  Forge.layer((repos) => {
    Forge.repository(repos, "one", {
      "src/parser.ts": "export const parse = (text: string) => text\n// Parse it\n",
      "src/other.ts": "import { parse } from './parser.ts'\n",
      "docs/guide.md": "How to parse\n",
      "test/parser.test.ts": "parse\n"
    })
    Forge.repository(repos, "two", { "main.py": "def parse(): pass\n# a.b(c)*\n" })
  })
)("code search", (it) => {
  const search = (q: string, accept = "application/json", more = "") =>
    Effect.flatMap(TestForge, ({ get }) =>
      get(`/search/code?q=${encodeURIComponent(q)}${more}`, { headers: { accept } })
    )
  const paths = (q: string) =>
    Effect.map(search(q), ({ json }) => json.items.map(({ path }: { readonly path: string }) => path).toSorted())

  it.effect("finds words case-insensitively, best first, with all members", () =>
    Effect.gen(function* () {
      const { base } = yield* TestForge
      const { json } = yield* search("PARSE")
      assert.deepInclude(json, { total_count: 5, incomplete_results: false })
      assert.strictEqual(json.items[0].path, "src/parser.ts")
      assert.strictEqual(json.items[0].repository.full_name, `${base.slice(7)}/one`)
      assert.isAbove(json.items[0].score, json.items[1].score)
    })
  )

  it.effect("applies qualifiers", () =>
    Effect.gen(function* () {
      const { owner } = yield* TestForge
      assert.deepStrictEqual(yield* paths("parse language:python"), ["main.py"])
      assert.deepStrictEqual(yield* paths("parse extension:md"), ["docs/guide.md"])
      assert.deepStrictEqual(yield* paths("parse filename:parser path:src"), ["src/parser.ts"])
      assert.deepStrictEqual(yield* paths(`parse repo:${owner}/two`), ["main.py"])
      assert.deepStrictEqual(yield* paths(`parse user:${owner} -language:typescript`), ["docs/guide.md", "main.py"])
      assert.deepStrictEqual(yield* paths("parser in:path"), ["src/parser.ts", "test/parser.test.ts"])
      assert.deepStrictEqual(yield* paths("parse NOT import path:src"), ["src/parser.ts"])
      assert.deepStrictEqual(yield* paths('"How to" OR def'), ["docs/guide.md", "main.py"])
      assert.deepStrictEqual(yield* paths("a.b(c)*"), ["main.py"])
      assert.deepStrictEqual(yield* paths("a.b.c"), [])
    })
  )

  it.effect("gives the positions of matches on request", () =>
    Effect.gen(function* () {
      const { json } = yield* search("parse filename:parser.ts path:src", "application/vnd.service.text-match+json")
      for (const match of json.items[0].text_matches) {
        assert.deepInclude(match, { property: "content", object_type: "FileContent" })
        for (const { indices, text } of match.matches) {
          assert.strictEqual(match.fragment.slice(...indices), text)
          assert.strictEqual(text.toLowerCase(), "parse")
        }
      }
    })
  )

  it.effect("rejects invalid queries", () =>
    Effect.gen(function* () {
      const { owner } = yield* TestForge
      const queries = [
        "",
        "  ",
        "repo:a/b",
        `language:ts user:${owner}`,
        "x".repeat(257),
        "a AND b AND c AND d AND e AND f AND g",
        "x repo:missing/missing",
        "x user:missing",
        '"unclosed'
      ]
      for (const q of queries) {
        const refused = yield* search(q)
        assert.strictEqual(refused.status, 422, q)
        assert.deepInclude(refused.json.errors[0], { resource: "Search", field: "q" })
      }
      assert.strictEqual((yield* search("parse", "application/json", "&sort=stars")).status, 422)
      const { get } = yield* TestForge
      assert.strictEqual((yield* get("/search/code")).status, 422)
      assert.strictEqual((yield* search("parse", "application/json", "&per_page=100&page=10")).status, 200)
      const beyond = yield* search("parse", "application/json", "&per_page=100&page=11")
      assert.deepStrictEqual(
        [beyond.status, beyond.json.message],
        [422, "Only the first 1000 search results are available"]
      )
    })
  )

  it.effect("searches the existing ones of several named repositories", () =>
    Effect.gen(function* () {
      const { owner } = yield* TestForge
      assert.deepStrictEqual(yield* paths(`parse repo:${owner}/two repo:missing/missing`), ["main.py"])
    })
  )
})
