import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { forge, setUp } from "../rulesets/RulesetForge.test-support.ts"

/** A repository with the branches `main` and `release`, of which the owner protects the second one. */
const prepare = Effect.gen(function* () {
  const made = yield* setUp
  const at = `/repos/${made.org}/hello`
  yield* made.create("heads/release", made.second)
  const protection = `${at}/branches/release/protection`
  const as = (token: string) => (method: string, path: string, body?: unknown) =>
    made.ask(method, path, { token, ...(body === undefined ? {} : { body }) })
  const none = {
    required_status_checks: null,
    enforce_admins: null,
    required_pull_request_reviews: null,
    restrictions: null
  }
  const protect = (settings: object = {}) =>
    Effect.tap(as("olga")("PUT", protection, { ...none, ...settings }), ({ status, text }) =>
      Effect.sync(() => assert.strictEqual(status, 200, text))
    )
  return { ...made, as, at, protection, none, olga: as("olga"), protect }
})

layer(forge, { excludeTestServices: true })("branch protection", (it) => {
  it.effect("is set, read and deleted", () =>
    Effect.gen(function* () {
      const { as, at, get, none, olga, protect, protection } = yield* prepare
      assert.strictEqual((yield* olga("GET", protection)).json.message, "Branch not protected")
      const missing = yield* olga("PUT", `${at}/branches/missing/protection`, none)
      assert.deepStrictEqual([missing.status, missing.json.message], [404, "Branch not found"])
      const made = yield* protect({
        required_status_checks: { strict: true, contexts: ["ci"], checks: [{ context: "lint", app_id: 3 }] },
        required_pull_request_reviews: { required_approving_review_count: 2, dismiss_stale_reviews: true },
        restrictions: { users: ["mia"], teams: [] },
        required_linear_history: true,
        lock_branch: true,
        // PyGithub sends null for what is not set.
        allow_deletions: null,
        block_creations: null
      })
      const { json } = made
      assert.deepStrictEqual((yield* olga("GET", protection)).json, json)
      const url = `http://forge.localhost${protection}`
      assert.strictEqual(json.url, url)
      assert.deepInclude(json.required_status_checks, {
        strict: true,
        contexts: ["lint", "ci"],
        checks: [
          { context: "lint", app_id: 3 },
          { context: "ci", app_id: null }
        ],
        contexts_url: `${url}/required_status_checks/contexts`
      })
      assert.deepInclude(json.required_pull_request_reviews, {
        required_approving_review_count: 2,
        dismiss_stale_reviews: true,
        require_code_owner_reviews: false
      })
      assert.strictEqual(json.restrictions.users[0].login, "mia")
      assert.deepStrictEqual(json.required_linear_history, { enabled: true })
      assert.deepStrictEqual(json.allow_force_pushes, { enabled: false })
      assert.deepStrictEqual(json.allow_deletions, { enabled: false })
      const branch = (yield* get(`${at}/branches/release`, { token: "mia" })).json
      assert.isTrue(branch.protected)
      assert.deepStrictEqual(branch.protection, {
        enabled: true,
        required_status_checks: {
          enforcement_level: "non_admins",
          contexts: ["lint", "ci"],
          checks: json.required_status_checks.checks
        }
      })
      const names = (query: string) =>
        Effect.map(get(`${at}/branches?protected=${query}`, { token: "mia" }), ({ json }) =>
          json.map(({ name }: { readonly name: string }) => name)
        )
      assert.deepStrictEqual(yield* names("true"), ["release"])
      assert.deepStrictEqual(yield* names("false"), ["main"])
      for (const [method, body] of [
        ["GET", undefined],
        ["PUT", none],
        ["DELETE", undefined]
      ] as const) {
        assert.strictEqual((yield* as("mia")(method, protection, body)).status, 403, method)
      }
      assert.strictEqual((yield* olga("DELETE", protection)).status, 204)
      assert.strictEqual((yield* olga("DELETE", protection)).status, 404)
      assert.deepStrictEqual(yield* names("true"), [])
      const unknown = yield* olga("PUT", protection, { ...none, restrictions: { users: ["nobody"], teams: [] } })
      assert.deepStrictEqual([unknown.status, unknown.json.message], [422, 'Validation Failed: No user "nobody"'])
    })
  )

  it.effect("has parts that are changed one by one", () =>
    Effect.gen(function* () {
      const { protection, olga, protect } = yield* prepare
      const checks = `${protection}/required_status_checks`
      yield* protect()
      assert.strictEqual((yield* olga("GET", checks)).json.message, "Required status checks not enabled")
      assert.strictEqual(
        (yield* olga("GET", `${protection}/restrictions`)).json.message,
        "Push restrictions not enabled"
      )
      for (const part of ["enforce_admins", "required_signatures"]) {
        const enabled = Effect.map(olga("GET", `${protection}/${part}`), ({ json }) => json.enabled)
        assert.isFalse(yield* enabled)
        assert.deepStrictEqual((yield* olga("POST", `${protection}/${part}`)).json, {
          url: `http://forge.localhost${protection}/${part}`,
          enabled: true
        })
        assert.isTrue(yield* enabled)
        assert.strictEqual((yield* olga("DELETE", `${protection}/${part}`)).status, 204)
        assert.isFalse(yield* enabled)
      }
      yield* protect({ required_status_checks: { strict: false, contexts: [], checks: [{ context: "a", app_id: 5 }] } })
      const contexts = `${checks}/contexts`
      assert.deepStrictEqual((yield* olga("POST", contexts, { contexts: ["b", "a"] })).json, ["a", "b"])
      assert.deepStrictEqual((yield* olga("GET", checks)).json.checks, [
        { context: "a", app_id: 5 },
        { context: "b", app_id: null }
      ])
      assert.deepStrictEqual((yield* olga("DELETE", contexts, ["a"])).json, ["b"])
      assert.deepStrictEqual((yield* olga("PUT", contexts, { contexts: ["c", "d"] })).json, ["c", "d"])
      assert.deepInclude((yield* olga("PATCH", checks, { strict: true })).json, { strict: true, contexts: ["c", "d"] })
      assert.deepStrictEqual((yield* olga("GET", contexts)).json, ["c", "d"])
      assert.strictEqual((yield* olga("PATCH", checks, { contexts: [""] })).status, 422)
      assert.strictEqual((yield* olga("DELETE", checks)).status, 204)
      assert.strictEqual((yield* olga("GET", checks)).status, 404)

      const reviews = `${protection}/required_pull_request_reviews`
      assert.strictEqual((yield* olga("GET", reviews)).status, 404)
      const changed = yield* olga("PATCH", reviews, {
        require_last_push_approval: true,
        bypass_pull_request_allowances: { users: ["max"] }
      })
      assert.deepInclude(changed.json, { required_approving_review_count: 1, require_last_push_approval: true })
      assert.strictEqual(changed.json.bypass_pull_request_allowances.users[0].login, "max")
      assert.deepStrictEqual((yield* olga("GET", reviews)).json, changed.json)
      assert.strictEqual((yield* olga("PATCH", reviews, { required_approving_review_count: 7 })).status, 422)
      assert.strictEqual((yield* olga("DELETE", reviews)).status, 204)
      assert.strictEqual((yield* olga("GET", reviews)).status, 404)
    })
  )

  it.effect("restricts pushes to people, teams and apps", () =>
    Effect.gen(function* () {
      const { load, protection, olga, org, protect } = yield* prepare
      yield* load({ teams: [{ organization: org, name: "lamp", members: [] }], apps: [{ slug: "robot", id: 4 }] })
      yield* protect({ restrictions: { users: [], teams: [] } })
      const at = `${protection}/restrictions`
      const names = ({ json }: { readonly json: ReadonlyArray<Record<string, string>> }) =>
        json.map(({ login, slug }) => login ?? slug)
      assert.deepStrictEqual(names(yield* olga("POST", `${at}/users`, { users: ["mia", "max"] })), ["mia", "max"])
      assert.deepStrictEqual(names(yield* olga("DELETE", `${at}/users`, { users: ["mia"] })), ["max"])
      assert.deepStrictEqual(names(yield* olga("PUT", `${at}/users`, ["olga"])), ["olga"])
      assert.deepStrictEqual(names(yield* olga("POST", `${at}/teams`, { teams: ["lamp"] })), ["lamp"])
      assert.deepStrictEqual(names(yield* olga("PUT", `${at}/apps`, { apps: ["robot"] })), ["robot"])
      const { json } = yield* olga("GET", at)
      assert.deepStrictEqual([json.users[0].login, json.teams[0].slug, json.apps[0].slug], ["olga", "lamp", "robot"])
      for (const [kind, name] of Object.entries({ users: "olga", teams: "lamp", apps: "robot" })) {
        assert.deepStrictEqual(names(yield* olga("GET", `${at}/${kind}`)), [name])
        assert.strictEqual((yield* olga("POST", `${at}/${kind}`, { [kind]: ["unknown"] })).status, 422)
      }
      assert.strictEqual((yield* olga("DELETE", at)).status, 204)
      assert.strictEqual((yield* olga("GET", `${at}/users`)).status, 404)
    })
  )

  it.effect("refuses changes, except to those that may bypass it", () =>
    Effect.gen(function* () {
      const { first, move, protect, remove, second } = yield* prepare
      yield* protect()
      const refused = yield* move("heads/release", first, true, "olga")
      assert.strictEqual(refused.status, 422)
      assert.include(refused.json.message, 'branch protection "release", rule non_fast_forward')
      assert.include((yield* remove("heads/release", "olga")).json.message, "rule deletion")
      yield* protect({ allow_force_pushes: true, lock_branch: true })
      assert.include((yield* move("heads/release", first, true)).json.message, "Cannot change this locked branch.")
      assert.strictEqual((yield* move("heads/release", first, true, "olga")).status, 200)
      yield* protect({ lock_branch: true, enforce_admins: true })
      assert.strictEqual((yield* move("heads/release", second, false, "olga")).status, 422)
      yield* protect({ restrictions: { users: ["max"], teams: [] }, enforce_admins: true, allow_force_pushes: true })
      assert.include(
        (yield* move("heads/release", second)).json.message,
        "You're not authorized to push to this branch."
      )
      assert.strictEqual((yield* move("heads/release", second, false, "max")).status, 200)
      assert.strictEqual((yield* move("heads/release", first, true, "olga")).status, 200)
      yield* protect({ required_pull_request_reviews: { bypass_pull_request_allowances: { users: ["max"] } } })
      assert.include(
        (yield* move("heads/release", second)).json.message,
        "Changes must be made through a pull request."
      )
      assert.strictEqual((yield* move("heads/release", second, false, "max")).status, 200)
    })
  )

  it.effect("is announced to webhooks, and moves with its branch", () =>
    Effect.gen(function* () {
      const { as, at, protection, none, olga, protect } = yield* prepare
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const events = ["branch_protection_rule", "branch_protection_configuration"]
      const hook = yield* olga("POST", `${at}/hooks`, { config, events })
      yield* protect({ restrictions: { users: ["mia"], teams: [] } })
      yield* protect({ enforce_admins: true })
      assert.strictEqual((yield* as("mia")("POST", `${at}/branches/release/rename`, { new_name: "trunk" })).status, 403)
      const renamed = yield* olga("POST", `${at}/branches/release/rename`, { new_name: "trunk" })
      assert.strictEqual(renamed.status, 201, renamed.text)
      assert.isTrue(renamed.json.protected)
      assert.strictEqual((yield* olga("GET", protection)).status, 404)
      yield* olga("DELETE", `${at}/branches/trunk/protection`)
      assert.strictEqual((yield* olga("PUT", `${at}/branches/trunk/protection`, none)).status, 200)
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ readonly event: string; readonly payload: string }>`
        SELECT event, payload FROM deliveries WHERE hook_id = ${hook.json.id} AND event <> 'ping' ORDER BY id`
      const payloads = sent.map(({ event, payload }) => ({ event, ...JSON.parse(payload) }))
      assert.deepStrictEqual(
        payloads.map(({ action, event }) => `${event.replace("branch_protection_", "")} ${action}`),
        [
          "rule created",
          "configuration enabled",
          "rule edited",
          "rule deleted",
          "configuration disabled",
          "rule created",
          "configuration enabled"
        ]
      )
      assert.deepInclude(payloads[0].rule, { name: "release", authorized_actor_names: ["mia"], admin_enforced: false })
      assert.deepStrictEqual(payloads[2].changes, {
        admin_enforced: { from: false },
        authorized_actor_names: { from: ["mia"] },
        authorized_actors_only: { from: true }
      })
    })
  )
})
