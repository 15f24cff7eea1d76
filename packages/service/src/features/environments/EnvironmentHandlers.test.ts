import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => void Support.repository(repos, "hello"))

const prepare = Effect.gen(function* () {
  const { ask, base, get, owner, repos, token, user } = yield* TestForge
  const environments = `${base}/hello/environments`
  const put = (name: string, body?: object) => ask("PUT", `${environments}/${name}`, { body })
  return { ask, base, environments, get, owner, put, repos, token, user }
})

layer(forge)("environments", (it) => {
  it.effect("are created with protection rules, replaced, listed and deleted", () =>
    Effect.gen(function* () {
      const { ask, environments, get, put, user } = yield* prepare
      const id = yield* user({ login: "guest" })
      const keeper = (yield* get("/user")).json
      assert.deepInclude((yield* put("plain")).json, {
        name: "plain",
        protection_rules: [],
        deployment_branch_policy: null
      })
      const made = yield* put("Prod", {
        wait_timer: 30,
        prevent_self_review: true,
        reviewers: [{ type: "User", id: keeper.id }],
        deployment_branch_policy: { protected_branches: true, custom_branch_policies: false }
      })
      assert.strictEqual(made.status, 200, made.text)
      const [timer, reviewers, policy] = made.json.protection_rules
      assert.deepInclude(timer, { type: "wait_timer", wait_timer: 30 })
      assert.deepInclude(reviewers, { type: "required_reviewers", prevent_self_review: true })
      assert.strictEqual(reviewers.reviewers[0].reviewer.login, keeper.login)
      assert.strictEqual(policy.type, "branch_policy")
      assert.deepStrictEqual((yield* get(`${environments}/prod`)).json, made.json)
      const listed = (yield* get(environments)).json
      assert.deepStrictEqual([listed.total_count, listed.environments[1]], [2, made.json])
      assert.isAtMost(yield* Support.statements(get(`${environments}?per_page=100&page=1`)), 3)
      const reset = (yield* put("prod", {})).json
      assert.deepStrictEqual([reset.id, reset.name, reset.protection_rules], [made.json.id, "Prod", []])
      // `guest` cannot be a reviewer of a private repository, and everyone can be one of a public repository.
      const both = { protected_branches: true, custom_branch_policies: true }
      for (const body of [
        { wait_timer: 43_201 },
        { deployment_branch_policy: both },
        { reviewers: [{ type: "User", id: 999_999 }] },
        { reviewers: [{ type: "Team", id }] },
        { reviewers: [{ type: "User" }] }
      ])
        assert.strictEqual((yield* put("prod", body)).status, 422, JSON.stringify(body))
      assert.strictEqual((yield* put("x".repeat(256))).status, 422)
      assert.strictEqual((yield* ask("DELETE", `${environments}/PROD`)).status, 204)
      assert.strictEqual((yield* get(`${environments}/prod`)).status, 404)
    })
  )

  it.effect("have branch policies if they are set so", () =>
    Effect.gen(function* () {
      const { ask, environments, get, put } = yield* prepare
      yield* put("policies")
      const policies = `${environments}/policies/deployment-branch-policies`
      const create = (name: string, type?: string) =>
        ask("POST", policies, { body: { name, ...(type === undefined ? {} : { type }) } })
      assert.strictEqual((yield* create("release/*")).status, 404)
      yield* put("policies", { deployment_branch_policy: { protected_branches: false, custom_branch_policies: true } })
      const made = yield* create("release/*")
      assert.deepInclude(made.json, { name: "release/*", type: "branch" })
      assert.deepStrictEqual((yield* create("release/*")).json, made.json)
      const tag = (yield* create("v*", "tag")).json
      assert.deepStrictEqual((yield* get(policies)).json, { total_count: 2, branch_policies: [made.json, tag] })
      const path = `${policies}/${made.json.id}`
      assert.strictEqual((yield* ask("PUT", path, { body: { name: "main" } })).json.name, "main")
      assert.strictEqual((yield* get(path)).json.name, "main")
      assert.strictEqual((yield* ask("DELETE", path)).status, 204)
      assert.strictEqual((yield* get(path)).status, 404)
    })
  )

  it.effect("have custom rules of apps that may write deployments", () =>
    Effect.gen(function* () {
      const { ask, environments, get, owner, put, repos } = yield* prepare
      yield* Fixtures.add(
        {
          apps: [{ slug: "gate" }, { slug: "reader" }],
          installations: [
            { app_slug: "gate", account: owner, permissions: { deployments: "write" } },
            { app_slug: "reader", account: owner, permissions: { deployments: "read" } }
          ]
        },
        repos
      )
      yield* put("gated")
      const rules = `${environments}/gated/deployment_protection_rules`
      const apps = (yield* get(`${rules}/apps`)).json
      assert.strictEqual(apps.total_count, 1)
      const [app] = apps.available_custom_deployment_protection_rule_integrations
      assert.strictEqual(app.slug, "gate")
      const made = yield* ask("POST", rules, { body: { integration_id: app.id } })
      assert.deepStrictEqual([made.status, made.json.enabled, made.json.app], [201, true, app])
      assert.strictEqual((yield* ask("POST", rules, { body: { integration_id: app.id + 1 } })).status, 422)
      assert.deepStrictEqual((yield* get(rules)).json.custom_deployment_protection_rules, [made.json])
      const path = `${rules}/${made.json.id}`
      assert.deepStrictEqual((yield* get(path)).json, made.json)
      assert.strictEqual((yield* ask("DELETE", path)).status, 204)
      assert.strictEqual((yield* get(path)).status, 404)
    })
  )

  it.effect("are readable by everyone, and set by administrators", () =>
    Effect.gen(function* () {
      const { ask, environments, put, token, user } = yield* prepare
      yield* put("rights")
      const at = `${environments}/rights`
      const reader = yield* token({ userId: yield* user({ login: "reader" }), kind: "classic", scopes: ["repo"] })
      assert.strictEqual((yield* ask("GET", at, { token: null })).status, 200)
      assert.strictEqual((yield* ask("PUT", at, { token: reader })).status, 403)
      assert.strictEqual((yield* ask("DELETE", at, { token: reader })).status, 403)
      assert.strictEqual((yield* ask("DELETE", at, { token: null })).status, 401)
    })
  )
})
