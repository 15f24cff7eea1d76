import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit } from "../../git/Fixture.test-support.ts"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

const shared = {
  searches: [
    { name: "unfinished", query: "TODO path:src" },
    { name: "unfinished", query: "again" },
    { name: "wrong", query: "repo:" },
    { name: "two\nlines", query: "x" },
    { name: 7 },
    null
  ]
}

const prepare = (repos: string) => {
  Forge.repository(repos, "hello", {
    "src/a.ts": "// TODO one\nlet x\n// TODO two\n",
    ".tongs/searches.json": JSON.stringify(shared)
  })
  Forge.repository(repos, "broken", { ".tongs/searches.json": "{" })
}

layer(Forge.layer(prepare))("saved searches", (it) => {
  const url = "/tongs/user/saved-searches"

  it.effect("say which lines are new, and not those that moved", () =>
    Effect.gen(function* () {
      const { ask, get, repos } = yield* TestForge
      const body = { name: "todos", query: "TODO" }
      const created = yield* ask("POST", url, { body: { ...body, query: "TODO path:src" } })
      assert.strictEqual(created.status, 201)
      const { id } = created.json
      const news = () => Effect.map(get(`${url}/${id}/new`), ({ json }) => json)
      const before = yield* news()
      assert.deepStrictEqual([before.count, before.incomplete, before.files], [0, [], []])

      const path = join(repos, "hello")
      commit(path, { "src/a.ts": "let x\n  // TODO two\n// TODO three\n", "src/b.ts": "// TODO one\n" }, "move and add")
      const after = yield* news()
      assert.strictEqual(after.count, 1)
      assert.deepStrictEqual(
        after.files.map(
          ({ chunks, path }: { path: string; chunks: ReadonlyArray<{ lines: ReadonlyArray<object> }> }) => [
            path,
            chunks.flatMap(({ lines }) => lines)
          ]
        ),
        [["src/a.ts", [{ number: 3, text: "// TODO three", cut: 0, matches: [[3, 7]] }]]]
      )

      const stale = yield* ask("PUT", `${url}/${id}/seen`, { body: { version: before.version } })
      assert.strictEqual(stale.status, 409)
      assert.strictEqual((yield* news()).count, 1)
      const seen = yield* ask("PUT", `${url}/${id}/seen`, { body: { version: after.version } })
      assert.strictEqual(seen.status, 200)
      assert.strictEqual((yield* news()).count, 0)

      // With another query, the present results count as seen.
      const changed = yield* ask("PATCH", `${url}/${id}`, {
        body: { name: "commits", query: "type:commit move OR more" }
      })
      assert.deepStrictEqual([changed.json.name, changed.json.query], ["commits", "type:commit move OR more"])
      assert.strictEqual((yield* news()).count, 0)
      commit(path, { "src/c.ts": "\n" }, "one more file")
      const commits = yield* news()
      assert.deepStrictEqual(
        commits.commits.map(({ message }: { message: string }) => message.trim()),
        ["one more file"]
      )
      assert.strictEqual((yield* ask("DELETE", `${url}/${id}`)).status, 204)
      assert.strictEqual((yield* get(`${url}/${id}/new`)).status, 404)
    })
  )

  it.effect("belong to one user, and have valid names and queries", () =>
    Effect.gen(function* () {
      const { ask, get, token, user } = yield* TestForge
      const { id } = (yield* ask("POST", url, { body: { name: "mine", query: "x" } })).json
      const other = {
        token: yield* token({ userId: yield* user({ login: "eve" }), kind: "classic", scopes: ["repo"] })
      }
      assert.deepStrictEqual((yield* get(url, other)).json, [])
      for (const [method, path, body] of [
        ["GET", `${url}/${id}/new`, undefined],
        ["PATCH", `${url}/${id}`, { name: "x" }],
        ["PUT", `${url}/${id}/seen`, { version: "x" }],
        ["DELETE", `${url}/${id}`, undefined]
      ] as const) {
        assert.strictEqual((yield* ask(method, path, { ...other, body })).status, 404, method)
      }
      assert.strictEqual((yield* get(url, { token: null })).status, 401)
      for (const body of [
        { name: "mine", query: "y" },
        { name: " ", query: "y" },
        { name: "a\u202eb", query: "y" },
        { name: "n".repeat(101), query: "y" },
        { name: "q", query: "repo:" },
        { name: "q", query: "y".repeat(1_001) }
      ]) {
        assert.strictEqual((yield* ask("POST", url, { body })).status, 422, JSON.stringify(body))
      }
      assert.deepStrictEqual(
        (yield* get(url)).json.map(({ name }: { name: string }) => name),
        ["mine"]
      )
    })
  )

  it.effect("are shared by a file of a repository", () =>
    Effect.gen(function* () {
      const { get, owner } = yield* TestForge
      assert.deepStrictEqual((yield* get("/tongs/shared-searches")).json, [
        { owner, repo: "hello", name: "unfinished", query: "TODO path:src" }
      ])
    })
  )
})
