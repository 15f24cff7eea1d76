import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const rows = {
  users: [{ login: "olga" }, { login: "mia" }, { login: "stranger" }],
  organizations: [{ login: "acme", members: [{ login: "olga", role: "owner" }, { login: "mia" }] }],
  repositories: ["acme/web", "acme/api", "acme/hidden"].map((full_name) => ({
    full_name,
    private: full_name.endsWith("hidden")
  })),
  collaborators: [{ repository: "acme/web", login: "mia", permission: "admin" }],
  tokens: [
    { token: "olga", user: "olga", scopes: ["repo", "admin:org"] },
    { token: "mia", user: "mia", scopes: ["repo", "read:org"] },
    { token: "stranger", user: "stranger", scopes: ["repo", "admin:org"] }
  ]
}

const SCHEMA = "/orgs/acme/properties/schema"
const VALUES = "/orgs/acme/properties/values"
const WEB = "/repos/acme/web/properties/values"

const tier = { value_type: "single_select", allowed_values: ["gold", "silver"] }

const prepare = Effect.gen(function* () {
  const { ask, get, repos } = yield* TestForge
  yield* Fixtures.add(rows, repos)
  const as = (token: string) => (method: string, path: string, body?: unknown) => ask(method, path, { token, body })
  yield* as("olga")("PATCH", SCHEMA, {
    properties: [
      { property_name: "tier", ...tier },
      { property_name: "team", value_type: "string", values_editable_by: "org_and_repo_actors" }
    ]
  })
  return { as, get, olga: as("olga") }
})

const problem = ({ json, status }: Support.Answer) => [status, json?.errors?.[0]?.field]

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("custom properties", (it) => {
  it.effect("are defined by owners and read by members", () =>
    Effect.gen(function* () {
      const { as, olga } = yield* prepare
      const made = yield* olga("PUT", `${SCHEMA}/live`, {
        value_type: "true_false",
        required: true,
        default_value: "false",
        description: "In use"
      })
      assert.deepStrictEqual(
        [made.status, made.json],
        [
          200,
          {
            property_name: "live",
            url: `http://forge.localhost${SCHEMA}/live`,
            source_type: "organization",
            value_type: "true_false",
            required: true,
            default_value: "false",
            description: "In use",
            allowed_values: null,
            values_editable_by: "org_actors",
            require_explicit_values: false
          }
        ]
      )
      assert.deepStrictEqual((yield* as("mia")("GET", `${SCHEMA}/LIVE`)).json, made.json)
      const listed = yield* as("mia")("GET", SCHEMA)
      assert.deepStrictEqual(
        listed.json.map((one: { property_name: string }) => one.property_name),
        ["live", "team", "tier"]
      )
      assert.strictEqual((yield* as("mia")("PUT", `${SCHEMA}/other`, tier)).status, 403)
      for (const path of [SCHEMA, `${SCHEMA}/live`, VALUES])
        assert.strictEqual((yield* as("stranger")("GET", path)).status, 403, path)
      assert.strictEqual((yield* olga("DELETE", `${SCHEMA}/live`)).status, 204)
      assert.strictEqual((yield* olga("DELETE", `${SCHEMA}/live`)).status, 404)
    })
  )

  it.effect("refuse invalid definitions and values", () =>
    Effect.gen(function* () {
      const { olga } = yield* prepare
      const set = (name: string, body: object) => Effect.map(olga("PUT", `${SCHEMA}/${name}`, body), problem)
      const text = { value_type: "string" }
      assert.deepStrictEqual(yield* set("a%20b", text), [422, "property_name"])
      assert.deepStrictEqual(yield* set("x".repeat(76), text), [422, "property_name"])
      assert.deepStrictEqual(yield* set("x", { value_type: "single_select" }), [422, "allowed_values"])
      assert.deepStrictEqual(yield* set("x", { ...text, allowed_values: ["a"] }), [422, "allowed_values"])
      assert.deepStrictEqual(yield* set("x", { ...tier, allowed_values: ["a", "a"] }), [422, "allowed_values"])
      assert.deepStrictEqual(yield* set("x", { ...tier, allowed_values: ['"'] }), [422, "allowed_values"])
      assert.deepStrictEqual(yield* set("x", { ...text, required: true }), [422, "default_value"])
      assert.deepStrictEqual(yield* set("x", { ...text, default_value: "a" }), [422, "default_value"])
      assert.deepStrictEqual(yield* set("x", { ...tier, required: true, default_value: "tin" }), [422, "value"])
      assert.deepStrictEqual(yield* set("tier", text), [422, "value_type"])
      yield* olga("PUT", `${SCHEMA}/home`, { value_type: "url" })
      const value = (property_name: string, value: unknown) =>
        Effect.map(olga("PATCH", WEB, { properties: [{ property_name, value }] }), problem)
      assert.deepStrictEqual(yield* value("none", "x"), [422, "property_name"])
      assert.deepStrictEqual(yield* value("tier", "tin"), [422, "value"])
      assert.deepStrictEqual(yield* value("tier", ["gold"]), [422, "value"])
      assert.deepStrictEqual(yield* value("team", ""), [422, "value"])
      assert.deepStrictEqual(yield* value("home", "javascript:alert(1)"), [422, "value"])
      assert.strictEqual((yield* value("home", "https://example.com/a"))[0], 204)
    })
  )

  it.effect("have values, with defaults of required properties", () =>
    Effect.gen(function* () {
      const { get, olga } = yield* prepare
      yield* olga("PUT", `${SCHEMA}/langs`, { value_type: "multi_select", allowed_values: ["go", "js"] })
      yield* olga("PUT", `${SCHEMA}/live`, { value_type: "true_false", required: true, default_value: "false" })
      const values = [
        { property_name: "langs", value: ["js"] },
        { property_name: "tier", value: "gold" }
      ]
      const set = yield* olga("PATCH", VALUES, { repository_names: ["web", "hidden"], properties: values })
      assert.strictEqual(set.status, 204, set.text)
      const all = { langs: ["js"], live: "false", tier: "gold" }
      const own = (yield* get("/repos/acme/web")).json.custom_properties
      assert.deepStrictEqual(own, { ...own, ...all })
      const listed = yield* olga("GET", VALUES)
      assert.deepStrictEqual(
        listed.json.map((one: { repository_name: string }) => one.repository_name),
        ["api", "hidden", "web"]
      )
      const found = yield* olga("GET", `${VALUES}?repository_query=web`)
      assert.deepStrictEqual(found.json, [listed.json[2]])
      assert.deepInclude(listed.json[0].properties, { property_name: "live", value: "false" })
      yield* olga("PATCH", WEB, { properties: [{ property_name: "live", value: "true" }] })
      assert.strictEqual((yield* get("/repos/acme/web")).json.custom_properties.live, "true")
      yield* olga("PATCH", WEB, { properties: [{ property_name: "live", value: null }] })
      assert.strictEqual((yield* get("/repos/acme/web")).json.custom_properties.live, "false")
      // A definition without a value removes the value.
      yield* olga("PUT", `${SCHEMA}/tier`, { ...tier, allowed_values: ["silver"] })
      assert.notProperty((yield* get("/repos/acme/web")).json.custom_properties, "tier")
      yield* olga("DELETE", `${SCHEMA}/langs`)
      assert.notProperty((yield* get("/repos/acme/web")).json.custom_properties, "langs")
      const unknown = yield* olga("PATCH", VALUES, { repository_names: ["nothing"], properties: values })
      assert.deepStrictEqual(problem(unknown), [422, "repository_names"])
      assert.strictEqual((yield* olga("PATCH", VALUES, { repository_names: [], properties: [] })).status, 422)
    })
  )

  it.effect("are set by administrators of the repository if the definition allows it", () =>
    Effect.gen(function* () {
      const { as } = yield* prepare
      const set = (name: string, path: string, value: string) =>
        Effect.map(as("mia")("PATCH", path, { properties: [{ property_name: name, value }] }), ({ status }) => status)
      assert.strictEqual(yield* set("team", WEB, "lamp"), 204)
      assert.strictEqual(yield* set("tier", WEB, "gold"), 403)
      assert.strictEqual(yield* set("team", "/repos/acme/api/properties/values", "lamp"), 403)
      assert.deepInclude((yield* as("stranger")("GET", WEB)).json, { property_name: "team", value: "lamp" })
      const hidden = "/repos/acme/hidden/properties/values"
      assert.strictEqual((yield* as("stranger")("GET", hidden)).status, 404)
    })
  )

  it.effect("announce definitions and values to webhooks of the organization", () =>
    Effect.gen(function* () {
      const { olga } = yield* prepare
      yield* Fixtures.add(
        {
          hooks: [
            {
              organization: "acme",
              creator: "olga",
              config: { url: "https://hooks.example.com/", content_type: "json" },
              events: ["custom_property", "custom_property_values"]
            }
          ]
        },
        "."
      )
      yield* olga("PUT", `${SCHEMA}/pier`, { value_type: "string" })
      yield* olga("PUT", `${SCHEMA}/pier`, { value_type: "string", description: "Where" })
      const body = { repository_names: ["web", "api"], properties: [{ property_name: "pier", value: "north" }] }
      yield* olga("PATCH", VALUES, body)
      yield* olga("PATCH", VALUES, { ...body, repository_names: ["web"] })
      yield* olga("DELETE", `${SCHEMA}/pier`)
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ event: string; payload: string }>`
        SELECT event, payload FROM deliveries WHERE event LIKE 'custom_property%' ORDER BY id`
      const payloads = sent.map(({ event, payload }) => ({ event, ...JSON.parse(payload) }))
      assert.deepStrictEqual(
        payloads.map(({ action, definition, event, repository }) => [
          event,
          action,
          definition?.property_name ?? repository?.name
        ]),
        [
          ["custom_property", "created", "pier"],
          ["custom_property", "updated", "pier"],
          ["custom_property_values", "updated", "web"],
          ["custom_property_values", "updated", "api"],
          ["custom_property", "deleted", "pier"]
        ]
      )
      assert.deepInclude(payloads[2], {
        new_property_values: [{ property_name: "pier", value: "north" }],
        old_property_values: [{ property_name: "pier", value: null }]
      })
    })
  )
})
