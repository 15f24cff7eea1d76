/** The ids of deleted rows are not given to new rows, because clients keep ids. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Forge from "./Forge.test-support.ts"
import * as TestDatabase from "../storage/TestDatabase.test-support.ts"

layer(Forge.layer((repos) => Forge.repository(repos, "hello")))("ids", (it) => {
  it.effect("are counted in every table that has ids of its own", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ids = (yield* TestDatabase.columns).filter(({ name, type }) => name === "id" && type !== "text")
      assert.isAbove(ids.length, 10)
      const counted = sql.onDialectOrElse({
        pg: () => sql<{ readonly name: string }>`
          SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'id' AND is_identity = 'YES'`,
        orElse: () => sql<{ readonly name: string }>`
          SELECT name FROM sqlite_schema WHERE sql LIKE '% id INTEGER PRIMARY KEY AUTOINCREMENT%'`
      })
      // The id of a job is that of its check run.
      const names = new Set(["workflow_jobs", ...(yield* counted).map(({ name }) => name)])
      assert.deepStrictEqual(
        ids.filter(({ table }) => !names.has(table)),
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
