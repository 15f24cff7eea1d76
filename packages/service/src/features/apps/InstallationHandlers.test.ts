import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import * as RateLimitPolicy from "../../access/RateLimitPolicy.ts"
import { TokenRows } from "../../access/TokenRows.ts"
import { requireRow } from "../../storage/RowDecoder.ts"
import * as TestDatabase from "../../storage/TestDatabase.test-support.ts"

const { TestForge } = Support

const names = ["big/own", "acme/open", "acme/closed", "acme/other", "acme/hidden", "mia/own"]

/** Write permission for repositories and the organization. */
const both = { administration: "write", organization_administration: "write" }

const rows = {
  users: [{ login: "olga" }, { login: "mia" }, { login: "carl" }, { login: "stranger" }],
  organizations: [
    { login: "acme", members: [{ login: "olga", role: "owner" }, { login: "mia" }] },
    { login: "big", plan: "enterprise_cloud", members: [{ login: "olga", role: "owner" }] }
  ],
  repositories: names.map((full_name) => ({ full_name, private: /closed|hidden/.test(full_name) })),
  collaborators: [{ repository: "acme/closed", login: "carl", permission: "read" }],
  apps: [
    { id: 4, slug: "robot", owner: "big", client_id: "Iv1.robot", client_secret: "s3cret" },
    { slug: "poor", client_id: "Iv1.poor", client_secret: "s3cret:with:colons" }
  ],
  installations: [
    {
      id: 70,
      account: "acme",
      app_slug: "robot",
      permissions: { contents: "write", organization_administration: "read" },
      events: ["push"],
      repositories: ["acme/open", "acme/closed"]
    },
    { id: 71, account: "big", app_slug: "robot", permissions: both },
    { id: 72, account: "mia", app_slug: "gardener", app_id: 9 }
  ],
  tokens: [
    { token: "robot", kind: "installation", installation: 70, expires_at: "2100-01-01T00:00:00Z" },
    { token: "reader", kind: "installation", installation: 70, permissions: { contents: "read", projects: "write" } },
    { token: "one", kind: "installation", installation: 70, repositories: ["acme/open"] },
    { token: "big", kind: "installation", installation: 71 },
    { token: "old", kind: "installation", installation: 70, expires_at: "1970-01-01T00:30:00Z" },
    {
      token: "fine",
      user: "olga",
      kind: "fine_grained",
      permissions: { contents: "write" },
      repositories: ["acme/closed"]
    },
    {
      token: "workflow",
      user: "olga",
      kind: "workflow",
      permissions: { contents: "read" },
      repositories: ["acme/open"]
    },
    {
      token: "administering-workflow",
      user: "olga",
      kind: "workflow",
      permissions: both,
      repositories: ["acme/open"]
    },
    { token: "big-workflow", user: "olga", kind: "workflow", repositories: ["big/own"] },
    { token: "olga", user: "olga", scopes: ["repo", "admin:org"] },
    { token: "mia", user: "mia", scopes: ["repo"] },
    { token: "carl", user: "carl", scopes: ["repo"] },
    { token: "stranger", user: "stranger", scopes: ["repo"] },
    { token: "by-robot", user: "olga", kind: "app_user", installation: 70 },
    { token: "by-robot-in-big", user: "olga", kind: "app_user", installation: 71 },
    { token: "mia-by-robot", user: "mia", kind: "app_user", installation: 70 }
  ]
}

/** Body with a missing object. Callers with write access get 422. */
const missing = { ref: "refs/heads/x", sha: "0".repeat(40) }

const fill = Effect.fnUntraced(function* (more: object = {}) {
  const { repos } = yield* TestForge
  const file = join(repos, "fixtures.json")
  writeFileSync(file, JSON.stringify({ ...rows, ...more }))
  yield* Fixtures.load(file)
})

const forge = (limits?: RateLimitPolicy.RateLimitNumbers) =>
  Support.layer((repos) => void Support.repository(repos, "hello"), limits === undefined ? {} : { limits })

const basic = (name: string, secret: string) => ({
  token: null,
  headers: { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}` }
})

layer(forge())("a token of an installation", (it) => {
  it.effect("has access to the installation's repositories, and reads public ones", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, get } = yield* TestForge
      const status = (path: string, token: string) => Effect.map(get(path, { token }), (answer) => answer.status)
      assert.strictEqual(yield* status("/repos/acme/closed", "robot"), 200)
      assert.strictEqual(yield* status("/repos/acme/other", "robot"), 200)
      assert.strictEqual(yield* status("/repos/acme/hidden", "robot"), 404)
      assert.strictEqual(yield* status("/repos/acme/closed", "one"), 404)
      const write = (name: string, token: string) =>
        Effect.map(ask("POST", `/repos/${name}/git/refs`, { token, body: missing }), (answer) => answer.status)
      assert.strictEqual(yield* write("acme/closed", "robot"), 409)
      assert.strictEqual(yield* write("acme/other", "robot"), 403)
      assert.strictEqual(yield* write("acme/hidden", "robot"), 404)
      assert.strictEqual(yield* write("acme/closed", "reader"), 403)
      assert.strictEqual(yield* write("acme/open", "one"), 409)
    })
  )

  it.effect("has at most the installation's permissions", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, get } = yield* TestForge
      const permissions = "/orgs/acme/actions/permissions"
      assert.strictEqual((yield* get(permissions, { token: "robot" })).status, 200)
      const refused = yield* ask("PUT", permissions, { token: "robot", body: { enabled_repositories: "all" } })
      assert.strictEqual(refused.status, 403)
      assert.include(refused.headers["x-accepted-permissions"] ?? "", "organization_administration=write")
      assert.strictEqual((yield* get(permissions, { token: "reader" })).status, 403)
      // The permissions do not apply to other organizations.
      assert.strictEqual((yield* get(permissions, { token: "big" })).status, 403)
    })
  )

  it.effect("lists its repositories in pages", () =>
    Effect.gen(function* () {
      yield* fill()
      const { get } = yield* TestForge
      const all = yield* get("/installation/repositories", { token: "robot" })
      assert.strictEqual(all.status, 200)
      assert.deepStrictEqual([all.json.total_count, all.json.repository_selection], [2, "selected"])
      const full = all.json.repositories.map((one: { readonly full_name: string }) => one.full_name)
      assert.deepStrictEqual(full, ["acme/closed", "acme/open"])
      const second = yield* get("/installation/repositories?per_page=1&page=2", { token: "robot" })
      assert.deepStrictEqual([second.json.total_count, second.json.repositories[0].name], [2, "open"])
      assert.include(second.headers.link ?? "", 'rel="prev"')
      const one = yield* get("/installation/repositories", { token: "one" })
      assert.strictEqual(one.json.total_count, 1)
      const none = yield* get("/installation/repositories", { token: "big" })
      assert.deepStrictEqual([none.json.total_count, none.json.repository_selection], [1, "all"])
    })
  )

  it.effect("is required by endpoints of installations", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, get } = yield* TestForge
      assert.strictEqual((yield* get("/installation/repositories", { token: null })).status, 401)
      assert.strictEqual((yield* get("/installation/repositories", { token: "olga" })).status, 403)
      assert.strictEqual((yield* ask("DELETE", "/installation/token", { token: "olga" })).status, 403)
      assert.strictEqual((yield* ask("DELETE", "/installation/token", { token: null })).status, 401)
      assert.strictEqual((yield* get("/repos/acme/open", { token: "olga" })).status, 200)
    })
  )

  it.effect("is rejected by endpoints of the signed-in user", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      for (const path of ["/user", "/user/repos", "/user/keys", "/user/blocks", "/user/installations"]) {
        const refused = yield* get(path, { token: "robot" })
        assert.deepStrictEqual([refused.status, refused.json.status], [403, "403"], path)
      }
      assert.strictEqual((yield* get("/user", { token: "olga" })).status, 200)
    })
  )

  it.effect("is rejected after expiry or revocation", () =>
    Effect.gen(function* () {
      yield* fill({})
      const { ask, get } = yield* TestForge
      yield* TestClock.setTime(1_799_000)
      assert.strictEqual((yield* get("/repos/acme/closed", { token: "old" })).status, 200)
      yield* TestClock.setTime(1_800_000)
      assert.strictEqual((yield* get("/repos/acme/closed", { token: "old" })).status, 401)
      const revoked = yield* ask("DELETE", "/installation/token", { token: "robot" })
      assert.deepStrictEqual([revoked.status, revoked.text], [204, ""])
      for (const path of ["/repos/acme/open", "/installation/repositories"]) {
        const after = yield* get(path, { token: "robot" })
        assert.deepStrictEqual([after.status, after.json.message], [401, "Bad credentials"])
      }
      assert.strictEqual((yield* get("/repos/acme/open", { token: "reader" })).status, 200)
    })
  )
})

layer(forge())("a fine-grained token for selected repositories", (it) => {
  it.effect("does not see other private repositories, and reads public ones", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, get } = yield* TestForge
      const status = (path: string, token = "fine") => Effect.map(get(path, { token }), (answer) => answer.status)
      const write = (name: string) =>
        Effect.map(ask("POST", `/repos/${name}/git/refs`, { token: "fine", body: missing }), (answer) => answer.status)
      assert.deepStrictEqual([yield* status("/repos/acme/closed"), yield* write("acme/closed")], [200, 409])
      assert.deepStrictEqual([yield* status("/repos/acme/open"), yield* write("acme/open")], [200, 403])
      assert.deepStrictEqual([yield* status("/repos/acme/hidden"), yield* write("acme/hidden")], [404, 404])
      assert.strictEqual(yield* status("/repos/acme/closed", "workflow"), 404)
    })
  )
})

layer(forge())("a workflow's token", (it) => {
  it.effect("has no access to the organization, with any access to the repository", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, get } = yield* TestForge
      const token = "administering-workflow"
      const body = { description: "new" }
      assert.strictEqual((yield* ask("PATCH", "/repos/acme/open", { token, body })).status, 200)
      assert.strictEqual((yield* get("/orgs/acme/actions/permissions", { token })).status, 403)
      assert.strictEqual((yield* ask("POST", "/orgs/acme/repos", { token, body: { name: "new" } })).status, 403)
    })
  )
})

layer(forge())("a user token of an app", (it) => {
  it.effect("has the user's access where the app is installed, and none elsewhere", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, get } = yield* TestForge
      const status = (org: string, token: string) =>
        Effect.map(get(`/orgs/${org}/actions/permissions`, { token }), (answer) => answer.status)
      assert.deepStrictEqual([yield* status("acme", "by-robot"), yield* status("big", "by-robot")], [200, 403])
      assert.deepStrictEqual([yield* status("acme", "olga"), yield* status("big", "olga")], [200, 200])
      const create = (path: string) => ask("POST", path, { token: "by-robot-in-big", body: { name: "new" } })
      assert.strictEqual((yield* create("/orgs/big/repos")).status, 201)
      assert.strictEqual((yield* create("/orgs/acme/repos")).status, 403)
      const own = yield* create("/user/repos")
      assert.strictEqual(own.status, 403)
      assert.include(own.json.message, "not installed on the account of olga")
    })
  )
})

layer(forge())("the installations of a user", (it) => {
  it.effect("include those of the account, its organizations and shared repositories", () =>
    Effect.gen(function* () {
      yield* fill()
      const { get } = yield* TestForge
      const ids = Effect.fnUntraced(function* (token: string) {
        const answer = yield* get("/user/installations", { token })
        assert.strictEqual(answer.status, 200, answer.text)
        assert.strictEqual(answer.json.total_count, answer.json.installations.length)
        return answer.json.installations.map(({ id }: { readonly id: number }) => id)
      })
      assert.deepStrictEqual(yield* ids("olga"), [70, 71])
      assert.deepStrictEqual(yield* ids("mia"), [70, 72])
      assert.deepStrictEqual(yield* ids("mia-by-robot"), [70])
      assert.deepStrictEqual(yield* ids("carl"), [70])
      assert.deepStrictEqual(yield* ids("stranger"), [])
      assert.strictEqual((yield* get("/user/installations", { token: null })).status, 401)
      assert.strictEqual((yield* get("/user/installations", { token: "robot" })).status, 403)
    })
  )

  it.effect("have the documented members", () =>
    Effect.gen(function* () {
      yield* fill()
      const { get } = yield* TestForge
      const answer = yield* get("/user/installations?per_page=1", { token: "olga" })
      assert.strictEqual(answer.json.total_count, 2)
      assert.include(answer.headers.link ?? "", 'rel="next"')
      const [installation] = answer.json.installations
      assert.strictEqual(installation.account.login, "acme")
      assert.strictEqual(installation.target_id, installation.account.id)
      const { account: _, created_at: __, target_id: ___, updated_at: ____, ...rest } = installation
      assert.deepStrictEqual(rest, {
        id: 70,
        repository_selection: "selected",
        access_tokens_url: "http://forge.localhost/app/installations/70/access_tokens",
        repositories_url: "http://forge.localhost/installation/repositories",
        html_url: "http://forge.localhost/organizations/acme/settings/installations/70",
        app_id: 4,
        app_slug: "robot",
        target_type: "Organization",
        permissions: { contents: "write", organization_administration: "read" },
        events: ["push"],
        single_file_name: null,
        has_multiple_single_files: false,
        single_file_paths: [],
        suspended_by: null,
        suspended_at: null
      })
    })
  )
})

layer(forge())("an OAuth app with its client id and secret", (it) => {
  it.effect("reads only public data", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, get } = yield* TestForge
      for (const app of [basic("Iv1.robot", "s3cret"), basic("Iv1.poor", "s3cret:with:colons")]) {
        assert.strictEqual((yield* get("/repos/acme/open", app)).status, 200)
        assert.strictEqual((yield* get("/repos/acme/closed", app)).status, 404)
        assert.strictEqual((yield* get("/user", app)).status, 401)
        assert.strictEqual((yield* ask("POST", "/repos/acme/open/git/refs", { ...app, body: {} })).status, 401)
      }
      assert.strictEqual((yield* get("/repos/acme/open", basic("Iv1.robot", "wrong"))).status, 401)
      assert.strictEqual((yield* get("/repos/acme/open", basic("Iv1.nobody", "s3cret"))).status, 401)
      assert.strictEqual((yield* get("/user", basic("x", "olga"))).json.login, "olga")
    })
  )
})

layer(forge(RateLimitPolicy.specNumbers))("the rate limit", (it) => {
  it.effect("depends on the kind of caller", () =>
    Effect.gen(function* () {
      const members = Array.from({ length: 23 }, (_, index) => ({ login: `u${index}` }))
      yield* fill({
        users: [...rows.users, ...members],
        organizations: rows.organizations.map((one) =>
          one.login === "acme" ? { ...one, members: [...one.members, ...members] } : one
        ),
        repositories: [...rows.repositories, ...members.map(({ login }) => ({ full_name: `mia/${login}` }))]
      })
      const { get } = yield* TestForge
      const core = Effect.fnUntraced(function* (options: Support.Ask) {
        const { headers, status } = yield* get("/repos/acme/open", options)
        return [status, Number(headers["x-ratelimit-limit"]), Number(headers["x-ratelimit-used"])]
      })
      assert.deepStrictEqual(yield* core({ token: "robot" }), [200, 5000 + 5 * 50, 1])
      assert.deepStrictEqual(yield* core({ token: "reader" }), [200, 5000 + 5 * 50, 2])
      assert.deepStrictEqual(yield* core({ token: "big" }), [200, 15_000, 1])
      assert.deepStrictEqual(yield* core({ token: "workflow" }), [200, 1000, 1])
      assert.strictEqual((yield* get("/", { token: "big-workflow" })).headers["x-ratelimit-limit"], "15000")
      assert.deepStrictEqual(yield* core(basic("Iv1.robot", "s3cret")), [200, 15_000, 1])
      assert.deepStrictEqual(yield* core(basic("Iv1.poor", "s3cret:with:colons")), [200, 5000, 1])
      assert.deepStrictEqual(yield* core({ token: null }), [200, 60, 1])
      // A member of the enterprise that owns the app has the higher limit. Requests of this member also count to the
      // lower limit.
      assert.deepStrictEqual(yield* core({ token: "by-robot" }), [200, 15_000, 1])
      assert.deepStrictEqual(yield* core({ token: "olga" }), [200, 5000, 2])
      assert.deepStrictEqual(yield* core({ token: "by-robot" }), [200, 15_000, 2])
      assert.deepStrictEqual(yield* core({ token: "mia-by-robot" }), [200, 5000, 1])
      const search = yield* get("/search/code?q=x", basic("Iv1.poor", "s3cret:with:colons"))
      assert.strictEqual(search.headers["x-ratelimit-limit"], "30")
    })
  )
})

layer(forge())("two processes with one store", (it) => {
  it.effect("reject a token at once that the other revoked", () =>
    Effect.gen(function* () {
      yield* fill()
      const { get, repos } = yield* TestForge
      assert.strictEqual((yield* get("/installation/repositories", { token: "robot" })).status, 200)
      const data = join(repos, "../data")
      yield* Effect.gen(function* () {
        const tokens = yield* TokenRows
        const row = yield* requireRow(tokens.find(Redacted.make("robot")))
        yield* tokens.revoke(row.id)
      }).pipe(Effect.provide(Layer.fresh(TestDatabase.storageLayer(data))), Effect.orDie)
      assert.strictEqual((yield* get("/installation/repositories", { token: "robot" })).status, 401)
    })
  )

  it.effect("report a fixture without installation, or with a repository of another account", () =>
    Effect.gen(function* () {
      const wrong = (more: object) => Effect.map(Effect.flip(fill(more)), (error) => error.message)
      assert.include(yield* wrong({ tokens: [{ token: "x", kind: "installation" }] }), "tokens[0].installation:")
      assert.include(
        yield* wrong({ tokens: [{ token: "x", kind: "installation", installation: 99 }] }),
        "installation 99"
      )
      assert.include(yield* wrong({ tokens: [{ token: "x" }] }), "tokens[0].user:")
      const installation = { account: "mia", app_slug: "robot", repositories: ["acme/open"] }
      assert.include(yield* wrong({ installations: [installation], tokens: [] }), "installations[0].repositories[0]:")
    })
  )
})
