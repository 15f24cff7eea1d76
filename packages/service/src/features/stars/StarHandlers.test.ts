import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"

const { TestForge } = Support

/** Maximum statements of an uncached list. */
const MAX_STATEMENTS = 3

const each = <A>(count: number, item: (index: number) => A) => Array.from({ length: count }, (_, index) => item(index))

const star = { headers: { accept: "application/vnd.service.star+json" } }

const namesOf = (answer: Support.Answer): ReadonlyArray<string> =>
  answer.json.map((one: { name?: string; repo?: { name: string } }) => one.name ?? one.repo?.name)

const rows = {
  users: [{ login: "ann" }, { login: "ben" }, { login: "troll" }, ...each(110, (index) => ({ login: `fan-${index}` }))],
  organizations: [{ login: "acme", members: [{ login: "ann", role: "owner" }] }],
  repositories: [
    { full_name: "acme/open", auto_init: true },
    { full_name: "acme/closed", private: true, auto_init: true },
    ...each(100, (index) => ({ full_name: `ann/many-${index}` }))
  ],
  collaborators: [{ repository: "acme/closed", login: "ben", permission: "read" }],
  tokens: [
    ...["ann", "ben", "troll"].map((login) => ({ token: login, user: login, scopes: ["repo"] })),
    { token: "scopeless", user: "ben", scopes: [] },
    { token: "reader", user: "ben", kind: "fine_grained", permissions: { starring: "read" } },
    ...["fan-0", "fan-1"].map((login) => ({ token: login, user: login, scopes: ["repo"] }))
  ],
  blocks: [
    { user: "ann", blocked: "troll" },
    { user: "acme", blocked: "troll" }
  ],
  stars: [
    ...each(100, (index) => ({ user: "fan-0", repository: `ann/many-${index}` })),
    ...each(109, (index) => ({ user: `fan-${index + 1}`, repository: "ann/many-99" }))
  ]
}

const setUp = Effect.gen(function* () {
  yield* Fixtures.add(rows, (yield* TestForge).repos)
})

const forge = Layer.provideMerge(
  Layer.effectDiscard(Effect.orDie(setUp)),
  Support.layer((repos) => void Support.repository(repos, "hello"))
)

layer(forge, { timeout: 60_000 })("stars", (it) => {
  it.effect("are set, listed in both orders, counted and removed", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const token = "ben"
      assert.strictEqual((yield* get("/user/starred/acme/open", { token })).status, 404)
      assert.strictEqual((yield* ask("PUT", "/user/starred/acme/open", { token })).status, 204)
      assert.strictEqual((yield* ask("PUT", "/user/starred/ACME/open", { token })).status, 204)
      assert.strictEqual((yield* get("/user/starred/acme/open", { token })).status, 204)
      assert.strictEqual((yield* ask("PUT", "/user/starred/acme/closed", { token })).status, 204)
      const sql = yield* SqlClient.SqlClient
      for (const [name, time] of [
        ["open", "2026-01-01T00:00:00Z"],
        ["closed", "2026-01-02T00:00:00Z"]
      ])
        yield* sql`UPDATE stars SET created_at = ${time} WHERE repository_id = (
          SELECT id FROM repositories WHERE name = ${name})`
      assert.deepStrictEqual(namesOf(yield* get("/user/starred", { token })), ["closed", "open"])
      assert.deepStrictEqual(namesOf(yield* get("/user/starred?direction=asc", { token })), ["open", "closed"])
      assert.lengthOf((yield* get("/user/starred?sort=updated", { token })).json, 2)
      const timed = yield* get("/user/starred?direction=asc", { token, ...star })
      assert.strictEqual(timed.json[0].starred_at, "2026-01-01T00:00:00Z")
      assert.strictEqual(timed.json[0].repo.full_name, "acme/open")
      const gazers = yield* get("/repos/acme/open/stargazers", { token: null })
      assert.deepStrictEqual(
        gazers.json.map(({ login }: { login: string }) => login),
        ["ben"]
      )
      const withTimes = yield* get("/repos/acme/open/stargazers", star)
      assert.deepInclude(withTimes.json[0], { starred_at: "2026-01-01T00:00:00Z" })
      assert.strictEqual(withTimes.json[0].user.login, "ben")
      assert.deepInclude((yield* get("/repos/acme/open")).json, { stargazers_count: 1, watchers_count: 1, watchers: 1 })
      assert.deepStrictEqual((yield* get("/repos/acme/open/stargazers/count")).json, { count: 1 })
      const [event] = (yield* get("/repos/acme/open/events", { token })).json
      assert.deepInclude(event, { type: "WatchEvent", payload: { action: "started" } })
      assert.strictEqual((yield* ask("DELETE", "/user/starred/acme/open", { token })).status, 204)
      assert.strictEqual((yield* ask("DELETE", "/user/starred/acme/open", { token })).status, 204)
      assert.strictEqual((yield* get("/repos/acme/open")).json.stargazers_count, 0)
    })
  )

  it.effect("of private repositories are hidden without access, in the next request", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const sees = Effect.fnUntraced(function* (path: string, token: string | null) {
        return namesOf(yield* get(path, { token })).includes("closed")
      })
      yield* ask("PUT", "/user/starred/acme/closed", { token: "ben" })
      assert.isTrue(yield* sees("/users/ben/starred", "ben"))
      assert.isTrue(yield* sees("/users/ben/starred", "ann"))
      for (const token of ["troll", "scopeless", null]) assert.isFalse(yield* sees("/users/ben/starred", token))
      assert.strictEqual((yield* ask("PUT", "/user/starred/acme/closed", { token: "troll" })).status, 404)
      assert.strictEqual((yield* get("/repos/acme/closed/stargazers", { token: "troll" })).status, 404)
      const { headers } = yield* get("/user/starred", { token: "ben" })
      const removed = yield* ask("DELETE", "/repos/acme/closed/collaborators/ben", { token: "ann" })
      assert.strictEqual(removed.status, 204)
      const cached = { "if-none-match": headers["etag"] ?? "" }
      const again = yield* get("/user/starred", { token: "ben", headers: cached })
      assert.strictEqual(again.status, 200)
      assert.notInclude(namesOf(again), "closed")
      assert.strictEqual((yield* get("/user/starred/acme/closed", { token: "ben" })).status, 404)
    })
  )

  it.effect("need permission, and an owner who has not blocked the account", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      const put = (path: string, token: string | null) =>
        Effect.map(ask("PUT", `/user/starred/${path}`, { token }), ({ status }) => status)
      assert.strictEqual(yield* put("acme/open", "troll"), 403)
      assert.strictEqual(yield* put("ann/many-1", "troll"), 403)
      assert.strictEqual(yield* put("ann/many-1", "scopeless"), 403)
      assert.strictEqual(yield* put("ann/many-1", "reader"), 403)
      assert.strictEqual(yield* put("ann/many-1", null), 401)
      assert.strictEqual(yield* put("ann/missing", "ben"), 404)
    })
  )

  it.effect("go with their account", () =>
    Effect.gen(function* () {
      const { ask, get, user } = yield* TestForge
      const sql = yield* SqlClient.SqlClient
      const id = yield* user({ login: "brief" })
      yield* sql`INSERT INTO stars (repository_id, user_id, created_at)
        SELECT id, ${id}, '2026-01-01T00:00:00Z' FROM repositories WHERE name = 'many-3'`
      assert.strictEqual((yield* get("/repos/ann/many-3")).json.stargazers_count, 2)
      yield* sql`DELETE FROM users WHERE id = ${id}`
      yield* ask("PUT", "/user/starred/ann/many-4", { token: "ann" })
      assert.strictEqual((yield* get("/repos/ann/many-3")).json.stargazers_count, 1)
    })
  )

  it.effect("need as many statements for 2 as for 100 repositories or accounts", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      let index = 0
      for (const path of ["/user/starred", "/users/fan-0/starred", "/repos/ann/many-99/stargazers"]) {
        const measure = Effect.fnUntraced(function* (size: number) {
          // Changes the database, so that nothing is cached, and then reads the caller's rights.
          yield* ask("PUT", `/user/starred/ann/many-${index++}`, { token: "fan-1" })
          yield* get("/user", { token: "fan-0" })
          yield* get("/user/repos", { token: "fan-0" })
          yield* get("/repos/ann/many-99/stargazers/count", { token: "fan-0" })
          const answer = Effect.map(get(`${path}?per_page=${size}`, { token: "fan-0" }), ({ json }) =>
            assert.lengthOf(json, size)
          )
          return yield* Support.statements(answer)
        })
        const few = yield* measure(2)
        const many = yield* measure(100)
        assert.strictEqual(many, few, path)
        assert.isAtLeast(many, 1, path)
        assert.isAtMost(many, MAX_STATEMENTS, path)
      }
    })
  )
})
