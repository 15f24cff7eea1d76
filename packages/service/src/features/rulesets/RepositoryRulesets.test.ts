import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { forge, pattern, setUp } from "./RulesetForge.test-support.ts"

const prepare = Effect.gen(function* () {
  const made = yield* setUp
  const at = `/repos/${made.org}/hello`
  const as = (token: string) => (method: string, path: string, body?: unknown) =>
    made.ask(method, path, { token, ...(body === undefined ? {} : { body }) })
  return { ...made, as, at, own: `${at}/rulesets` }
})

const main = { ref_name: { include: ["refs/heads/main"], exclude: [] } }

layer(forge, { excludeTestServices: true })("rulesets of repositories", (it) => {
  it.effect("are created, changed and deleted, and refuse changes of their repository", () =>
    Effect.gen(function* () {
      const { as, at, create, first, get, org, own } = yield* prepare
      const max = as("olga")
      const body = { name: "no tags", target: "tag", enforcement: "active", rules: [{ type: "creation" }] }
      const all = { ref_name: { include: ["~ALL"], exclude: [] } }
      const made = yield* max("POST", own, { ...body, conditions: all })
      assert.strictEqual(made.status, 201, made.text)
      assert.deepInclude(made.json, {
        ...body,
        conditions: all,
        source: `${org}/hello`,
        source_type: "Repository",
        current_user_can_bypass: "never",
        bypass_actors: []
      })
      const path = `${own}/${made.json.id}`
      assert.strictEqual(made.json._links.self.href, `http://forge.localhost${path}`)
      assert.strictEqual((yield* create("tags/v1", first)).status, 422)
      assert.strictEqual((yield* max("POST", own, body)).json.errors[0].code, "already_exists")
      const changed = yield* max("PUT", path, { enforcement: "disabled", name: "tags" })
      assert.deepInclude(changed.json, { name: "tags", enforcement: "disabled", target: "tag", conditions: all })
      assert.strictEqual((yield* create("tags/v1", first)).status, 201)
      assert.strictEqual((yield* as("mia")("PUT", path, { enforcement: "active" })).status, 403)
      const seen = (yield* get(path, { token: "mia" })).json
      assert.notProperty(seen, "bypass_actors")
      assert.strictEqual((yield* max("DELETE", path)).status, 204)
      assert.strictEqual((yield* get(path, { token: "olga" })).status, 404)
      assert.strictEqual((yield* max("DELETE", path)).status, 404)
      assert.strictEqual((yield* get(`${at}/rulesets`, { token: "mia" })).json.length, 0)
    })
  )

  it.effect("are listed with those of the organization that select the repository", () =>
    Effect.gen(function* () {
      const { add, as, at, get, org, own } = yield* prepare
      const parent = yield* add([{ type: "deletion" }], { name: "parent" })
      yield* add([{ type: "deletion" }], {
        name: "elsewhere",
        conditions: { ...main, repository_name: { include: ["other"] } }
      })
      const rules = [{ type: "non_fast_forward" }, { type: "required_linear_history" }]
      const child = yield* as("olga")("POST", own, { name: "own", enforcement: "active", conditions: main, rules })
      const names = (query: string) =>
        Effect.map(get(`${own}${query}`, { token: "mia" }), ({ json }) =>
          json.map(({ name, source_type }: Record<string, string>) => `${name} ${source_type}`)
        )
      assert.deepStrictEqual(yield* names(""), ["own Repository", "parent Organization"])
      assert.deepStrictEqual(yield* names("?includes_parents=false"), ["own Repository"])
      assert.deepStrictEqual(yield* names("?per_page=1&page=2"), ["parent Organization"])
      assert.deepStrictEqual(yield* names("?targets=tag"), [])
      assert.strictEqual((yield* get(`${own}/${parent.id}`, { token: "mia" })).json.source, org)
      assert.strictEqual((yield* get(`${own}/${parent.id}?includes_parents=false`, { token: "mia" })).status, 404)
      const info = { ruleset_source_type: "Repository", ruleset_source: `${org}/hello`, ruleset_id: child.json.id }
      const ofParent = { ruleset_source_type: "Organization", ruleset_source: org, ruleset_id: parent.id }
      const branch = (name: string) =>
        Effect.map(get(`${at}/rules/branches/${name}`, { token: "mia" }), ({ json }) => json)
      assert.deepStrictEqual(yield* branch("main"), [
        { type: "deletion", ...ofParent },
        { type: "non_fast_forward", ...info },
        { type: "required_linear_history", ...info }
      ])
      assert.deepStrictEqual(yield* branch("feature/new"), [{ type: "deletion", ...ofParent }])
      assert.isTrue((yield* get(`${at}/branches/main`, { token: "mia" })).json.protected)
    })
  )

  it.effect("keep their versions, and announce their changes", () =>
    Effect.gen(function* () {
      const { add, as, at, get, org, own, rulesets } = yield* prepare
      const admin = as("olga")
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const hook = yield* admin("POST", `${at}/hooks`, { config, events: ["repository_ruleset"] })
      assert.strictEqual(hook.status, 201, hook.text)
      const { id } = (yield* admin("POST", own, { name: "a", enforcement: "active", rules: [] })).json
      yield* admin("PUT", `${own}/${id}`, { name: "b", rules: [{ type: "deletion" }] })
      const versions = (yield* get(`${own}/${id}/history`, { token: "olga" })).json
      assert.lengthOf(versions, 2)
      const { id: olga } = (yield* get("/users/olga")).json
      assert.deepStrictEqual(versions[1].actor, { id: olga, type: "User" })
      const read = (version: number) => get(`${own}/${id}/history/${version}`, { token: "olga" })
      assert.deepInclude((yield* read(versions[1].version_id)).json.state, { id, name: "a", rules: [] })
      assert.deepInclude((yield* read(versions[0].version_id)).json.state, {
        name: "b",
        source: `${org}/hello`,
        rules: [{ type: "deletion" }]
      })
      assert.strictEqual((yield* read(999_999)).status, 404)
      yield* admin("DELETE", `${own}/${id}`)
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ readonly payload: string }>`
        SELECT payload FROM deliveries WHERE hook_id = ${hook.json.id} AND event = 'repository_ruleset' ORDER BY id`
      const payloads = sent.map(({ payload }) => JSON.parse(payload))
      assert.deepStrictEqual(
        payloads.map(({ action, repository_ruleset: { name } }) => `${action} ${name}`),
        ["created a", "edited b", "deleted b"]
      )
      assert.deepStrictEqual(payloads[1].changes, {
        name: { from: "a" },
        rules: { added: [{ type: "deletion" }], deleted: [], updated: [] }
      })
      const parent = yield* add([{ type: "creation" }], { name: "parent" })
      const updated = yield* admin("PUT", `${rulesets}/${parent.id}`, { enforcement: "disabled" })
      assert.deepInclude(updated.json, { name: "parent", enforcement: "disabled", rules: [{ type: "creation" }] })
      const history = (yield* get(`${rulesets}/${parent.id}/history`, { token: "olga" })).json
      const [{ version_id }] = history
      const { state } = (yield* get(`${rulesets}/${parent.id}/history/${version_id}`, { token: "olga" })).json
      assert.strictEqual(state.enforcement, "disabled")
    })
  )

  it.effect("can be bypassed by teams, and tell the caller so", () =>
    Effect.gen(function* () {
      const { as, at, create, first, get, load, org, own } = yield* prepare
      yield* load({
        teams: [
          { organization: org, name: "all", members: [] },
          { organization: org, name: "releases", parent: "all", members: [{ login: "mia" }] }
        ]
      })
      const { id } = (yield* get(`/orgs/${org}/teams/all`, { token: "olga" })).json
      const conditions = { ref_name: { include: ["~ALL"], exclude: [] } }
      const team = (bypass_mode: string) => [{ actor_id: id, actor_type: "Team", bypass_mode }]
      const body = { name: "teams", enforcement: "active", conditions, rules: [{ type: "creation" }] }
      const made = yield* as("olga")("POST", own, { ...body, bypass_actors: team("always") })
      assert.strictEqual(made.status, 201, made.text)
      assert.strictEqual((yield* create("heads/a", first, "max")).status, 422)
      assert.strictEqual((yield* create("heads/a", first, "mia")).status, 201)
      const mine = Effect.map(
        get(`${own}/${made.json.id}`, { token: "mia" }),
        ({ json }) => json.current_user_can_bypass
      )
      assert.strictEqual(yield* mine, "always")
      yield* as("olga")("PUT", `${own}/${made.json.id}`, { bypass_actors: team("pull_request") })
      assert.strictEqual(yield* mine, "pull_requests_only")
      assert.strictEqual((yield* create("heads/b", first, "mia")).status, 422)
      const unknown = yield* as("olga")("PUT", `${own}/${made.json.id}`, {
        bypass_actors: [{ actor_id: 999_999, actor_type: "Team" }]
      })
      assert.strictEqual(unknown.json.errors[0].field, "bypass_actors.0.actor_id")
      const wrong = yield* as("olga")("PUT", `${own}/${made.json.id}`, {
        rules: [pattern("tag_name_pattern", { operator: "contains", pattern: "x" })]
      })
      assert.strictEqual(wrong.json.errors[0].field, "rules.0.type")
      assert.strictEqual((yield* get(`${at}/rulesets/${made.json.id}`, { token: "olga" })).json.rules.length, 1)
    })
  )
})
