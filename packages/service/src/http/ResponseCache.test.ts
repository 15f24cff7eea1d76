import { renameSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as SqlClient from "effect/sql/SqlClient"
import * as Forge from "../main/Forge.test-support.ts"
import { commit, git } from "../git/Fixture.test-support.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { Owner } from "../main/Owner.ts"
import { OrganizationRows } from "../accounts/OrganizationRows.ts"
import { RepositoryRows } from "../repositories/RepositoryRows.ts"
import { RequestRows } from "../features/insights/RequestRows.ts"
import { TokenRows } from "../access/TokenRows.ts"
import { App } from "./App.ts"
import { RequestRecorder } from "../features/insights/RequestRecorder.ts"
import * as RateLimitPolicy from "../access/RateLimitPolicy.ts"
import { timestamp } from "../base/Time.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import * as TestDatabase from "../storage/TestDatabase.test-support.ts"

const { TestForge } = Forge

const repositories = (repos: string) => {
  for (const name of ["moving", "other", "renamed", "shared", "vanishing", "worked-on"]) Forge.repository(repos, name)
}

/** Sets the times of reference files to a minute ago, because the cache does not trust newer ones. */
const settle = (path: string) => {
  const old = new Date(Date.now() - 60_000)
  for (const name of ["HEAD", "packed-refs", "refs", "refs/heads", "refs/tags"]) {
    const file = join(path, ".git", name)
    if (statSync(file, { throwIfNoEntry: false }) !== undefined) utimesSync(file, old, old)
  }
}

const headersOf = (token: string | null) => ({
  host: "forge.localhost",
  "user-agent": "test",
  ...(token === null ? {} : { authorization: `Bearer ${token}` })
})

/** The response that a socket gets from the cache without a fiber, if any. */
const answerFromCache = Effect.fnUntraced(function* (
  path: string,
  options: {
    readonly method?: string
    readonly token?: string | null
    readonly headers?: Record<string, string | undefined>
  } = {}
) {
  const app = yield* App
  const token = options.token === undefined ? Redacted.value((yield* Owner).token) : options.token
  const head = { url: path, headers: { ...headersOf(token), ...options.headers } }
  const lookup = app.lookUp(head)
  const ready = lookup === undefined ? undefined : app.answerFromCache(options.method ?? "GET", head, lookup)
  if (ready === undefined) return undefined
  const { body, headers, status } = ready
  const pairs = headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? ""] as const] : [])) // a pair
  return { status, headers: new Map(pairs), text: body === undefined ? undefined : Buffer.from(body).toString() }
})

/** Repeats a request until the response is cached, and returns the response. */
const kept = Effect.fnUntraced(function* (path: string, token?: string | null) {
  const { get, repos } = yield* TestForge
  for (const name of ["moving", "other", "renamed", "shared", "vanishing", "worked-on"]) settle(join(repos, name))
  const options = token === undefined ? {} : { token }
  // The second request fills the cache, unless a file has changed a moment ago.
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = yield* get(path, options)
    assert.strictEqual(answer.status, 200, answer.text)
    const cached = yield* answerFromCache(path, options)
    if (cached?.text === answer.text) return answer
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
  }
  return assert.fail(`${path} is never cached`)
})

/** Asserts that the next response differs from `before`, in this process and on a socket. */
const changed = Effect.fnUntraced(function* (path: string, before: Forge.Answer, token?: string | null) {
  const { get } = yield* TestForge
  assert.isUndefined(yield* answerFromCache(path, token === undefined ? {} : { token }))
  const after = yield* get(path, token === undefined ? {} : { token })
  assert.notStrictEqual(after.text, before.text)
  return after
})

/** As another process would, that has the same store open. */
const elsewhere = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(TestForge, ({ repos }) =>
    Effect.orDie(Effect.provide(effect, Layer.fresh(TestDatabase.storageLayer(join(repos, "../data")))))
  )

layer(Forge.layer(repositories))("a cached response", (it) => {
  describe("is used", () => {
    it.effect("with a new request id", () =>
      Effect.gen(function* () {
        const { base } = yield* TestForge
        for (const path of ["/user/repos", `${base}/other`, `${base}/other/branches`, `${base}/other/commits`]) {
          const answer = yield* kept(path)
          const again = yield* answerFromCache(path)
          assert.strictEqual(again?.status, 200)
          const { "x-request-id": id, ...headers } = answer.headers
          const { "x-request-id": ownId, ...ownHeaders } = Object.fromEntries(again?.headers ?? [])
          assert.deepStrictEqual({ ...ownHeaders }, { ...headers })
          assert.match(ownId ?? "", /^[0-9a-f-]{36}$/)
          assert.notStrictEqual(ownId, id)
        }
      })
    )

    it.effect("without its body for HEAD, and as 304 for a matching ETag", () =>
      Effect.gen(function* () {
        const { base } = yield* TestForge
        const path = `${base}/other/branches`
        const { headers } = yield* kept(path)
        const head = yield* answerFromCache(path, { method: "HEAD" })
        assert.deepStrictEqual([head?.status, head?.text], [200, undefined])
        assert.strictEqual(head?.headers.get("content-length"), headers["content-length"])
        const same = yield* answerFromCache(path, { headers: { "if-none-match": headers["etag"] } })
        assert.deepStrictEqual([same?.status, same?.text], [304, undefined])
        assert.strictEqual(same?.headers.get("etag"), headers["etag"])
        assert.isFalse(same?.headers.has("content-length"))
        assert.strictEqual((yield* answerFromCache(path, { headers: { "if-none-match": `"x"` } }))?.status, 200)
      })
    )

    it.effect("only for the same caller, request and User-Agent rule", () =>
      Effect.gen(function* () {
        const { base, token, user } = yield* TestForge
        const path = `${base}/other/branches`
        yield* kept(path)
        const other = yield* token({ userId: yield* user({ login: "other" }), kind: "classic", scopes: ["repo"] })
        assert.isUndefined(yield* answerFromCache(path, { token: other }))
        assert.isUndefined(yield* answerFromCache(path, { token: null }))
        assert.isUndefined(yield* answerFromCache(path, { method: "POST" }))
        assert.isUndefined(yield* answerFromCache(`${path}?page=2`))
        for (const [name, value] of [
          ["user-agent", " "],
          ["user-agent", undefined],
          ["host", "elsewhere.localhost"],
          ["x-forwarded-proto", "https"],
          ["accept", "application/vnd.service.raw"],
          ["x-service-api-version", "2026-03-10"],
          ["authorization", "undefined"]
        ] as const) {
          assert.isUndefined(yield* answerFromCache(path, { headers: { [name]: value } }), `${name}: ${value}`)
        }
      })
    )

    it.effect("for concurrent requests, even if the first one is aborted", () =>
      Effect.gen(function* () {
        const { base, get } = yield* TestForge
        const path = `${base}/other/commits?per_page=7`
        const first = yield* Effect.forkChild(get(path), { startImmediately: true })
        const others = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 20 }, () => get(path)),
            { concurrency: "unbounded" }
          ),
          { startImmediately: true }
        )
        yield* Fiber.interrupt(first)
        const answers = yield* Fiber.join(others)
        assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
        assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
      })
    )

    it.effect("and counts towards rate limits", () =>
      Effect.gen(function* () {
        const { get, token, user } = yield* TestForge
        const organizationId = yield* user({ login: "acme", type: "Organization" })
        const userId = yield* user({ login: "olga" })
        yield* (yield* OrganizationRows).setRole(organizationId, userId, "owner")
        const secret = yield* token({ userId, kind: "classic", scopes: ["repo", "admin:org"] })
        const { ask } = yield* TestForge
        const made = yield* ask("POST", "/orgs/acme/repos", { token: secret, body: { name: "open" } })
        assert.strictEqual(made.status, 201, made.text)
        yield* (yield* RequestRecorder).flush
        const counts = Effect.map(
          (yield* RequestRows).summary({ organizationId, from: 0, to: 9_999_999_999 }),
          (row) => row.total_request_count
        )
        const path = "/repos/acme/open"
        const served = yield* requireRow((yield* RepositoryRegistry).find("acme", "open"))
        const old = new Date(Date.now() - 60_000)
        for (const name of ["HEAD", "refs", "refs/heads", "refs/tags"])
          utimesSync(join(served.git.path, name), old, old)
        const before = yield* counts
        for (const _ of [1, 2]) yield* get(path, { token: secret })
        assert.strictEqual((yield* answerFromCache(path, { token: secret }))?.status, 200)
        yield* (yield* RequestRecorder).flush
        assert.strictEqual(yield* counts, before + 3)
        // Recording requests does not invalidate the cache.
        assert.strictEqual((yield* answerFromCache(path, { token: secret }))?.status, 200)
      })
    )
  })

  describe("is invalidated", () => {
    it.effect("after another program moved, created, packed or deleted a reference", () =>
      Effect.gen(function* () {
        const { base, repos } = yield* TestForge
        const path = join(repos, "moving")
        const commits = `${base}/moving/commits`
        const before = yield* kept(commits)
        const sha = commit(path, { "b.txt": "two\n" }, "second")
        assert.strictEqual((yield* changed(commits, before)).json[0].sha, sha)

        const branches = `${base}/moving/branches`
        const one = yield* kept(branches)
        git(path, ["branch", "topic/x"])
        const two = yield* changed(branches, one)
        assert.strictEqual(two.json.length, 2)
        git(path, ["pack-refs", "--all"])
        assert.strictEqual((yield* kept(branches)).json.length, 2)
        git(path, ["branch", "-D", "topic/x"])
        yield* changed(branches, two)
      })
    )

    it.effect("after another program changed the default branch", () =>
      Effect.gen(function* () {
        const { base, repos } = yield* TestForge
        const path = join(repos, "worked-on")
        const before = yield* kept(`${base}/worked-on`)
        git(path, ["branch", "next"])
        git(path, ["symbolic-ref", "HEAD", "refs/heads/next"])
        assert.strictEqual((yield* changed(`${base}/worked-on`, before)).json.default_branch, "next")
      })
    )

    it.effect("after the API moved a reference", () =>
      Effect.gen(function* () {
        const { ask, base, repos } = yield* TestForge
        const before = yield* kept(`${base}/moving/branches`)
        const sha = git(join(repos, "moving"), ["rev-parse", "HEAD"])
        const made = yield* ask("POST", `${base}/moving/git/refs`, { body: { ref: "refs/heads/by-api", sha } })
        assert.strictEqual(made.status, 201)
        yield* changed(`${base}/moving/branches`, before)
      })
    )

    it.effect("after one of many repositories changed, disappeared or came back", () =>
      Effect.gen(function* () {
        const { repos } = yield* TestForge
        const names = ({ json }: Forge.Answer) => json.map(({ name }: { readonly name: string }) => name)
        const before = yield* kept("/user/repos")
        const path = join(repos, "moving")
        git(path, ["symbolic-ref", "HEAD", "refs/heads/by-api"])
        const after = yield* changed("/user/repos", before)
        assert.notInclude(before.text, `"default_branch":"by-api"`)
        assert.include(after.text, `"default_branch":"by-api"`)

        const all = yield* kept("/user/repos")
        renameSync(join(repos, "vanishing"), join(repos, "away"))
        const without = yield* changed("/user/repos", all)
        assert.notInclude(names(without), "vanishing")
        renameSync(join(repos, "away"), join(repos, "vanishing"))
        assert.include(names(yield* changed("/user/repos", without)), "vanishing")
      })
    )

    it.effect("after the API changed the store", () =>
      Effect.gen(function* () {
        const { ask, base } = yield* TestForge
        const before = yield* kept(`${base}/other`)
        const list = yield* kept("/user/repos")
        const description = "told otherwise"
        assert.strictEqual((yield* ask("PATCH", `${base}/other`, { body: { description } })).status, 200)
        assert.strictEqual((yield* changed(`${base}/other`, before)).json.description, description)
        assert.include((yield* changed("/user/repos", list)).text, description)
      })
    )

    it.effect("after another process changed the store", () =>
      Effect.gen(function* () {
        const { base, owner } = yield* TestForge
        const before = yield* kept(`${base}/other`)
        yield* elsewhere(
          Effect.gen(function* () {
            const rows = yield* RepositoryRows
            const row = yield* requireRow(rows.find(owner, "other"))
            yield* rows.update(row.id, { description: "told elsewhere" })
          })
        )
        assert.strictEqual((yield* changed(`${base}/other`, before)).json.description, "told elsewhere")
      })
    )

    it.effect("after the repository became private", () =>
      Effect.gen(function* () {
        const { ask, base } = yield* TestForge
        const path = `${base}/renamed/branches`
        const before = yield* kept(path, null)
        assert.strictEqual((yield* ask("PATCH", `${base}/renamed`, { body: { private: true } })).status, 200)
        assert.strictEqual((yield* changed(path, before, null)).status, 404)
      })
    )

    it.effect("after the repository was renamed", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        const before = yield* kept(`${base}/renamed/branches`)
        assert.strictEqual((yield* ask("PATCH", `${base}/renamed`, { body: { name: "called" } })).status, 200)
        assert.isUndefined(yield* answerFromCache(`${base}/renamed/branches`))
        assert.notStrictEqual((yield* get(`${base}/called/branches`)).text, before.text)
      })
    )

    it.effect("after a role or a token was revoked", () =>
      Effect.gen(function* () {
        const { ask, base, owner, token, user } = yield* TestForge
        const sql = yield* SqlClient.SqlClient
        const userId = yield* user({ login: "guest" })
        const row = yield* requireRow((yield* RepositoryRows).find(owner, "shared"))
        yield* (yield* OrganizationRows).setCollaboration(row.id, userId, "read")
        assert.strictEqual((yield* ask("PATCH", `${base}/shared`, { body: { private: true } })).status, 200)
        const guest = yield* token({ userId, kind: "classic", scopes: ["repo"] })
        const path = `${base}/shared/commits`
        const before = yield* kept(path, guest)
        yield* sql`DELETE FROM collaborators WHERE user_id = ${userId}`
        assert.strictEqual((yield* changed(path, before, guest)).status, 404)

        yield* (yield* OrganizationRows).setCollaboration(row.id, userId, "read")
        const again = yield* kept(path, guest)
        const tokens = yield* TokenRows
        yield* elsewhere(
          Effect.gen(function* () {
            const theirs = yield* TokenRows
            yield* theirs.revoke((yield* requireRow(theirs.find(Redacted.make(guest)))).id)
          })
        )
        assert.isUndefined(yield* tokens.find(Redacted.make(guest)))
        assert.strictEqual((yield* changed(path, again, guest)).status, 401)
      })
    )

    it.effect("after its token has expired, and after a minute", () =>
      Effect.gen(function* () {
        const { base, get, token, user } = yield* TestForge
        const expiresAt = timestamp(30_000)
        const brief = yield* token({
          userId: yield* user({ login: "brief" }),
          kind: "classic",
          scopes: ["repo"],
          expiresAt
        })
        const path = `${base}/other/branches`
        const before = yield* kept(path, brief)
        yield* kept(path)
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual((yield* changed(path, before, brief)).status, 401)
        assert.isDefined(yield* answerFromCache(path))
        yield* TestClock.adjust("30 seconds")
        assert.isUndefined(yield* answerFromCache(path))
        yield* get(path)
        assert.isDefined(yield* answerFromCache(path))
      })
    )
  })
})

layer(
  Forge.layer((repos) => void Forge.repository(repos, "hello"), { limits: { ...RateLimitPolicy.specNumbers, user: 3 } })
)("with rate limits", (it) => {
  it.effect("every request counts, also cached ones", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* TestForge
      settle(join(repos, "hello"))
      const path = `${base}/hello/branches`
      for (const left of ["2", "1", "0"]) {
        const answer = yield* get(path)
        assert.strictEqual(answer.headers["x-ratelimit-remaining"], left)
        assert.isUndefined(yield* answerFromCache(path))
      }
      assert.strictEqual((yield* get(path)).status, 403)
    })
  )
})
