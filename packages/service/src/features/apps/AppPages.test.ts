import { createPrivateKey, sign } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"
import { SecretSealer } from "../../webhooks/SecretSealer.ts"
import * as SqlClient from "effect/sql/SqlClient"

const { TestForge } = Support

const rows = {
  users: [{ login: "olga" }, { login: "mia" }],
  organizations: [{ login: "acme", members: [{ login: "olga", role: "owner" }, { login: "mia" }] }],
  repositories: ["acme/web", "acme/api", "olga/own"].map((full_name) => ({ full_name, private: true })),
  tokens: [
    { token: "olga", user: "olga", scopes: ["repo", "user", "admin:org"] },
    { token: "mia", user: "mia", scopes: ["repo", "user", "admin:org"] },
    { token: "narrow", user: "olga", scopes: ["admin:org"] },
    { token: "fine", user: "olga", kind: "fine_grained" }
  ]
}

const manifest = {
  name: "Pier <Bot>",
  url: "https://bot.example.com/?a=1&b=2",
  hook_attributes: { url: "https://bot.example.com/hook" },
  redirect_url: "https://bot.example.com/setup?from=forge",
  public: true,
  default_events: ["issues", "push"],
  default_permissions: { issues: "write", contents: "read" }
}

const prepare = Effect.gen(function* () {
  const { ask, repos } = yield* TestForge
  yield* Fixtures.add(rows, repos)
  const form = (path: string, fields: Readonly<Record<string, string>>) =>
    ask("POST", path, {
      token: null,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields).toString()
    })
  /** Confirms a manifest. Returns the answer and the code. */
  const create = Effect.fnUntraced(function* (given: object, token = "olga", path = ORGANIZATION) {
    const answer = yield* form(path, { manifest: JSON.stringify(given), state: "s1", token })
    const location = answer.headers["location"]
    return { answer, code: location === undefined ? "" : (new URL(location).searchParams.get("code") ?? "") }
  })
  const convert = (code: string) => ask("POST", `/app-manifests/${code}/conversions`, { token: null })
  return { ask, convert, create, form }
})

const ORGANIZATION = "/organizations/acme/settings/apps/new"

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

const jwtOf = (id: number, pem: string) =>
  Effect.map(Clock.currentTimeMillis, (millis) => {
    const now = Math.floor(millis / 1000)
    const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iss: String(id), iat: now - 60, exp: now + 540 })}`
    return `${text}.${sign("sha256", Buffer.from(text), createPrivateKey(pem)).toString("base64url")}`
  })

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("an app from a manifest", (it) => {
  it.effect("is confirmed on a page that escapes the manifest and runs no scripts", () =>
    Effect.gen(function* () {
      const { form } = yield* prepare
      const page = yield* form(`${ORGANIZATION}?state=a%22b`, { manifest: JSON.stringify(manifest) })
      assert.strictEqual(page.status, 200)
      assert.include(page.text, "Create Pier &lt;Bot&gt;")
      assert.include(page.text, 'name="state" value="a&quot;b"')
      assert.notInclude(page.text, "<Bot>")
      assert.include(page.text, "issues: write, contents: read")
      const policy = page.headers["content-security-policy"] ?? ""
      assert.include(policy, "default-src 'none'")
      assert.include(policy, "form-action 'self' https://bot.example.com;")
      assert.include(policy, "frame-ancestors 'none'")
    })
  )

  it.effect("gets credentials for the code, once", () =>
    Effect.gen(function* () {
      const { ask, convert, create } = yield* prepare
      const { answer, code } = yield* create(manifest)
      assert.strictEqual(answer.status, 302)
      const location = new URL(answer.headers["location"] ?? "")
      assert.deepStrictEqual(
        [location.origin, location.searchParams.get("from"), location.searchParams.get("state")],
        ["https://bot.example.com", "forge", "s1"]
      )
      const { headers, json, status } = yield* convert(code)
      assert.deepStrictEqual([status, headers["cache-control"]], [201, "no-store"])
      assert.deepInclude(json, {
        slug: "pier-bot",
        name: "Pier <Bot>",
        external_url: manifest.url,
        permissions: { metadata: "read", contents: "read", issues: "write" },
        events: ["issues", "push"]
      })
      assert.strictEqual(json.owner.login, "acme")
      assert.strictEqual((yield* convert(code)).status, 404)
      assert.strictEqual((yield* ask("GET", "/app", { token: yield* jwtOf(json.id, json.pem) })).json.id, json.id)
      const sql = yield* SqlClient.SqlClient
      const [hook] = yield* sql<{
        sealed: string
        url: string
      }>`SELECT sealed, url FROM hooks WHERE app_id = ${json.id}`
      const { secret } = (yield* SecretSealer).open(hook?.sealed ?? null) ?? {}
      assert.deepStrictEqual([secret, hook?.url], [json.webhook_secret, manifest.hook_attributes.url])
      const client = Buffer.from(`${json.client_id}:${json.client_secret}`).toString("base64")
      const read = yield* ask("GET", "/users/olga", { token: null, headers: { authorization: `Basic ${client}` } })
      assert.strictEqual(read.status, 200)
    })
  )

  it.effect("needs a code that is younger than an hour", () =>
    Effect.gen(function* () {
      const { convert, create } = yield* prepare
      const { code } = yield* create({ ...manifest, name: "Late" })
      const early = yield* create({ ...manifest, name: "Early" })
      const sql = yield* SqlClient.SqlClient
      const pass = (millis: number) => sql`UPDATE app_manifests SET expires_at = expires_at - ${millis}`
      yield* pass(3_599_999)
      assert.strictEqual((yield* convert(early.code)).status, 201)
      yield* pass(1)
      assert.strictEqual((yield* convert(code)).status, 404)
      assert.strictEqual((yield* convert("0".repeat(40))).status, 404)
    })
  )

  it.effect("is created by the owner only, with a valid manifest and an own name", () =>
    Effect.gen(function* () {
      const { create, form } = yield* prepare
      const status = (given: object, token: string, path?: string) =>
        Effect.map(create(given, token, path), ({ answer }) => answer.status)
      const fresh = { ...manifest, name: "Fresh" }
      assert.strictEqual(yield* status(fresh, "mia"), 403)
      assert.strictEqual(yield* status(fresh, "narrow"), 403)
      assert.strictEqual(yield* status(fresh, "fine"), 403)
      assert.strictEqual(yield* status(fresh, "wrong"), 401)
      assert.strictEqual(yield* status(fresh, "olga", "/organizations/none/settings/apps/new"), 404)
      assert.strictEqual(yield* status(fresh, "olga", "/settings/apps/new"), 302)
      for (const wrong of [
        fresh, // taken
        { ...manifest, name: "x".repeat(35) },
        { ...manifest, name: "--" },
        { ...manifest, url: "javascript:alert(1)" },
        { ...manifest, redirect_url: "data:text/html,x" },
        { ...manifest, default_events: ["nothing"] },
        { ...manifest, default_permissions: {} },
        { ...manifest, default_permissions: { contents: "all" } },
        {}
      ])
        assert.strictEqual(yield* status(wrong, "olga"), 422, JSON.stringify(wrong))
      assert.strictEqual((yield* form(ORGANIZATION, { manifest: "{" })).status, 422)
      assert.strictEqual((yield* form(ORGANIZATION, { manifest: "x".repeat(300_000) })).status, 413)
    })
  )

  it.effect("is installed by owners of accounts, who select repositories and accept new permissions", () =>
    Effect.gen(function* () {
      const { ask, convert, create, form } = yield* prepare
      const setup = { setup_url: "https://bot.example.com/done" }
      const { code } = yield* create({ ...manifest, ...setup, name: "Installed", public: false })
      const app = (yield* convert(code)).json
      const path = "/apps/installed/installations/new"
      const shown = yield* ask("GET", path, { token: null })
      assert.strictEqual(shown.status, 200)
      // Nothing shows that the private app exists.
      assert.notInclude(shown.text, "issues")
      const fields = { account: "acme", selection: "selected", repositories: "web", token: "olga" }
      assert.strictEqual((yield* form(path, { ...fields, account: "olga" })).status, 404)
      assert.strictEqual((yield* form(path, { ...fields, token: "mia" })).status, 403)
      assert.strictEqual((yield* form(path, { ...fields, repositories: "none" })).status, 404)
      assert.strictEqual((yield* form(path, { ...fields, repositories: "" })).status, 422)
      const done = yield* form(path, fields)
      const location = new URL(done.headers["location"] ?? "")
      assert.deepStrictEqual([done.status, location.searchParams.get("setup_action")], [302, "install"])
      const id = location.searchParams.get("installation_id")
      const token = yield* jwtOf(app.id, app.pem)
      assert.deepInclude((yield* ask("GET", `/app/installations/${id}`, { token })).json, {
        repository_selection: "selected",
        permissions: { metadata: "read", contents: "read", issues: "write" }
      })
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE apps SET permissions = '{"metadata":"read"}' WHERE id = ${app.id}`
      assert.strictEqual((yield* form(path, { ...fields, selection: "all" })).status, 200)
      const sent = yield* sql<{ payload: string; event: string }>`
        SELECT event, payload FROM deliveries WHERE installation_id = ${Number(id)} ORDER BY id`
      assert.deepStrictEqual(
        sent.map(({ event, payload }) => `${event}.${JSON.parse(payload).action}`),
        ["installation.created", "installation.new_permissions_accepted", "installation_repositories.added"]
      )
      const [created, , added] = sent.map(({ payload }) => JSON.parse(payload))
      assert.deepStrictEqual(
        [created.repositories[0].full_name, created.sender.login, added.repositories_added[0].full_name],
        ["acme/web", "olga", "acme/api"]
      )
    })
  )
})
