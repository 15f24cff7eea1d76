import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { forge, push, send, succeed } from "./CheckHandlers.test-support.ts"

const contexts = (all: ReadonlyArray<{ readonly context: string; readonly state: string }>) =>
  all.map(({ context, state }) => `${context} ${state}`)

layer(forge)("statuses", (it) => {
  it.effect("are listed, and combined by their newest states", () =>
    Effect.gen(function* () {
      const sha = yield* push("one")
      const empty = yield* succeed("GET", `commits/${sha}/status`)
      assert.deepInclude(empty, { state: "pending", total_count: 0, statuses: [], sha })
      const made = yield* send("POST", `statuses/${sha}`, { state: "pending", context: "ci/build" }, "ben")
      assert.strictEqual(made.status, 201)
      assert.strictEqual(made.headers["location"], made.json.url)
      assert.deepInclude(made.json, { state: "pending", context: "ci/build", description: null, target_url: null })
      assert.strictEqual(made.json.creator.login, "ben")
      yield* succeed("POST", `statuses/${sha}`, { state: "success" })
      assert.strictEqual((yield* succeed("GET", `commits/${sha}/status`)).state, "pending")
      yield* succeed("POST", `statuses/${sha}`, { state: "success", context: "CI/Build", description: "Built" })
      for (const ref of [sha, "main", "heads/main"]) {
        const combined = yield* succeed("GET", `commits/${ref}/status`)
        assert.deepStrictEqual(contexts(combined.statuses), ["default success", "CI/Build success"])
        assert.deepInclude(combined, { state: "success", total_count: 2, sha })
      }
      const all = yield* succeed("GET", `commits/main/statuses`)
      assert.deepStrictEqual(contexts(all), ["CI/Build success", "default success", "ci/build pending"])
      assert.deepStrictEqual(yield* succeed("GET", `statuses/${sha}`), all)
      assert.deepStrictEqual((yield* succeed("GET", `commits/${sha}/statuses?per_page=1&page=3`))[0], made.json)
      yield* succeed("POST", `statuses/${sha}`, { state: "error" })
      assert.strictEqual((yield* succeed("GET", `commits/${sha}/status?per_page=1`)).state, "failure")
    })
  )

  it.effect("belong to a commit, not to its branches", () =>
    Effect.gen(function* () {
      const sha = yield* push("two")
      yield* succeed("POST", "git/refs", { ref: "refs/heads/side", sha })
      yield* succeed("POST", `statuses/${sha}`, { state: "success" })
      yield* push("three")
      assert.lengthOf(yield* succeed("GET", "commits/side/statuses"), 1)
      assert.lengthOf(yield* succeed("GET", "commits/main/statuses"), 0)
    })
  )

  it.effect("are checked", () =>
    Effect.gen(function* () {
      const sha = yield* push("four")
      const missing = yield* send("POST", `statuses/${"0".repeat(40)}`, { state: "success" })
      assert.deepStrictEqual(
        [missing.status, missing.json.message],
        [422, `No commit found for SHA: ${"0".repeat(40)}`]
      )
      for (const [field, body] of [
        ["state", { state: "done" }],
        ["description", { state: "success", description: "x".repeat(141) }],
        ["context", { state: "success", context: "x".repeat(256) }],
        ["context", { state: "success", context: " " }],
        ["target_url", { state: "success", target_url: "javascript:alert(1)" }]
      ] as const) {
        const { json, status } = yield* send("POST", `statuses/${sha}`, body)
        assert.deepStrictEqual([status, json.errors[0].field], [422, field])
      }
      assert.strictEqual((yield* send("GET", "commits/missing/status")).status, 422)
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* succeed("POST", `statuses/${sha}`, { state: "success" })
      yield* sql`
        INSERT INTO commit_statuses (repository_id, sha, context, state, is_latest, created_at)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
        SELECT s.repository_id, s.sha, s.context, s.state, 0, s.created_at FROM commit_statuses s, n WHERE s.id = ${id}`
      assert.strictEqual((yield* send("POST", `statuses/${sha}`, { state: "success", context: "DEFAULT" })).status, 422)
      assert.strictEqual((yield* send("POST", `statuses/${sha}`, { state: "success", context: "other" })).status, 201)
    })
  )

  it.effect("need write access", () =>
    Effect.gen(function* () {
      const sha = yield* push("five")
      const set = (token: string) =>
        Effect.map(send("POST", `statuses/${sha}`, { state: "success" }, token), ({ status }) => status)
      assert.strictEqual(yield* set("status"), 201)
      assert.strictEqual(yield* set("linter"), 201)
      for (const token of ["reader", "tester"]) assert.strictEqual(yield* set(token), 403, token)
    })
  )

  it.effect("announce themselves to webhooks", () =>
    Effect.gen(function* () {
      const sha = yield* push("six")
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const hook = yield* succeed("POST", "hooks", { config, events: ["status"] }, "ann")
      const made = yield* succeed("POST", `statuses/${sha}`, { state: "failure", context: "ci" }, "ben")
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ readonly payload: string; readonly action: string | null }>`
        SELECT payload, action FROM deliveries WHERE hook_id = ${hook.id} AND event = 'status'`
      assert.strictEqual(sent[0]?.action, null)
      const payload = JSON.parse(sent[0]?.payload ?? "")
      assert.deepInclude(payload, { id: made.id, sha, name: "acme/tool", state: "failure", context: "ci" })
      assert.deepStrictEqual(
        payload.branches.map(({ name }: { readonly name: string }) => name),
        ["main"]
      )
    })
  )
})
