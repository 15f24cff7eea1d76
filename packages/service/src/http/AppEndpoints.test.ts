import { createHmac, createPrivateKey, generateKeyPairSync, sign } from "node:crypto"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as Support from "../main/Forge.test-support.ts"
import * as Fixtures from "../main/Fixtures.ts"
import * as RateLimitPolicy from "../access/RateLimitPolicy.ts"

const { TestForge } = Support

const keys = () => generateKeyPairSync("rsa", { modulusLength: 2048 })
const own = keys()
const other = keys()
const pem = own.publicKey.export({ type: "spki", format: "pem" }).toString()

const rows = {
  users: [{ login: "olga" }],
  organizations: [{ login: "acme", members: [{ login: "olga", role: "owner" }] }],
  repositories: ["acme/open", "acme/closed", "acme/hidden", "olga/own"].map((full_name) => ({
    full_name,
    private: !full_name.endsWith("open")
  })),
  apps: [
    { id: 4, slug: "robot", owner: "acme", client_id: "Iv1.robot", public_key: "robot.pub" },
    { id: 5, slug: "twin", public_key: pem },
    { id: 6, slug: "keyless" },
    { id: 7, slug: "new", generate_key: true }
  ],
  installations: [
    {
      id: 70,
      account: "acme",
      app_slug: "robot",
      permissions: { contents: "write", administration: "read" },
      repositories: ["acme/open", "acme/closed"]
    },
    { id: 71, account: "olga", app_slug: "robot", permissions: { contents: "read" } }
  ]
}

const fill = Effect.fnUntraced(function* () {
  const { repos } = yield* TestForge
  const file = join(repos, "fixtures.json")
  writeFileSync(join(repos, "robot.pub"), pem)
  writeFileSync(file, JSON.stringify(rows))
  yield* Fixtures.load(file)
})

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** A JWT of app 4, issued now by default; times are in seconds from now. */
const assertion = ({ alg = "RS256", exp = 540, iat = -60, iss = "4", key = own.privateKey } = {}) =>
  Effect.map(Clock.currentTimeMillis, (millis) => {
    const now = Math.floor(millis / 1000)
    const text = `${part({ alg, typ: "JWT" })}.${part({ iss, iat: now + iat, exp: now + exp })}`
    const signature =
      alg === "HS256" ? createHmac("sha256", pem).update(text).digest() : sign("sha256", Buffer.from(text), key)
    return `${text}.${signature.toString("base64url")}`
  })

const PATH = "/app/installations/70/access_tokens"

const issue = Effect.fnUntraced(function* (body?: object, installation = 70) {
  const { ask } = yield* TestForge
  return yield* ask("POST", `/app/installations/${installation}/access_tokens`, {
    token: yield* assertion(),
    ...(body === undefined ? {} : { body })
  })
})

const forge = (limits?: RateLimitPolicy.RateLimitNumbers) =>
  Support.layer((repos) => void Support.repository(repos, "hello"), limits === undefined ? {} : { limits })

layer(forge())("an app with a key", (it) => {
  it.effect("creates installation tokens, valid for an hour or until revoked", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, get } = yield* TestForge
      const { headers, json, status } = yield* issue()
      assert.strictEqual(status, 201)
      assert.strictEqual(headers["cache-control"], "no-store")
      assert.deepInclude(json, {
        expires_at: "1970-01-01T01:00:00Z",
        permissions: { contents: "write", administration: "read" },
        repository_selection: "selected"
      })
      assert.notProperty(json, "repositories")
      const reached = (token: string) =>
        Effect.map(get("/installation/repositories", { token }), ({ json, status }) =>
          status === 200 ? json.repositories.map((one: { name: string }) => one.name) : status
        )
      assert.deepStrictEqual(yield* reached(json.token), ["closed", "open"])

      const second = (yield* issue()).json.token
      assert.strictEqual((yield* ask("DELETE", "/installation/token", { token: second })).status, 204)
      assert.strictEqual(yield* reached(second), 401)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* reached(json.token), 401)
      assert.deepStrictEqual(yield* reached((yield* issue()).json.token), ["closed", "open"])
    })
  )

  it.effect("creates a token for an empty body of another type", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask } = yield* TestForge
      const headers = { "content-type": "application/octet-stream", "content-length": "0" }
      assert.strictEqual((yield* ask("POST", PATH, { token: yield* assertion(), headers })).status, 201)
    })
  )

  it.effect("limits a token to the requested repositories and permissions", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, get } = yield* TestForge
      const narrow = yield* issue({ repositories: ["OPEN"], permissions: { contents: "read", metadata: "read" } })
      assert.strictEqual(narrow.status, 201)
      assert.deepInclude(narrow.json, {
        permissions: { contents: "read", metadata: "read" },
        repository_selection: "selected"
      })
      assert.deepStrictEqual(
        narrow.json.repositories.map((one: { full_name: string }) => one.full_name),
        ["acme/open"]
      )
      const { token } = narrow.json
      assert.strictEqual((yield* get("/repos/acme/closed", { token })).status, 404)
      const write = { token, body: { ref: "refs/heads/x", sha: "0".repeat(40) } }
      assert.strictEqual((yield* ask("POST", "/repos/acme/open/git/refs", write)).status, 403)

      const { id } = (yield* get("/repos/acme/closed")).json
      const both = yield* issue({ repositories: ["open"], repository_ids: [id] })
      assert.lengthOf(both.json.repositories, 2)
    })
  )

  it.effect("cannot request more than its installation has", () =>
    Effect.gen(function* () {
      yield* fill()
      const { get } = yield* TestForge
      const hidden = (yield* get("/repos/acme/hidden")).json.id
      for (const body of [
        { permissions: { contents: "admin" } },
        { permissions: { administration: "write" } },
        { permissions: { pages: "read" } },
        { repositories: ["hidden"] },
        { repositories: ["own"] },
        { repositories: [] },
        { repositories: Array.from({ length: 501 }, () => "open") },
        { repository_ids: [hidden] },
        { repository_ids: ["open"] }
      ]) {
        const { json, status } = yield* issue(body)
        assert.strictEqual(status, 422, JSON.stringify(body))
        assert.strictEqual(json.errors.length, 1, JSON.stringify(json))
      }
      assert.strictEqual((yield* issue({}, 72)).status, 404)
    })
  )

  it.effect("reads its own data", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, get } = yield* TestForge
      const { json, status } = yield* get("/app", { token: yield* assertion({ iss: "Iv1.robot" }) })
      assert.strictEqual(status, 200)
      assert.deepInclude(json, { id: 4, slug: "robot", client_id: "Iv1.robot", installations_count: 2 })
      assert.strictEqual(json.owner.login, "acme")
      const wrong = yield* ask("POST", "/app", { token: yield* assertion() })
      assert.deepStrictEqual([wrong.status, wrong.headers["allow"]], [405, "GET"])
      const preflight = yield* ask("OPTIONS", PATH, { token: null })
      assert.deepStrictEqual([preflight.status, preflight.headers["access-control-allow-methods"]], [204, "POST"])
      assert.strictEqual((yield* get(PATH, { token: yield* assertion() })).status, 405)
      assert.strictEqual((yield* get("/app/hooks", { token: yield* assertion() })).status, 404)
    })
  )

  it.effect("has no access to other endpoints or apps", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, get } = yield* TestForge
      assert.strictEqual((yield* get("/user", { token: yield* assertion() })).status, 401)
      // The same key, so that the installation alone is wrong.
      const twin = yield* ask("POST", PATH, { token: yield* assertion({ iss: "5" }) })
      assert.strictEqual(twin.status, 404)
    })
  )

  it.effect("gets a generated key if the fixture file requests one", () =>
    Effect.gen(function* () {
      yield* fill()
      const { get, repos } = yield* TestForge
      const file = join(repos, "../data/app-new.pem")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const key = createPrivateKey(readFileSync(file, "utf8"))
      assert.strictEqual((yield* get("/app", { token: yield* assertion({ iss: "7", key }) })).json.slug, "new")
      // A second load of the fixture keeps the key.
      yield* fill()
      assert.strictEqual((yield* get("/app", { token: yield* assertion({ iss: "7", key }) })).status, 200)
    })
  )

  it.effect("learns the problem of an invalid JWT", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask } = yield* TestForge
      const said = (token: string | null) =>
        Effect.map(ask("POST", PATH, { token }), ({ json, status }) => `${status} ${json.message}`)
      const wrong = (claims: Parameters<typeof assertion>[0]) => Effect.flatMap(assertion(claims), said)
      const good = yield* assertion()

      assert.include(yield* said(null), "401 A JSON web token could not be decoded: send a token")
      assert.include(yield* said("robot"), "it must have three parts")
      assert.include(yield* said(good.replace(/\.[^.]+$/, "")), "it must have three parts")
      assert.include(yield* said(`${good}.${good}`), "it must have three parts")
      const parts = ["null", "[]", "{}", '{"alg":1}', '{"alg":"RS256","iss":{}}', "\0", "é"].map((text) =>
        Buffer.from(text).toString("base64url")
      )
      for (const one of parts) for (const other of parts) assert.match(yield* said(`${one}.${other}.${one}`), /^401 /)
      assert.include(yield* said(`${good.slice(0, -4)}AAAA`), "it is not signed with the key of app robot")
      assert.include(yield* wrong({ key: other.privateKey }), "it is not signed with the key")
      assert.include(yield* wrong({ alg: "none" }), "must be signed with RS256")
      // Signed with the public key.
      assert.include(yield* wrong({ alg: "HS256" }), "must be signed with RS256")
      assert.include(yield* wrong({ iss: "8" }), "no app has this")
      assert.include(yield* wrong({ iss: "6" }), "app keyless has no public key")
      assert.include(yield* wrong({ exp: 601 }), "is too far in the future")
      assert.include(yield* wrong({ exp: 0 }), "future time at which the assertion expires")
      assert.include(yield* wrong({ iat: 61 }), "'Issued at' claim ('iat')")
      assert.include(yield* wrong({ iat: 60, exp: 600 }), "201")
    })
  )
})

layer(forge({ ...RateLimitPolicy.specNumbers, pointsPerMinute: 100_000, contentPerHour: 1, tokensPerHour: 3 }))(
  "the tokens of an hour",
  (it) => {
    it.effect("are counted per app, and not as content creation", () =>
      Effect.gen(function* () {
        yield* fill()
        const { ask } = yield* TestForge
        for (const left of [4999, 4998, 4997]) {
          const { headers, status } = yield* issue()
          assert.deepStrictEqual([status, headers["x-ratelimit-remaining"]], [201, String(left)])
        }
        const refused = yield* issue()
        assert.strictEqual(refused.status, 429)
        assert.include(refused.json.message, "secondary rate limit")
        assert.isAtLeast(Number(refused.headers["retry-after"]), 3600)
        const twin = yield* ask("POST", PATH, { token: yield* assertion({ iss: "5" }) })
        assert.strictEqual(twin.status, 404)
        yield* TestClock.adjust("62 minutes")
        assert.strictEqual((yield* issue()).status, 201)
      })
    )
  }
)
