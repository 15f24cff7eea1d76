import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

layer(Forge.layer((repos) => void Forge.repository(repos, "hello")))("the topics of a repository", (it) => {
  const replace = (names: unknown, options: Forge.Ask = {}) =>
    Effect.flatMap(TestForge, ({ ask, base }) => ask("PUT", `${base}/hello/topics`, { body: { names }, ...options }))

  it.effect("are replaced, in lower case and each once", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const topics = get(`${base}/hello/topics`, { token: null })
      assert.deepStrictEqual((yield* topics).json, { names: [] })
      const { json, status } = yield* replace(["Git", "forge", "GIT", "3d-tools"])
      assert.deepStrictEqual([status, json], [200, { names: ["git", "forge", "3d-tools"] }])
      const read = yield* topics
      assert.deepStrictEqual(read.json, json)
      assert.deepStrictEqual((yield* get(`${base}/hello`)).json.topics, json.names)
      const headers = { "if-none-match": read.headers["etag"] ?? "" }
      assert.strictEqual((yield* get(`${base}/hello/topics`, { token: null, headers })).status, 304)
      assert.deepStrictEqual((yield* replace([])).json, { names: [] })
      assert.strictEqual((yield* get(`${base}/hello/topics`, { token: null, headers })).status, 200)
    })
  )

  it.effect("are announced to webhooks if they change", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      yield* replace(["old"])
      const config = { url: "https://hooks.example.org/", content_type: "json" }
      const hook = (yield* ask("POST", `${base}/hello/hooks`, { body: { config, events: ["repository"] } })).json
      yield* replace(["old"])
      yield* replace(["new"])
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ readonly payload: string }>`
        SELECT payload FROM deliveries WHERE hook_id = ${hook.id} AND event = 'repository'`
      assert.deepStrictEqual(
        rows.map(({ payload }) => {
          const { action, changes, repository } = JSON.parse(payload)
          return [action, changes, repository.topics]
        }),
        [["edited", { topics: { from: ["old"] } }, ["new"]]]
      )
    })
  )

  it.effect("are valid names, at most twenty", () =>
    Effect.gen(function* () {
      for (const names of [["two words"], ["-x"], [""], ["ä"], ["x".repeat(51)], ["x", 7], "x", undefined]) {
        assert.strictEqual((yield* replace(names)).status, 422, JSON.stringify(names))
      }
      const many = Array.from({ length: 21 }, (_, index) => `topic-${index}`)
      assert.strictEqual((yield* replace(many)).status, 422)
      assert.strictEqual((yield* replace(many.slice(1))).status, 200)
    })
  )

  it.effect("can be changed by administrators only, and not in an archived repository", () =>
    Effect.gen(function* () {
      const { ask, base, token, user } = yield* TestForge
      const stranger = yield* token({ kind: "classic", userId: yield* user({ login: "ann" }), scopes: ["repo"] })
      assert.strictEqual((yield* replace(["x"], { token: stranger })).status, 403)
      assert.strictEqual((yield* replace(["x"], { token: null })).status, 401)
      yield* ask("PATCH", `${base}/hello`, { body: { archived: true } })
      assert.strictEqual((yield* replace(["x"])).status, 403)
    })
  )
})
