import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { TextMatch } from "@tongs/core/contract/SearchPage"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

const textMatches = { accept: "application/vnd.service.text-match+json" }

/** Asks a search, and returns the items' values of a member. */
const find =
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of any search
  (path: string, member: (item: any) => unknown) =>
    (q: string, more = "", options: Forge.Ask = {}) =>
      Effect.flatMap(TestForge, ({ get }) =>
        Effect.map(get(`/search/${path}?q=${encodeURIComponent(q)}${more}`, options), ({ json, text }) => {
          assert.isArray(json.items, text)
          assert.isTrue(json.incomplete_results === false && json.total_count >= json.items.length, text)
          return json.items.map(member)
        })
      )

const repositories = find("repositories", ({ name }) => name)
const topics = find("topics", ({ name, repository_count }) => [name, repository_count])
const users = find("users", ({ login }) => login)
const commits = find("commits", ({ commit, repository }) => `${repository.name}: ${commit.message}`)

const problem = (path: string) =>
  Effect.flatMap(TestForge, ({ get }) =>
    Effect.map(get(`/search/${path}`), ({ json, status }) => [status, json.errors?.[0]?.message ?? json.message])
  )

layer(
  Forge.layer((repos) => {
    Forge.repository(repos, "lamp-core", {
      "main.ts": "export const lamp = 1\n",
      "README.md": "A lighthouse of Crème\n"
    })
    Forge.repository(repos, "lamp", { "main.py": "x = 1\n" })
    Forge.repository(repos, "horn", { "main.ts": "export {}\n" })
  })
)("the search for repositories", (it) => {
  it.effect("finds words by places, and ranks names first", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      yield* ask("PATCH", `${base}/horn`, { body: { description: "For the lamp of the pier" } })
      yield* ask("PUT", `${base}/lamp/topics`, { body: { names: ["light", "python"] } })
      yield* ask("PUT", `${base}/horn/topics`, { body: { names: ["light"] } })
      assert.deepStrictEqual(yield* repositories("LAMP"), ["lamp", "lamp-core", "horn"])
      assert.deepStrictEqual(yield* repositories("lamp in:name"), ["lamp", "lamp-core"])
      assert.deepStrictEqual(yield* repositories('"lamp core"'), ["lamp-core"])
      assert.deepStrictEqual(yield* repositories("lamp -core in:name,description"), ["lamp", "horn"])
      assert.deepStrictEqual(yield* repositories("light python"), ["lamp"])
      assert.deepStrictEqual(yield* repositories('"light python"'), [])
      assert.deepStrictEqual(yield* repositories("lighthouse creme in:readme"), ["lamp-core"])
      assert.deepStrictEqual(yield* repositories("lighthouse"), [])
      assert.deepStrictEqual(yield* topics("light"), [["light", 2]])
      assert.deepStrictEqual(yield* topics("repositories:1 is:not-curated"), [["python", 1]])
      assert.deepStrictEqual(yield* topics("is:featured"), [])
    })
  )

  it.effect("has GitHub's qualifiers and orders", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      yield* ask("PUT", `/user/starred/${base.slice(7)}/horn`)
      yield* ask("POST", `${base}/lamp/issues`, { body: { title: "Help", labels: ["help wanted"] } })
      const sorted = (q: string) =>
        Effect.map(repositories(q), (names) => [...names].map(String).toSorted((a, b) => (a < b ? -1 : 1)))
      assert.deepStrictEqual(yield* sorted("language:typescript"), ["horn", "lamp-core"])
      assert.deepStrictEqual(yield* sorted("language:ts OR language:python stars:0"), ["horn", "lamp", "lamp-core"])
      assert.deepStrictEqual(yield* sorted("language:python -topic:light"), [])
      assert.deepStrictEqual(yield* sorted("topic:light topics:>1"), ["lamp"])
      assert.deepStrictEqual(yield* sorted("stars:>0"), ["horn"])
      assert.deepStrictEqual(yield* sorted("help-wanted-issues:1"), ["lamp"])
      assert.deepStrictEqual(yield* sorted("good-first-issues:>0"), [])
      assert.deepStrictEqual(yield* sorted("followers:0 forks:0 size:<9 archived:false fork:true template:false"), [
        "horn",
        "lamp",
        "lamp-core"
      ])
      assert.deepStrictEqual(yield* sorted("fork:only"), [])
      assert.deepStrictEqual(yield* sorted("fork:false topic:light"), yield* sorted("topic:light"))
      assert.deepStrictEqual(yield* sorted("pushed:<2000-01-01"), [])
      assert.deepStrictEqual(yield* sorted("user:@me is:private"), [])
      assert.strictEqual((yield* repositories("", "&sort=stars"))[0], "horn")
      assert.strictEqual((yield* repositories("sort:help-wanted-issues"))[0], "lamp")
      assert.strictEqual((yield* repositories("sort:stars-asc")).at(-1), "horn")
      assert.deepStrictEqual(yield* repositories("sort:stars", "&per_page=1&page=4"), [])
    })
  )

  it.effect("hides private repositories and their topics", () =>
    Effect.gen(function* () {
      const { ask, token, user } = yield* TestForge
      yield* ask("POST", "/user/repos", { body: { name: "vault", private: true } })
      yield* ask("PUT", "/repos/keeper/vault/topics", { body: { names: ["hidden"] } })
      const stranger = yield* token({ userId: yield* user({ login: "stranger" }), kind: "classic", scopes: ["repo"] })
      assert.deepStrictEqual(yield* repositories("vault"), ["vault"])
      assert.deepStrictEqual(yield* topics("hidden"), [["hidden", 1]])
      for (const other of [null, stranger]) {
        assert.deepStrictEqual(yield* repositories("vault", "", { token: other }), [])
        assert.deepStrictEqual(yield* topics("hidden", "", { token: other }), [])
      }
    })
  )

  it.effect("gives the positions of words, and names errors", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const { json } = yield* get("/search/repositories?q=lamp+in:description", { headers: textMatches })
      const matches: ReadonlyArray<TextMatch> = json.items[0].text_matches
      assert.deepStrictEqual(
        matches.map(({ fragment, object_type, property }) => [object_type, property, fragment]),
        [["Repository", "description", "For the lamp of the pier"]]
      )
      assert.deepStrictEqual(yield* problem("repositories?q=label:bug"), [
        422,
        "Remove label: this search does not support it."
      ])
      assert.deepStrictEqual(yield* problem("repositories?q=x&per_page=100&page=11"), [
        422,
        "Only the first 1000 search results are available"
      ])
      assert.strictEqual((yield* problem("repositories?q=user:missing"))[0], 422)
      assert.strictEqual((yield* problem("repositories?q=x&sort=name"))[0], 422)
    })
  )
})

layer(Forge.layer((repos) => Forge.repository(repos, "pier")))("the search for users", (it) => {
  it.effect("finds words of login, name and email address", () =>
    Effect.gen(function* () {
      const { ask, token, user } = yield* TestForge
      const ann = yield* user({ login: "ann-lee", name: "Ännchen Lee", email: "ann@pier.example" })
      yield* user({ login: "pier", type: "Organization", name: "The pier" })
      yield* user({ login: "robot[bot]", type: "Bot" })
      const own = yield* token({ userId: ann, kind: "classic", scopes: ["user"] })
      yield* ask("PATCH", "/user", { token: own, body: { location: "Oslo, Norway" } })
      yield* ask("PUT", "/user/following/ann-lee")
      assert.deepStrictEqual(yield* users("annchen"), ["ann-lee"])
      assert.deepStrictEqual(yield* users("lee in:name"), ["ann-lee"])
      assert.deepStrictEqual(yield* users("pier"), ["pier", "ann-lee"])
      assert.deepStrictEqual(yield* users("pier", "", { token: null }), ["pier"])
      assert.deepStrictEqual(yield* users("pier type:org"), ["pier"])
      assert.deepStrictEqual(yield* users('fullname:"annchen lee" location:oslo followers:1 repos:0'), ["ann-lee"])
      assert.deepStrictEqual(yield* users("user:ANN-LEE OR org:pier sort:followers"), ["ann-lee", "pier"])
      assert.deepStrictEqual(yield* users("robot"), [])
      assert.deepStrictEqual(yield* users("created:<1960-01-01"), [])
      assert.deepStrictEqual(yield* users("language:go"), [])
      assert.strictEqual((yield* users("type:user sort:joined-asc"))[0], "keeper")
      yield* ask("PATCH", "/user", { token: own, body: { name: "Other", location: "" } })
      assert.deepStrictEqual(yield* users("annchen OR location:oslo"), [])
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM users WHERE login = 'ann-lee'`
      assert.deepStrictEqual(yield* sql`SELECT 1 AS one FROM user_texts WHERE words LIKE '% lee %'`, [])
    })
  )
})

layer(Forge.layer((repos) => Forge.repository(repos, "other")))("the searches for commits and labels", (it) => {
  const commit = (repository: string, path: string, message: string, date: string) =>
    Effect.flatMap(TestForge, ({ ask, base }) => {
      const person = { name: "Ada Keeper", email: "ada@example.com", date }
      return Effect.map(
        ask("PUT", `${base}/${repository}/contents/${path}`, {
          body: { message, content: "eA==", author: person, committer: person }
        }),
        ({ json, status, text }): string => {
          assert.strictEqual(status, 201, text)
          return json.commit.sha
        }
      )
    })

  it.effect("finds commits by message, persons, dates and ids", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      for (const name of ["one", "two"]) yield* ask("POST", "/user/repos", { body: { name } })
      const first = yield* commit("one", "a", "Fix the walnut\n\nAlmond, too", "2026-02-01T12:00:00Z")
      yield* commit("one", "b", "Walnuts", "2026-02-02T12:00:00Z")
      yield* commit("two", "c", "Eat almond and walnut", "2026-02-03T12:00:00Z")
      const [fix, nuts, eat] = ["one: Fix the walnut\n\nAlmond, too", "one: Walnuts", "two: Eat almond and walnut"]
      assert.deepStrictEqual(yield* commits("walnut"), [eat, fix])
      assert.deepStrictEqual(yield* commits("almond"), [eat, fix])
      assert.deepStrictEqual(yield* commits('"and walnut"'), [eat])
      assert.deepStrictEqual(yield* commits("walnut -almond"), [])
      assert.deepStrictEqual(yield* commits("walnuts OR eat sort:author-date-asc"), [nuts, eat])
      assert.deepStrictEqual(yield* commits("walnut repo:keeper/one"), [fix])
      assert.deepStrictEqual(yield* commits("author-name:ada author-date:>=2026-02-02"), [eat, nuts])
      assert.deepStrictEqual(yield* commits("committer-email:ADA@example.com committer-date:2026-02-01"), [fix])
      assert.deepStrictEqual(yield* commits(`hash:${first.slice(0, 8).toUpperCase()}`), [fix])
      assert.deepStrictEqual(yield* commits(`parent:${first}`), [nuts])
      assert.deepStrictEqual(yield* commits("walnut merge:true"), [])
      assert.deepStrictEqual(yield* commits("walnut merge:false is:public"), [eat, fix])
      assert.deepStrictEqual(yield* commits("author:keeper walnut"), [])
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO user_emails (user_id, email, verified)
        SELECT id, 'ada@example.com', 1 FROM users WHERE login = 'keeper'`
      assert.deepStrictEqual(yield* commits("author:@me walnut"), [eat, fix])
      const { get } = yield* TestForge
      const { json } = yield* get("/search/commits?q=almond+repo:keeper/one", { headers: textMatches })
      assert.deepStrictEqual(json.items[0].text_matches[0].matches[0].text, "Almond")
      assert.strictEqual(json.items[0].author.login, "keeper")
      assert.deepStrictEqual(yield* problem("commits?q=hash:x"), [
        422,
        "hash: takes the hexadecimal digits of an object id, at least 4."
      ])
      assert.strictEqual((yield* problem("commits?q=repo:a/b"))[0], 422)
    })
  )

  it.effect("finds labels of a repository", () =>
    Effect.gen(function* () {
      const { ask, base, get } = yield* TestForge
      const { id }: { readonly id: number } = (yield* get(`${base}/one`)).json
      yield* ask("POST", `${base}/one/labels`, { body: { name: "Pier lamp", color: "ededed" } })
      yield* ask("POST", `${base}/one/labels`, { body: { name: "horn", color: "ededed", description: "Not a lamp" } })
      const labels = (q: string, more = "") => find("labels", ({ name }) => name)(q, `&repository_id=${id}${more}`)
      assert.deepStrictEqual(yield* labels("lamp"), ["Pier lamp", "horn"])
      assert.deepStrictEqual(yield* labels("lamp -pier"), ["horn"])
      assert.deepStrictEqual(yield* labels("lamp", "&sort=created&order=asc"), ["Pier lamp", "horn"])
      assert.deepStrictEqual(yield* problem(`labels?q=is:open&repository_id=${id}`), [
        422,
        "Remove is: this search does not support it."
      ])
      assert.strictEqual((yield* problem("labels?q=x&repository_id=999999"))[0], 404)
      assert.strictEqual((yield* problem("labels?q=x"))[0], 422)
    })
  )
})
