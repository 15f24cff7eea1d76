import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { commit, git } from "../../git/Fixture.test-support.ts"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  for (const name of ["hello", "merges"]) {
    const path = Support.repository(repos, name)
    git(path, ["branch", "topic"])
    git(path, ["branch", "conflict"])
    for (const [branch, files] of [
      ["conflict", { "a.txt": "three\n" }],
      ["topic", { "b.txt": "b\n" }],
      ["main", { "a.txt": "two\n" }]
    ] as const) {
      git(path, ["checkout", "--quiet", branch])
      commit(path, files, branch)
      git(path, ["reset", "--quiet", "--hard"])
    }
  }
})

const prepare = Effect.gen(function* () {
  const { ask, base, get, token, user } = yield* TestForge
  const deployments = `${base}/hello/deployments`
  const create = (body: object, path = deployments) => ask("POST", path, { body })
  const report = (id: number, state: string, more: object = {}) =>
    ask("POST", `${deployments}/${id}/statuses`, { body: { state, ...more } })
  return { ask, base, create, deployments, get, report, token, user }
})

layer(forge)("deployments", (it) => {
  it.effect("are created, listed by what they are of, and read", () =>
    Effect.gen(function* () {
      const { base, create, deployments, get } = yield* prepare
      const sha: string = (yield* get(`${base}/hello/commits/main`)).json.sha
      const made = yield* create({ ref: "main", payload: { a: 1 }, description: "x" })
      assert.strictEqual(made.status, 201, made.text)
      assert.deepInclude(made.json, {
        sha,
        ref: "main",
        task: "deploy",
        payload: { a: 1 },
        environment: "production",
        original_environment: "production",
        description: "x",
        transient_environment: false,
        production_environment: true,
        performed_via_github_app: null
      })
      assert.strictEqual(made.headers["location"], made.json.url)
      assert.deepStrictEqual((yield* get(`${deployments}/${made.json.id}`)).json, made.json)
      const second = yield* create({ ref: sha, task: "migrate", environment: "QA" })
      assert.deepInclude(second.json, { payload: {}, production_environment: false })
      const listed = Effect.fnUntraced(function* (query: string) {
        const { json } = yield* get(`${deployments}?${query}`)
        return json.map(({ id }: { readonly id: number }) => id)
      })
      const all = [second.json.id, made.json.id]
      assert.deepStrictEqual(yield* listed(""), all)
      assert.deepStrictEqual(yield* listed("sha=none&ref=none&task=none&environment=none"), all)
      assert.deepStrictEqual(yield* listed(`sha=${sha}`), all)
      assert.deepStrictEqual(yield* listed("ref=main"), [made.json.id])
      assert.deepStrictEqual(yield* listed("task=migrate"), [second.json.id])
      assert.deepStrictEqual(yield* listed("environment=qa"), [second.json.id])
      assert.isAtMost(yield* Support.statements(get(`${deployments}?per_page=100`)), 3)
      // A deployment creates its environment.
      assert.strictEqual((yield* get(`${base}/hello/environments/qa`)).json.name, "QA")
    })
  )

  it.effect("need a reference, and texts within their limits", () =>
    Effect.gen(function* () {
      const { create } = yield* prepare
      const missing = yield* create({ ref: "missing" })
      assert.deepStrictEqual([missing.status, missing.json.message], [422, "No ref found for: missing"])
      for (const more of [
        { description: "x".repeat(141) },
        { task: "x".repeat(129) },
        { environment: "x".repeat(256) },
        { environment: "" },
        { payload: "x".repeat(64 * 1024) }
      ])
        assert.strictEqual((yield* create({ ref: "main", ...more })).status, 422, Object.keys(more).join())
    })
  )

  it.effect("merge the default branch first, and need the checks", () =>
    Effect.gen(function* () {
      const { ask, base, create, get } = yield* prepare
      const at = `${base}/merges`
      const deploy = (body: object) => create(body, `${at}/deployments`)
      const conflict = yield* deploy({ ref: "conflict" })
      assert.deepStrictEqual([conflict.status, conflict.json.message], [409, "Conflict merging main into conflict."])
      const merged = yield* deploy({ ref: "topic" })
      assert.deepStrictEqual(
        [merged.status, merged.json],
        [202, { message: "Auto-merged main into topic on deployment." }]
      )
      assert.strictEqual((yield* deploy({ ref: "topic" })).status, 201)
      assert.strictEqual((yield* deploy({ ref: "conflict", auto_merge: false })).status, 201)
      const sha: string = (yield* get(`${at}/commits/main`)).json.sha
      const status = (state: string, context: string) =>
        ask("POST", `${at}/statuses/${sha}`, { body: { state, context } })
      yield* status("success", "ci")
      yield* status("pending", "lint")
      const failed = yield* deploy({ ref: "main" })
      assert.deepStrictEqual(
        [failed.status, failed.json.message],
        [409, "Conflict: Commit status checks failed for main."]
      )
      assert.strictEqual((yield* deploy({ ref: "main", required_contexts: ["ci"] })).status, 201)
      assert.strictEqual((yield* deploy({ ref: "main", required_contexts: ["other"] })).status, 409)
      assert.strictEqual((yield* deploy({ ref: "main", required_contexts: [] })).status, 201)
    })
  )

  it.effect("have statuses, of which a success makes earlier deployments inactive", () =>
    Effect.gen(function* () {
      const { create, deployments, get, report } = yield* prepare
      const add = Effect.map(create({ ref: "main", environment: "staging" }), ({ json }): number => json.id)
      const [first, second] = [yield* add, yield* add]
      const made = yield* report(first, "success", { target_url: "https://a.test/log", description: "done" })
      assert.strictEqual(made.status, 201, made.text)
      assert.deepInclude(made.json, {
        state: "success",
        log_url: "https://a.test/log",
        target_url: "https://a.test/log",
        environment: "staging",
        environment_url: ""
      })
      assert.deepStrictEqual((yield* get(made.json.url.replace(/^.*(?=\/repos)/, ""))).json, made.json)
      const states = Effect.fnUntraced(function* (id: number) {
        const { json } = yield* get(`${deployments}/${id}/statuses`)
        return json.map(({ state }: { readonly state: string }) => state)
      })
      yield* report(second, "success", { auto_inactive: false })
      assert.deepStrictEqual(yield* states(first), ["success"])
      yield* report(second, "success")
      assert.deepStrictEqual(yield* states(first), ["inactive", "success"])
      assert.deepStrictEqual(yield* states(second), ["success", "success"])
      assert.strictEqual((yield* report(first, "unknown")).status, 422)
      assert.strictEqual((yield* report(first, "success", { description: "x".repeat(141) })).status, 422)
      assert.strictEqual((yield* report(first, "success", { log_url: "javascript:1" })).status, 422)
      assert.strictEqual((yield* report(first, "queued", { environment: "moved" })).status, 201)
      assert.strictEqual((yield* get(`${deployments}/${first}`)).json.environment, "moved")
    })
  )

  it.effect("are deleted unless active", () =>
    Effect.gen(function* () {
      const { ask, create, deployments, report } = yield* prepare
      const add = Effect.map(create({ ref: "main", environment: "gone" }), ({ json }): number => json.id)
      const [first, second] = [yield* add, yield* add]
      yield* report(first, "success")
      const refused = yield* ask("DELETE", `${deployments}/${first}`)
      assert.strictEqual(refused.status, 422)
      assert.match(refused.json.message, /active deployment unless it is the only deployment/)
      yield* report(first, "inactive")
      assert.strictEqual((yield* ask("DELETE", `${deployments}/${first}`)).status, 204)
      assert.strictEqual((yield* ask("DELETE", `${deployments}/${second}`)).status, 204)
      assert.strictEqual((yield* ask("DELETE", `${deployments}/${second}`)).status, 404)
    })
  )

  it.effect("are announced to webhooks, with their statuses", () =>
    Effect.gen(function* () {
      const { ask, base, create, report } = yield* prepare
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const events = ["deployment", "deployment_status"]
      const hook = yield* ask("POST", `${base}/hello/hooks`, { body: { config, events } })
      const { json } = yield* create({ ref: "main", environment: "hooked" })
      const status = yield* report(json.id, "success")
      yield* report(json.id, "inactive")
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ readonly event: string; readonly payload: string }>`
        SELECT event, payload FROM deliveries WHERE hook_id = ${hook.json.id} AND event <> 'ping' ORDER BY id`
      const [created, reported, ...others] = sent.map(({ event, payload }) => ({ event, ...JSON.parse(payload) }))
      assert.deepInclude(created, { event: "deployment", action: "created", deployment: json })
      assert.deepInclude(reported, { event: "deployment_status", action: "created", deployment_status: status.json })
      assert.isEmpty(others)
    })
  )

  it.effect("are for people who can write", () =>
    Effect.gen(function* () {
      const { ask, create, deployments, token, user } = yield* prepare
      const { json } = yield* create({ ref: "main" })
      const reader = yield* token({ userId: yield* user({ login: "reader" }), kind: "classic", scopes: ["repo"] })
      const path = `${deployments}/${json.id}`
      assert.strictEqual((yield* ask("GET", path, { token: null })).status, 200)
      for (const [method, at, body] of [
        ["POST", deployments, { ref: "main" }],
        ["DELETE", path, undefined],
        ["POST", `${path}/statuses`, { state: "success" }]
      ] as const) {
        assert.strictEqual((yield* ask(method, at, { token: reader, body })).status, 403)
        assert.strictEqual((yield* ask(method, at, { token: null, body })).status, 401)
      }
    })
  )
})
