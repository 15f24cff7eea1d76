/** The ids of deleted rows are not given to new rows, because clients keep ids. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Forge from "./Forge.test-support.ts"

layer(Forge.layer((repos) => Forge.repository(repos, "hello")))("ids", (it) => {
  it.effect("are counted in every table that has ids of its own", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ readonly name: string; readonly sql: string }>`
        SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
      const withId = tables.filter(({ sql: text }) => /^\s*id INTEGER/m.test(text))
      assert.isAbove(withId.length, 10)
      const uncounted = withId.filter(({ sql: text }) => !/\bid INTEGER PRIMARY KEY AUTOINCREMENT\b/.test(text))
      assert.deepStrictEqual(
        uncounted.map(({ name }) => name),
        []
      )
    })
  )

  it.effect("are new for what is deleted and created again", () =>
    Effect.gen(function* () {
      const { ask, base, owner } = yield* Forge.TestForge
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const made = [
        ["/user/repos", { name: "again" }, () => `/repos/${owner}/again`],
        [`${base}/hello/hooks`, { config, events: ["push"] }, ({ id }) => `${base}/hello/hooks/${id}`]
      ] satisfies ReadonlyArray<readonly [string, object, (created: Forge.Answer["json"]) => string]>
      for (const [path, body, pathOf] of made) {
        const first = (yield* ask("POST", path, { body })).json
        assert.strictEqual((yield* ask("DELETE", pathOf(first))).status, 204, path)
        const second = (yield* ask("POST", path, { body })).json
        assert.isAbove(second.id, first.id, path)
      }
    })
  )
})
