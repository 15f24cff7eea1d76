import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Forge from "../main/Forge.test-support.ts"
import { TokenRows } from "../access/TokenRows.ts"
import { timestamp } from "../base/Time.ts"

const { TestForge } = Forge

/** A public and a private repository of a user, and a branch name to write to. */
const setUp = Effect.fnUntraced(function* (login: string) {
  const { ask, token, user } = yield* TestForge
  const userId = yield* user({ login })
  const full = yield* token({ userId, kind: "classic", scopes: ["repo"] })
  for (const [name, isPrivate] of [
    ["open", false],
    ["closed", true]
  ] as const) {
    const made = yield* ask("POST", "/user/repos", { token: full, body: { name, private: isPrivate, auto_init: true } })
    assert.strictEqual(made.status, 201, made.text)
  }
  const read = (name: string, token: string | null) =>
    ask("GET", `/repos/${login}/${name}/git/ref/heads/main`, { token })
  const write = Effect.fnUntraced(function* (name: string, token: string | null, branch: string) {
    const sha: string = (yield* read(name, full)).json.object.sha
    return yield* ask("POST", `/repos/${login}/${name}/git/refs`, { token, body: { ref: `refs/heads/${branch}`, sha } })
  })
  return { userId, full, read, write }
})

layer(Forge.layer((repos) => Forge.repository(repos, "hello")))("access", (it) => {
  it.effect("hides private repositories, also from lists", () =>
    Effect.gen(function* () {
      const { ask, get, token, user } = yield* TestForge
      const { full, read, write } = yield* setUp("anna")
      const stranger = yield* token({ userId: yield* user({ login: "ben" }), kind: "classic", scopes: ["repo"] })
      const narrow = yield* token({ userId: yield* user({ login: "anna" }), kind: "classic", scopes: ["public_repo"] })
      for (const token of [stranger, narrow, null]) {
        const hidden = yield* read("closed", token)
        const absent = yield* read("absent", token)
        assert.strictEqual(hidden.status, 404)
        assert.strictEqual(hidden.text, absent.text)
        assert.strictEqual((yield* write("closed", token, "x")).status, 404)
        assert.strictEqual((yield* read("open", token)).status, 200)
        const found = yield* get("/search/code?q=closed", { token })
        assert.notInclude(found.text, "anna/closed")
        assert.strictEqual((yield* get("/search/code?q=closed+repo:anna/closed", { token })).status, 422)
      }
      assert.strictEqual((yield* read("closed", full)).status, 200)
      assert.include((yield* get("/search/code?q=closed", { token: full })).text, "anna/closed")
      const names = (answer: Forge.Answer) => answer.json.map(({ name }: { readonly name: string }) => name)
      assert.deepStrictEqual(names(yield* get("/user/repos", { token: full })), ["closed", "open"])
      assert.deepStrictEqual(names(yield* get("/user/repos", { token: narrow })), ["open"])
      assert.deepStrictEqual(names(yield* get("/user/repos?visibility=private", { token: full })), ["closed"])
      assert.deepStrictEqual(names(yield* get("/user/repos?direction=desc", { token: full })), ["open", "closed"])
      assert.deepStrictEqual(names(yield* get("/user/repos", { token: stranger })), [])
      assert.strictEqual((yield* ask("GET", "/repos/ANNA/Closed", { token: full })).json.full_name, "anna/closed")
    })
  )

  it.effect("lets anonymous callers read public data only", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const { read, write } = yield* setUp("cleo")
      assert.strictEqual((yield* read("open", null)).status, 200)
      for (const answer of [
        yield* write("open", null, "x"),
        yield* get("/user", { token: null }),
        yield* get("/user/repos", { token: null })
      ]) {
        assert.strictEqual(answer.status, 401)
        assert.strictEqual(answer.json.message, "Requires authentication")
      }
      assert.strictEqual((yield* get(`${base}/hello`, { token: null })).json.permissions.push, false)
      assert.strictEqual((yield* get(`${base}/hello`)).json.permissions.push, true)
    })
  )

  it.effect("names missing scopes and those of the token", () =>
    Effect.gen(function* () {
      const { ask, token } = yield* TestForge
      const { userId, write } = yield* setUp("dora")
      const bare = yield* token({ userId, kind: "oauth", scopes: ["user", "read:public_key"] })
      const refused = yield* write("open", bare, "x")
      assert.strictEqual(refused.status, 403)
      assert.strictEqual(refused.headers["x-accepted-oauth-scopes"], "public_repo, repo")
      assert.strictEqual(refused.headers["x-oauth-scopes"], "user, read:public_key")
      assert.isUndefined(refused.headers["x-accepted-permissions"])
      const publicOnly = yield* token({ userId, kind: "classic", scopes: ["public_repo"] })
      assert.strictEqual((yield* write("open", publicOnly, "by-scope")).status, 201)
      assert.strictEqual((yield* ask("POST", "/user/repos", { token: bare, body: { name: "x" } })).status, 403)
      const make = (isPrivate: boolean) =>
        ask("POST", "/user/repos", { token: publicOnly, body: { name: "y", private: isPrivate } })
      const hidden = yield* make(true)
      assert.deepStrictEqual([hidden.status, hidden.headers["x-accepted-oauth-scopes"]], [403, "repo"])
      assert.strictEqual((yield* make(false)).status, 201)
    })
  )

  it.effect("names accepted scopes or permissions in successful responses", () =>
    Effect.gen(function* () {
      const { get, token } = yield* TestForge
      const { full, read, userId } = yield* setUp("lena")
      const scopes = Effect.fnUntraced(function* (path: string) {
        const answer = yield* get(path, { token: full })
        return [answer.status, answer.headers["x-accepted-oauth-scopes"], answer.headers["x-oauth-scopes"]]
      })
      assert.deepStrictEqual(yield* scopes("/repos/lena/open"), [200, "", "repo"])
      assert.deepStrictEqual(yield* scopes("/repos/lena/closed"), [200, "repo", "repo"])
      assert.deepStrictEqual(yield* scopes("/repos/lena/open/hooks"), [200, "read:repo_hook, repo", "repo"])
      const fine = yield* read(
        "open",
        yield* token({ userId, kind: "fine_grained", permissions: { contents: "read" } })
      )
      assert.deepStrictEqual(
        [fine.status, fine.headers["x-accepted-permissions"], fine.headers["x-accepted-oauth-scopes"]],
        [200, "contents=read", undefined]
      )
      assert.isUndefined((yield* read("open", null)).headers["x-accepted-oauth-scopes"])
    })
  )

  it.effect("names accepted scopes and permissions in a 404, the same for hidden and missing repositories", () =>
    Effect.gen(function* () {
      const { get, token } = yield* TestForge
      const { userId } = yield* setUp("wanda")
      const publicOnly = yield* token({ userId, kind: "classic", scopes: ["public_repo"] })
      const other = yield* setUp("xenia")
      const fine = yield* token({ userId: other.userId, kind: "fine_grained", permissions: { contents: "read" } })
      for (const path of ["/repos/wanda/closed/branches", "/repos/wanda/missing/branches"]) {
        const hidden = yield* get(path, { token: publicOnly })
        assert.deepStrictEqual(
          [hidden.status, hidden.headers["x-accepted-oauth-scopes"], hidden.headers["x-oauth-scopes"]],
          [404, "repo", "public_repo"]
        )
        const foreign = yield* get(path, { token: fine })
        assert.deepStrictEqual(
          [foreign.status, foreign.headers["x-accepted-permissions"], foreign.headers["x-accepted-oauth-scopes"]],
          [404, "contents=read", undefined]
        )
        const anonymous = yield* get(path, { token: null })
        assert.deepStrictEqual([anonymous.status, anonymous.headers["x-accepted-oauth-scopes"]], [404, undefined])
      }
    })
  )

  it.effect("names a missing permission", () =>
    Effect.gen(function* () {
      const { token } = yield* TestForge
      const { read, userId, write } = yield* setUp("emil")
      const make = (permissions: Record<string, "read" | "write">) =>
        token({ userId, kind: "fine_grained", permissions })
      const reader = yield* make({ contents: "read" })
      assert.strictEqual((yield* read("open", reader)).status, 200)
      assert.strictEqual((yield* read("closed", reader)).status, 200)
      const refused = yield* write("open", reader, "x")
      assert.strictEqual(refused.status, 403)
      assert.strictEqual(refused.headers["x-accepted-permissions"], "contents=write,contents=write;workflows=write")
      assert.isUndefined(refused.headers["x-accepted-oauth-scopes"])
      assert.isUndefined(refused.headers["x-oauth-scopes"])
      assert.strictEqual((yield* write("open", yield* make({ contents: "write" }), "by-permission")).status, 201)
      assert.strictEqual((yield* read("open", yield* make({ issues: "write" }))).status, 403)
    })
  )

  it.effect("does not search files that a token cannot read", () =>
    Effect.gen(function* () {
      const { get, token } = yield* TestForge
      const { full, read, userId } = yield* setUp("nora")
      const permitted = (permissions: Record<string, "read" | "write">) =>
        token({ userId, kind: "fine_grained", permissions })
      const blind = yield* permitted({ metadata: "read" })
      const seeing = yield* permitted({ contents: "read" })
      const paths = [
        "/search/code?q=closed",
        "/tongs/search?q=closed",
        "/tongs/index",
        "/tongs/repos/nora/open/definitions/closed"
      ]
      for (const path of paths) assert.notInclude((yield* get(path, { token: blind })).text, "closed", path)
      for (const path of paths.slice(0, 3)) assert.include((yield* get(path, { token: seeing })).text, "closed", path)
      const named = "/search/code?q=closed+repo:nora/closed"
      assert.strictEqual((yield* get(named, { token: blind })).status, 422)
      assert.strictEqual((yield* get(named, { token: seeing })).status, 200)
      const blame = "/tongs/repos/nora/closed/blame/README.md"
      assert.strictEqual((yield* get(blame, { token: blind })).status, 403)
      assert.strictEqual((yield* get(blame, { token: full })).status, 200)
      // The token may know that the resource exists.
      assert.strictEqual((yield* get("/repos/nora/closed", { token: blind })).status, 200)
      assert.strictEqual((yield* read("closed", blind)).status, 403)
    })
  )

  it.effect("lets only site administrators write to public repositories of others", () =>
    Effect.gen(function* () {
      const { ask, base, token, user } = yield* TestForge
      const { write } = yield* setUp("fritz")
      const other = yield* token({ userId: yield* user({ login: "gina" }), kind: "classic", scopes: ["repo"] })
      const refused = yield* write("open", other, "x")
      assert.strictEqual(refused.status, 403)
      assert.include(refused.json.message, "fritz/open")
      const foreign = yield* ask("DELETE", `${base}/hello/git/refs/heads/none`, { token: other })
      assert.strictEqual(foreign.status, 403)
      const administrator = yield* token({
        userId: yield* user({ login: "adele", siteAdmin: true }),
        kind: "classic",
        scopes: ["repo"]
      })
      assert.strictEqual((yield* write("closed", administrator, "by-admin")).status, 201)
    })
  )

  it.effect("rejects wrong, malformed and expired credentials on all routes", () =>
    Effect.gen(function* () {
      const { get, token, user } = yield* TestForge
      const userId = yield* user({ login: "hanna" })
      const now = yield* Clock.currentTimeMillis
      const expired = yield* token({ userId, kind: "installation", expiresAt: timestamp(now - 1000) })
      const valid = yield* token({ userId, kind: "installation", expiresAt: timestamp(now + 3_600_000) })
      assert.strictEqual((yield* get("/", { token: valid })).status, 200)
      for (const authorization of [
        `Bearer ${expired}`,
        "Bearer nonsense",
        "Bearer ",
        "Bearer",
        "nonsense",
        "Digest abc",
        "Basic !!",
        `Basic ${Buffer.from("x:").toString("base64")}`
      ]) {
        for (const path of ["/", "/user", "/nothing"]) {
          const answer = yield* get(path, { token: null, headers: { authorization } })
          assert.strictEqual(answer.status, 401, authorization)
          assert.strictEqual(answer.json.message, "Bad credentials")
        }
      }
    })
  )

  it.effect("accepts Bearer, token, and Basic with the token as password", () =>
    Effect.gen(function* () {
      const { get, token, user } = yield* TestForge
      const secret = yield* token({ userId: yield* user({ login: "ida" }), kind: "classic", scopes: [] })
      const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`
      for (const authorization of [
        `Bearer ${secret}`,
        `bearer  ${secret}`,
        `token ${secret}`,
        basic(`ida:${secret}`)
      ]) {
        const answer = yield* get("/user", { token: null, headers: { authorization } })
        assert.strictEqual(answer.json.login, "ida", authorization)
        assert.notProperty(answer.json, "two_factor_authentication")
      }
      const personal = yield* token({ userId: yield* user({ login: "ida" }), kind: "classic", scopes: ["user"] })
      assert.property((yield* get("/user", { token: personal })).json, "two_factor_authentication")
    })
  )

  it.effect("notices a changed or expired token at the next request", () =>
    Effect.gen(function* () {
      const { get, token, user } = yield* TestForge
      const tokens = yield* TokenRows
      const secret = yield* token({ userId: yield* user({ login: "jan" }), kind: "classic" })
      assert.strictEqual((yield* get("/user", { token: secret })).json.login, "jan")
      const expiresAt = timestamp((yield* Clock.currentTimeMillis) + 60_000)
      yield* tokens.add({ userId: yield* user({ login: "kim" }), kind: "classic", expiresAt }, Redacted.make(secret))
      assert.strictEqual((yield* get("/user", { token: secret })).json.login, "kim")
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* get("/user", { token: secret })).status, 401)
    })
  )
})
