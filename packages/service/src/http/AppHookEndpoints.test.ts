import { createHmac, generateKeyPairSync, sign } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fixtures from "../main/Fixtures.ts"
import * as Support from "../main/Forge.test-support.ts"
import * as Receiver from "../webhooks/Receiver.test-support.ts"

const { TestForge } = Support

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })

const rows = {
  users: [{ login: "olga" }, { login: "mia" }, { login: "reader" }],
  organizations: [{ login: "acme", members: [{ login: "olga", role: "owner" }, { login: "mia" }] }],
  repositories: ["acme/open", "acme/closed", "acme/hidden", "olga/own"].map((full_name) => ({
    full_name,
    private: !full_name.endsWith("open")
  })),
  collaborators: [{ repository: "acme/closed", login: "reader", permission: "read" }],
  apps: [
    {
      id: 4,
      slug: "robot",
      owner: "acme",
      name: "The Robot",
      public_key: publicKey.export({ type: "spki", format: "pem" }),
      events: ["label", "issues", "custom_property_values"]
    },
    { id: 5, slug: "secret", owner: "olga", public: false }
  ],
  installations: [
    {
      id: 70,
      account: "acme",
      app_slug: "robot",
      permissions: { metadata: "read" },
      repositories: ["acme/open", "acme/closed"]
    }
  ],
  tokens: [
    { token: "robot", kind: "installation", installation: 70, expires_at: "2100-01-01T00:00:00Z" },
    { token: "by-robot", user: "olga", kind: "app_user", installation: 70 },
    { token: "olga", user: "olga", scopes: ["repo", "admin:org"] },
    { token: "mia", user: "mia", scopes: ["repo", "admin:org"] },
    { token: "reader", user: "reader", scopes: ["repo"] }
  ]
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

const assertion = Effect.map(Clock.currentTimeMillis, (millis) => {
  const now = Math.floor(millis / 1000)
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iss: "4", iat: now - 60, exp: now + 540 })}`
  return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`
})

const prepare = Effect.gen(function* () {
  const { ask, get, repos } = yield* TestForge
  yield* Fixtures.add(rows, repos)
  const asApp = (method: string, path: string, body?: unknown) =>
    Effect.flatMap(assertion, (token) => ask(method, path, { token, ...(body === undefined ? {} : { body }) }))
  const status = (method: string, path: string, token: string | null, body?: unknown) =>
    Effect.map(ask(method, path, { token, ...(body === undefined ? {} : { body }) }), (answer) => answer.status)
  const { id: open } = (yield* get("/repos/acme/open")).json
  const { id: hidden } = (yield* get("/repos/acme/hidden")).json
  return { ask, asApp, get, hidden, open, status }
})

/** Starts a receiver as the webhook of the app. `next` returns the next delivery. */
const listen = Effect.gen(function* () {
  const receiver = yield* Receiver.make()
  const { asApp } = yield* prepare
  const set = yield* asApp("PATCH", "/app/hook/config", { url: receiver.url, content_type: "json", secret: "s3cret" })
  assert.strictEqual(set.status, 200, set.text)
  const next = Effect.map(receiver.next, ({ body, headers }) => {
    const signature = `sha256=${createHmac("sha256", "s3cret").update(body).digest("hex")}`
    assert.strictEqual(headers["x-hub-signature-256"], signature)
    return {
      headers,
      event: String(Object.entries(headers).find(([name]) => name.endsWith("-event"))?.[1]),
      ...JSON.parse(body)
    }
  })
  return { next, ...(yield* prepare) }
})

/** Polls until a list has an item, because deliveries are recorded after the receiver responded. */
const recorded = Effect.fnUntraced(function* (list: Effect.Effect<Support.Answer>) {
  for (let attempt = 0; attempt < 10_000; attempt++) {
    const answer = yield* list
    if (answer.json.length > 0) return answer
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
  return assert.fail("no delivery was recorded")
})

const forge = () => Support.layer((repos) => void Support.repository(repos, "hello"), { allowLocalWebhooks: true })

layer(forge(), { excludeTestServices: true })("the webhook of an app", (it) => {
  it.effect("gets the permitted events of all installations, signed", () =>
    Effect.gen(function* () {
      const { ask, asApp, next } = yield* listen
      assert.deepStrictEqual(Object.keys((yield* asApp("GET", "/app/hook/config")).json).toSorted(), [
        "content_type",
        "insecure_ssl",
        "secret",
        "url"
      ])
      const label = (repository: string, name: string) =>
        ask("POST", `/repos/${repository}/labels`, { token: "olga", body: { name } })
      // Not of the installation; not permitted: events of issues need the permission.
      yield* label("acme/hidden", "one")
      yield* label("olga/own", "two")
      yield* ask("POST", "/repos/acme/open/issues", { token: "olga", body: { title: "x" } })
      yield* label("acme/closed", "three")
      const delivery = yield* next
      assert.deepStrictEqual([delivery.event, delivery.action, delivery.label.name], ["label", "created", "three"])
      assert.strictEqual(delivery.installation.id, 70)
      const target = (suffix: string) =>
        Object.entries(delivery.headers).find(([name]) => name.endsWith(`-hook-installation-target-${suffix}`))?.[1]
      assert.deepStrictEqual([target("type"), target("id")], ["integration", "4"])

      const listed = yield* recorded(asApp("GET", "/app/hook/deliveries?per_page=1"))
      assert.deepInclude(listed.json[0], { event: "label", action: "created", installation_id: 70 })
      const path = `/app/hook/deliveries/${listed.json[0].id}`
      assert.strictEqual((yield* asApp("GET", path)).json.request.payload.label.name, "three")
      assert.strictEqual((yield* asApp("POST", `${path}/attempts`)).status, 202)
      assert.strictEqual((yield* next).label.name, "three")
      assert.strictEqual((yield* asApp("GET", "/app/hook/deliveries?status=x")).status, 422)
      assert.strictEqual((yield* asApp("GET", "/app/hook/deliveries/999999")).status, 404)
      assert.strictEqual((yield* asApp("PATCH", "/app/hook/config", { url: "ftp://x" })).status, 422)
      assert.strictEqual((yield* asApp("PATCH", "/app/hook/config", { url: 1 })).status, 422)
    })
  )

  it.effect("gets changes of installations, and suspended ones have no access and no events", () =>
    Effect.gen(function* () {
      const { ask, asApp, get, next, status } = yield* listen
      assert.strictEqual(yield* status("GET", "/repos/acme/closed", "robot"), 200)
      assert.strictEqual((yield* asApp("PUT", "/app/installations/70/suspended")).status, 204)
      const suspended = yield* next
      assert.deepStrictEqual(
        [suspended.event, suspended.action, suspended.sender.login, suspended.installation.suspended_by.login],
        ["installation", "suspend", "robot[bot]", "robot[bot]"]
      )
      assert.deepStrictEqual(suspended.repositories.map((one: { full_name: string }) => one.full_name).toSorted(), [
        "acme/closed",
        "acme/open"
      ])
      for (const token of ["robot", "by-robot"]) {
        const refused = yield* get("/repos/acme/open", { token })
        assert.deepStrictEqual([refused.status, refused.json.message], [403, "This installation has been suspended"])
      }
      const created = yield* asApp("POST", "/app/installations/70/access_tokens")
      assert.deepStrictEqual([created.status, created.json.message], [403, "This installation has been suspended"])
      assert.isString((yield* asApp("GET", "/app/installations/70")).json.suspended_at)
      yield* ask("POST", "/repos/acme/open/labels", { token: "olga", body: { name: "unseen" } })
      // A second suspension changes and announces nothing.
      assert.strictEqual((yield* asApp("PUT", "/app/installations/70/suspended")).status, 204)
      assert.strictEqual((yield* asApp("DELETE", "/app/installations/70/suspended")).status, 204)
      assert.deepInclude(yield* next, { event: "installation", action: "unsuspend" })
      assert.strictEqual(yield* status("GET", "/repos/acme/closed", "robot"), 200)

      assert.strictEqual((yield* asApp("DELETE", "/app/installations/70")).status, 204)
      assert.deepInclude(yield* next, { event: "installation", action: "deleted" })
      assert.strictEqual(yield* status("GET", "/repos/acme/open", "robot"), 401)
      for (const [method, path] of [
        ["GET", ""],
        ["DELETE", ""],
        ["PUT", "/suspended"],
        ["DELETE", "/suspended"]
      ] as const)
        assert.strictEqual((yield* asApp(method, `/app/installations/70${path}`)).status, 404)
      assert.deepStrictEqual((yield* asApp("GET", "/app/installation-requests")).json, [])
    })
  )
})

layer(forge(), { excludeTestServices: true })("installations", (it) => {
  it.effect("get and lose repositories by administrators", () =>
    Effect.gen(function* () {
      const { ask, hidden, next, open, status } = yield* listen
      const of = (id: number, installation = 70) => `/user/installations/${installation}/repositories/${id}`
      assert.strictEqual(yield* status("PUT", of(hidden), "mia"), 403)
      assert.strictEqual(yield* status("PUT", of(hidden), "reader"), 404)
      assert.strictEqual(yield* status("PUT", of(hidden), "by-robot"), 403)
      assert.strictEqual(yield* status("PUT", of(hidden, 71), "olga"), 404)
      assert.strictEqual(yield* status("PUT", of(hidden), null), 401)
      assert.strictEqual(yield* status("GET", "/repos/acme/hidden", "robot"), 404)
      assert.strictEqual(yield* status("PUT", of(hidden), "olga"), 204)
      const added = yield* next
      assert.deepStrictEqual(
        [added.event, added.action, added.repositories_added[0].full_name, added.sender.login],
        ["installation_repositories", "added", "acme/hidden", "olga"]
      )
      assert.strictEqual(yield* status("GET", "/repos/acme/hidden", "robot"), 200)
      const listed = yield* ask("GET", "/user/installations/70/repositories?per_page=2", { token: "olga" })
      assert.deepStrictEqual([listed.json.total_count, listed.json.repository_selection], [3, "selected"])
      const read = yield* ask("GET", "/user/installations/70/repositories", { token: "reader" })
      assert.deepStrictEqual(
        read.json.repositories.map(({ full_name, permissions }: any) => [full_name, permissions.admin]), // oxlint-disable-line typescript/no-explicit-any -- JSON
        [
          ["acme/closed", false],
          ["acme/open", false]
        ]
      )
      assert.strictEqual(yield* status("DELETE", of(hidden), "olga"), 204)
      assert.deepInclude(yield* next, { event: "installation_repositories", action: "removed" })
      assert.strictEqual(yield* status("GET", "/repos/acme/hidden", "robot"), 404)
      assert.strictEqual(yield* status("DELETE", of(hidden), "olga"), 404)
      assert.strictEqual(yield* status("DELETE", of(open), "olga"), 204)
      const [last] = (yield* ask("GET", "/user/installations/70/repositories", { token: "olga" })).json.repositories
      assert.strictEqual(yield* status("DELETE", of(last.id), "olga"), 422)
    })
  )

  it.effect("are listed for owners of the organization, and apps are public unless private", () =>
    Effect.gen(function* () {
      const { get, status } = yield* prepare
      const listed = yield* get("/orgs/acme/installations", { token: "olga" })
      assert.deepStrictEqual([listed.json.total_count, listed.json.installations[0].id], [1, 70])
      assert.strictEqual(yield* status("GET", "/orgs/acme/installations", "mia"), 403)
      assert.deepInclude((yield* get("/apps/ROBOT", { token: null })).json, { id: 4, name: "The Robot" })
      assert.strictEqual(yield* status("GET", "/apps/secret", "olga"), 200)
      assert.strictEqual(yield* status("GET", "/apps/secret", "mia"), 404)
      assert.strictEqual(yield* status("GET", "/apps/none", null), 404)
    })
  )
})
