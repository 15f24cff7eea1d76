import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Forge from "../../main/Forge.test-support.ts"
import { HookRows } from "../../webhooks/HookRows.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import { SecretSealer } from "../../webhooks/SecretSealer.ts"
import { requireRow } from "../../storage/RowDecoder.ts"

const { TestForge } = Forge

/** Discard port of an address reserved for documentation: no server listens there. */
const URL_VALUE = "https://192.0.2.1:9/hook"

const organization = Effect.fnUntraced(function* (login: string) {
  const { token, user } = yield* TestForge
  const { id } = yield* (yield* UserRows).ensure({ login, type: "Organization" })
  const member = Effect.fnUntraced(function* (
    name: string,
    role: "owner" | "member",
    kind: "classic" | "oauth",
    scopes: ReadonlyArray<string>
  ) {
    const userId = yield* user({ login: name })
    yield* (yield* OrganizationRows).setRole(id, userId, role)
    return yield* token({ userId, kind, scopes })
  })
  return { id, base: `/orgs/${login}/hooks`, member }
})

layer(Forge.layer((repos) => ["one", "two", "three", "four"].forEach((name) => Forge.repository(repos, name))))(
  "webhooks",
  (it) => {
    it.effect("creates webhooks with defaults", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        const made = yield* ask("POST", `${base}/one/hooks`, { body: { config: { url: URL_VALUE } } })
        assert.strictEqual(made.status, 201, made.text)
        const { created_at, id, updated_at, ...rest } = made.json
        const at = `http://forge.localhost${base}/one/hooks/${id}`
        assert.strictEqual(made.headers.location, at)
        assert.strictEqual(created_at, updated_at)
        assert.deepStrictEqual(rest, {
          type: "Repository",
          name: "web",
          active: true,
          events: ["push"],
          config: { url: URL_VALUE, content_type: "form", insecure_ssl: "0" },
          url: at,
          ping_url: `${at}/pings`,
          deliveries_url: `${at}/deliveries`,
          test_url: `${at}/tests`,
          last_response: { code: null, status: "unused", message: null }
        })
        const found = yield* get(`${base}/one/hooks/${id}`)
        assert.deepStrictEqual({ ...found.json, last_response: made.json.last_response }, made.json)
        assert.deepStrictEqual(found.json.config, (yield* get(`${base}/one/hooks/${id}/config`)).json)
        const second = yield* ask("POST", `${base}/one/hooks`, {
          body: { config: { url: `${URL_VALUE}/2` }, events: ["*"], active: false }
        })
        const page = yield* get(`${base}/one/hooks?per_page=1`)
        assert.deepStrictEqual([page.json[0].id, page.json.length], [id, 1])
        assert.match(page.headers.link ?? "", /rel="next", .*rel="last"/)
        assert.include(second.json, { active: false })
        assert.strictEqual((yield* ask("DELETE", `${base}/one/hooks/${id}`)).status, 204)
        for (const method of ["GET", "DELETE", "PATCH"]) {
          assert.strictEqual(
            (yield* ask(method, `${base}/one/hooks/${id}`, { body: method === "PATCH" ? {} : undefined })).status,
            404
          )
        }
        assert.strictEqual((yield* get(`${base}/one/hooks/${id}/deliveries`)).status, 404)
        assert.strictEqual((yield* get(`${base}/one/hooks/x`)).status, 404)
      })
    )

    it.effect("masks and encrypts a secret, and removes it with a configuration that lacks it", () =>
      Effect.gen(function* () {
        const { ask, base, get, repos } = yield* TestForge
        const secret = "correct horse battery staple"
        const made = yield* ask("POST", `${base}/two/hooks`, {
          body: { config: { url: URL_VALUE, secret, content_type: "json" } }
        })
        assert.strictEqual(made.json.config.secret, "********")
        const path = `${base}/two/hooks/${made.json.id}`
        const stored = Effect.gen(function* () {
          const { id } = (yield* get(`${base}/two`)).json
          const hook = yield* requireRow((yield* HookRows).find({ kind: "repository", id }, made.json.id))
          return (yield* SecretSealer).open(hook.sealed) ?? {}
        })
        assert.deepStrictEqual(yield* stored, { secret })
        const data = join(repos, "..", "data")
        for (const name of readdirSync(data).filter((name) => name.startsWith("forge.db"))) {
          assert.isFalse(readFileSync(join(data, name)).includes(secret), name)
        }
        assert.strictEqual(statSync(join(data, "webhooks.key")).mode & 0o777, 0o600)

        yield* ask("PATCH", path, { body: { active: false } })
        yield* ask("PATCH", `${path}/config`, { body: { content_type: "form" } })
        yield* ask("PATCH", path, { body: { config: { url: URL_VALUE, secret: "********" } } })
        assert.deepStrictEqual(yield* stored, { secret })
        yield* ask("PATCH", `${path}/config`, { body: { secret: "another" } })
        assert.deepStrictEqual(yield* stored, { secret: "another" })
        const without = yield* ask("PATCH", path, { body: { config: { url: URL_VALUE } } })
        assert.deepStrictEqual(without.json.config, { url: URL_VALUE, content_type: "form", insecure_ssl: "0" })
        assert.deepStrictEqual(yield* stored, {})
      })
    )

    it.effect("replaces, adds and removes events", () =>
      Effect.gen(function* () {
        const { ask, base } = yield* TestForge
        const made = yield* ask("POST", `${base}/three/hooks`, {
          body: { config: { url: URL_VALUE }, events: ["push", "push", "create"] }
        })
        assert.deepStrictEqual(made.json.events, ["push", "create"])
        const path = `${base}/three/hooks/${made.json.id}`
        const events = Effect.fnUntraced(function* (body: object) {
          return (yield* ask("PATCH", path, { body })).json.events
        })
        assert.deepStrictEqual(yield* events({ add_events: ["delete"], remove_events: ["push"] }), ["create", "delete"])
        assert.deepStrictEqual(yield* events({ events: ["issues"] }), ["issues"])
        assert.deepStrictEqual(yield* events({ active: true }), ["issues"])
        for (const body of [
          { add_events: ["nonsense"] },
          { remove_events: ["nonsense"] },
          { events: [] },
          { remove_events: ["issues"] }
        ]) {
          const refused = yield* ask("PATCH", path, { body })
          assert.strictEqual(refused.status, 422, JSON.stringify(body))
          assert.strictEqual(refused.json.errors[0].field, "events")
        }
        assert.deepStrictEqual(yield* events({}), ["issues"])
      })
    )

    it.effect("rejects invalid fields, and a duplicate with a shared event", () =>
      Effect.gen(function* () {
        const { ask, base } = yield* TestForge
        const create = (body: object) => ask("POST", `${base}/four/hooks`, { body })
        for (const [field, body] of [
          ["url", { config: { url: "ftp://example.org/" } }],
          ["url", { config: { url: "http://example.org/\r\nX-Other: 1" } }],
          ["url", { config: { url: `http://example.org/${"x".repeat(8000)}` } }],
          ["url", { config: { url: "example.org" } }],
          ["url", { config: { url: "" } }],
          ["config.url", { config: {} }],
          ["config", {}],
          ["content_type", { config: { url: URL_VALUE, content_type: "xml" } }],
          ["insecure_ssl", { config: { url: URL_VALUE, insecure_ssl: "2" } }],
          ["events", { config: { url: URL_VALUE }, events: ["nonsense"] }],
          ["name", { config: { url: URL_VALUE }, name: "email" }],
          ["active", { config: { url: URL_VALUE }, active: "yes" }]
        ] as const) {
          const refused = yield* create(body)
          assert.strictEqual(refused.status, 422, field)
          assert.strictEqual(refused.json.errors[0].field, field)
        }
        assert.strictEqual((yield* create({ config: { url: URL_VALUE }, events: ["push", "create"] })).status, 201)
        for (const events of [["push"], ["*"], ["issues", "create"]]) {
          const twin = yield* create({ config: { url: URL_VALUE }, events })
          assert.strictEqual(twin.status, 422)
          assert.strictEqual(twin.json.message, "Hook already exists on this repository")
        }
        const other = yield* create({ config: { url: URL_VALUE }, events: ["issues"] })
        assert.strictEqual(other.status, 201)
        const moved = yield* ask("PATCH", `${base}/four/hooks/${other.json.id}`, { body: { add_events: ["push"] } })
        assert.strictEqual(moved.json.message, "Hook already exists on this repository")
        const both = yield* Effect.all(
          [create({ config: { url: `${URL_VALUE}/b` } }), create({ config: { url: `${URL_VALUE}/b` } })],
          { concurrency: 2 }
        )
        assert.deepStrictEqual(
          both.map(({ status }) => status).toSorted((a, b) => a - b),
          [201, 422]
        )
      })
    )

    it.effect("hides webhooks from users without administration access", () =>
      Effect.gen(function* () {
        const { base, get, token, user } = yield* TestForge
        const userId = yield* user({ login: "olga" })
        assert.strictEqual(
          (yield* get(`${base}/one/hooks`, { token: yield* token({ userId, kind: "classic", scopes: ["repo"] }) }))
            .status,
          403
        )
        assert.strictEqual((yield* get(`${base}/one/hooks`, { token: null })).status, 401)
        const scope = yield* get(`${base}/one/hooks`, {
          token: yield* token({ userId, kind: "classic", scopes: ["user"] })
        })
        assert.deepStrictEqual([scope.status, scope.headers["x-accepted-oauth-scopes"]], [403, "read:repo_hook, repo"])
      })
    )

    describe("of organizations", () => {
      it.effect("lets owners create, change and delete webhooks", () =>
        Effect.gen(function* () {
          const { ask, get } = yield* TestForge
          const { base, member } = yield* organization("acme")
          const owner = yield* member("anna", "owner", "classic", ["admin:org_hook"])
          const made = yield* ask("POST", base, {
            token: owner,
            body: { name: "web", config: { url: URL_VALUE, username: "u", password: "p" }, events: ["*"] }
          })
          assert.strictEqual(made.status, 201, made.text)
          const { created_at: _, id, updated_at: __, ...rest } = made.json
          const at = `http://forge.localhost${base}/${id}`
          assert.strictEqual(made.headers.location, at)
          assert.deepStrictEqual(rest, {
            type: "Organization",
            name: "web",
            active: true,
            events: ["*"],
            config: { url: URL_VALUE, content_type: "form", insecure_ssl: "0" },
            url: at,
            ping_url: `${at}/pings`,
            deliveries_url: `${at}/deliveries`
          })
          const twin = yield* ask("POST", base, { token: owner, body: { name: "web", config: { url: URL_VALUE } } })
          assert.strictEqual(twin.json.message, "Hook already exists on this organization")
          assert.strictEqual(
            (yield* ask("POST", base, { token: owner, body: { config: { url: URL_VALUE } } })).json.errors[0].field,
            "name"
          )
          const changed = yield* ask("PATCH", `${base}/${id}/config`, {
            token: owner,
            body: { secret: "s", insecure_ssl: 1 }
          })
          assert.deepStrictEqual(changed.json, {
            url: URL_VALUE,
            content_type: "form",
            insecure_ssl: "1",
            secret: "********"
          })
          assert.strictEqual(
            (yield* ask("PATCH", `${base}/${id}`, { token: owner, body: { active: false } })).json.active,
            false
          )
          assert.strictEqual((yield* ask("POST", `${base}/${id}/pings`, { token: owner })).status, 204)
          const plain = yield* member("ben", "member", "classic", ["admin:org_hook"])
          assert.strictEqual((yield* get(base, { token: plain })).status, 403)
          assert.strictEqual((yield* ask("DELETE", `${base}/${id}`, { token: owner })).status, 204)
          assert.deepStrictEqual((yield* get(base, { token: owner })).json, [])
        })
      )

      it.effect("shows OAuth apps their own webhooks only, and hides them from other callers", () =>
        Effect.gen(function* () {
          const { ask, get } = yield* TestForge
          const { base, member } = yield* organization("globex")
          const scopes = ["admin:org_hook"]
          const person = yield* member("carl", "owner", "classic", scopes)
          const app = yield* member("dora", "owner", "oauth", scopes)
          const make = Effect.fnUntraced(function* (token: string, path: string) {
            return (yield* ask("POST", base, { token, body: { name: "web", config: { url: `${URL_VALUE}/${path}` } } }))
              .json.id
          })
          const ofPerson = yield* make(person, "person")
          const ofApp = yield* make(app, "app")
          const ids = (answer: Forge.Answer) => answer.json.map(({ id }: { id: number }) => id)
          assert.deepStrictEqual(ids(yield* get(base, { token: person })), [ofPerson])
          assert.deepStrictEqual(ids(yield* get(base, { token: app })), [ofApp])
          assert.strictEqual((yield* ask("DELETE", `${base}/${ofPerson}`, { token: app })).status, 404)
          assert.strictEqual((yield* ask("PATCH", `${base}/${ofApp}`, { token: person, body: {} })).status, 404)
          // The account that the app acts for sees the app's webhooks.
          assert.deepStrictEqual(ids(yield* get(base, { token: yield* member("dora", "owner", "classic", scopes) })), [
            ofPerson,
            ofApp
          ])
          // Otherwise no caller could remove the webhook.
          yield* (yield* SqlClient.SqlClient)`DELETE FROM users WHERE login = 'dora'`
          assert.deepStrictEqual(ids(yield* get(base, { token: person })), [ofPerson, ofApp])
          assert.strictEqual((yield* ask("DELETE", `${base}/${ofApp}`, { token: person })).status, 204)
        })
      )
    })
  }
)
