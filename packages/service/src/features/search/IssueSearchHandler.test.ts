import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { TextMatch } from "@tongs/core/contract/groups/Search"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

layer(
  Forge.layer((repos) => {
    for (const name of ["one", "two"]) Forge.repository(repos, name)
  })
)("the search for issues", (it) => {
  const search = (q: string, more = "", options: Forge.Ask = {}) =>
    Effect.flatMap(TestForge, ({ get }) => get(`/search/issues?q=${encodeURIComponent(q)}${more}`, options))
  const titles = (q: string, more = "", options: Forge.Ask = {}) =>
    Effect.map(search(q, more, options), ({ json, text }) => {
      assert.isArray(json.items, text)
      return json.items.map(({ title }: { readonly title: string }) => title)
    })
  const create = (repository: string, title: string, body = "") =>
    Effect.flatMap(TestForge, ({ ask, base }) =>
      Effect.map(
        ask("POST", `${base}/${repository}/issues`, { body: { title, body } }),
        ({ json }): number => json.number
      )
    )

  it.effect("finds words of title, body and comments, and sorts titles first", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      const number = yield* create("one", "Menu", "Text")
      yield* ask("POST", `${base}/one/issues/${number}/comments`, { body: { body: "The espresso is cold" } })
      yield* create("two", "Espresso, cold")
      yield* create("two", "Cups", "For **espresso**")
      const { json, status } = yield* search("espresso")
      assert.strictEqual(status, 200)
      assert.deepInclude(json, { total_count: 3, incomplete_results: false })
      assert.deepStrictEqual(
        json.items.map(({ score, title }: { readonly title: string; readonly score: number }) => [title, score]),
        [
          ["Espresso, cold", 8.5 / 9],
          ["Cups", 2.5 / 3],
          ["Menu", 0.75]
        ]
      )
      assert.deepStrictEqual(yield* titles("( espresso ) repo:keeper/one state:open type:issue"), ["Menu"])
      assert.deepStrictEqual(yield* titles("espresso in:title"), ["Espresso, cold"])
      assert.deepStrictEqual(yield* titles("espresso", "&sort=comments&order=desc&per_page=1"), ["Menu"])
      assert.deepStrictEqual(yield* titles("espresso sort:comments-asc", "&per_page=1&page=3"), ["Menu"])
    })
  )

  it.effect("finds the issues of repositories in a language", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      for (const [name, path, words] of [
        ["script", "a.ts", "export {}\n"],
        ["snake", "a.py", "pass\n"]
      ] as const) {
        // prettier-ignore
        yield* ask("POST", "/user/repos", { body: { name, private: name === "snake" } })
        const body = { message: "first", content: Buffer.from(words).toString("base64") }
        assert.strictEqual((yield* ask("PUT", `${base}/${name}/contents/${path}`, { body })).status, 201)
        yield* create(name, `Issue of ${name}`)
      }
      const all = "sort:created-asc"
      assert.deepStrictEqual(yield* titles(`language:TypeScript ${all}`), ["Issue of script"])
      assert.deepStrictEqual(yield* titles(`language:python language:ts ${all}`), ["Issue of script", "Issue of snake"])
      assert.deepStrictEqual(yield* titles(`-language:ts user:keeper snake ${all}`), ["Issue of snake"])
      assert.deepStrictEqual(yield* titles(`language:ts OR (language:python repo:keeper/one) ${all}`), [
        "Issue of script"
      ])
      assert.deepStrictEqual(yield* titles("language:python", "", { token: null }), [])
      assert.deepStrictEqual(yield* titles("language:rust"), [])
      assert.strictEqual((yield* search("language:ts")).json.incomplete_results, false)
      const query = '{ search(type: ISSUE, query: "language:ts", first: 5) { issueCount } }'
      const { json } = yield* ask("POST", "/graphql", { body: { query } })
      assert.strictEqual(json.data?.search.issueCount, 1, JSON.stringify(json))
    })
  )

  it.effect("follows changes, and forgets deleted texts", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      const sql = yield* SqlClient.SqlClient
      const number = yield* create("one", "Walnut")
      yield* ask("PATCH", `${base}/one/issues/${number}`, { body: { title: "Hazelnut" } })
      const comment = yield* ask("POST", `${base}/one/issues/${number}/comments`, { body: { body: "almond" } })
      assert.deepStrictEqual(yield* titles("walnut"), [])
      assert.deepStrictEqual(yield* titles("hazelnut almond"), ["Hazelnut"])
      yield* ask("PATCH", `${base}/one/issues/comments/${comment.json.id}`, { body: { body: "cashew" } })
      assert.deepStrictEqual(yield* titles("almond"), [])
      assert.deepStrictEqual(yield* titles("cashew"), ["Hazelnut"])
      yield* ask("DELETE", `${base}/one/issues/comments/${comment.json.id}`)
      assert.deepStrictEqual(yield* titles("cashew"), [])
      yield* sql`DELETE FROM issues WHERE title = 'Hazelnut'`
      assert.deepStrictEqual(yield* titles("hazelnut"), [])
      assert.deepStrictEqual(yield* sql`SELECT 1 AS one FROM issue_texts WHERE words = 'hazelnut'`, [])
    })
  )

  it.effect("hides the issues of private repositories", () =>
    Effect.gen(function* () {
      const { ask, base, token, user } = yield* TestForge
      yield* ask("POST", "/user/repos", { body: { name: "vault", private: true } })
      yield* create("vault", "Pistachio")
      const stranger = yield* user({ login: "stranger" })
      const own = yield* user({ login: "keeper" })
      const without = yield* token({ userId: own, kind: "fine_grained", permissions: { contents: "read" } })
      const reader = yield* token({ userId: own, kind: "fine_grained", permissions: { issues: "read" } })
      assert.deepStrictEqual(yield* titles("pistachio"), ["Pistachio"])
      assert.deepStrictEqual(yield* titles("pistachio", "", { token: reader }), ["Pistachio"])
      for (const other of [null, without, yield* token({ userId: stranger, kind: "classic", scopes: ["repo"] })]) {
        assert.deepStrictEqual(yield* titles("pistachio", "", { token: other }), [])
      }
      const { json, status } = yield* search("pistachio repo:keeper/vault", "", { token: null })
      assert.strictEqual(status, 422)
      assert.include(json.errors[0].message, "do not exist or you do not have permission")
      assert.strictEqual(base, "/repos/keeper")
    })
  )

  it.effect("gives the positions of words on request", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      const number = yield* create("one", "Crème brûlée", "Serve CREME cold")
      yield* ask("POST", `${base}/one/issues/${number}/comments`, { body: { body: "no creme brulee!" } })
      const { json } = yield* search('creme "creme brulee"', "", {
        headers: { accept: "application/vnd.service.text-match+json" }
      })
      const [item] = json.items
      const described = (match: TextMatch) => [
        match.object_type,
        match.property,
        match.fragment,
        ...match.matches.map(({ text }) => text)
      ]
      assert.deepStrictEqual(item.text_matches.map(described), [
        ["Issue", "title", "Crème brûlée", "Crème brûlée"],
        ["Issue", "body", "Serve CREME cold", "CREME"],
        ["IssueComment", "body", "no creme brulee!", "creme brulee"]
      ])
      assert.match(item.text_matches[2].object_url, /\/repos\/keeper\/one\/issues\/comments\/\d+$/)
    })
  )

  it.effect("rejects invalid queries", () =>
    Effect.gen(function* () {
      const { json, status } = yield* search("state:shut")
      assert.strictEqual(status, 422)
      assert.deepInclude(json, { message: "Validation Failed" })
      assert.deepInclude(json.errors[0], {
        resource: "Search",
        field: "q",
        code: "invalid",
        message: "Write state:open or state:closed."
      })
      assert.strictEqual((yield* search("x user:missing")).status, 422)
      assert.strictEqual((yield* search("x", "&sort=stars")).status, 422)
      assert.strictEqual((yield* search("x", "&per_page=100&page=11")).status, 422)
      assert.strictEqual((yield* search("is:pr ".repeat(250))).status, 200)
    })
  )
})
