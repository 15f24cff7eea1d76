import { mkdirSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const WATCHERS = 2000
const THREADS = 50_000
const REPOSITORIES = 50

/** Runs of which the fastest is printed with TONGS_TEST_FIGURES=1. Other processes use the same cores. */
const RUNS = 9
const TIME = "1970-01-01T00:00:00Z"

/** The fastest of several runs, in milliseconds. */
const fastest = Effect.fnUntraced(function* <E, R>(run: (index: number) => Effect.Effect<unknown, E, R>) {
  let best = Infinity
  for (let index = 1; index <= RUNS; index++) {
    const start = performance.now()
    yield* run(index)
    best = Math.min(best, performance.now() - start)
  }
  return Math.round(best * 10) / 10
})

const print = (figures: object) => {
  if (process.env["TONGS_TEST_FIGURES"] !== undefined) process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`)
}

layer(Support.layer((repos) => mkdirSync(repos)))("many notifications", (it) => {
  const numbers = (sql: SqlClient.SqlClient, count: number) => sql`(
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.literal(String(count - 1))})
    SELECT i FROM n) numbers`

  it.effect("are written in one statement for 2,000 watchers", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { ask, get, owner, token } = yield* TestForge
      yield* ask("POST", "/user/repos", { body: { name: "watched" } })
      const path = `/repos/${owner}/watched`
      const { json: repository } = yield* get(path)
      const { json: issue } = yield* ask("POST", `${path}/issues`, { body: { title: "News" } })
      const comment = ask("POST", `${path}/issues/${issue.number}/comments`, { body: { body: "Here" } })
      const before = yield* Support.statements(comment)
      yield* sql`
        INSERT INTO users (id, login, type, site_admin, created_at, updated_at)
        SELECT 1000000 + i, 'watcher-' || i, 'User', 0, ${TIME}, ${TIME} FROM ${numbers(sql, WATCHERS)}`
      yield* sql`
        INSERT INTO repository_subscriptions (repository_id, user_id, ignored, created_at)
        SELECT ${repository.id}, 1000000 + i, 0, ${TIME} FROM ${numbers(sql, WATCHERS)}`
      assert.strictEqual(yield* Support.statements(comment), before)
      const [written] = yield* sql<{ readonly count: number }>`SELECT count(*) AS count FROM notifications`
      assert.strictEqual(Number(written?.count), WATCHERS)
      const last = yield* token({ userId: 1_000_000 + WATCHERS - 1, kind: "classic", scopes: ["notifications"] })
      assert.lengthOf((yield* get("/notifications", { token: last })).json, 1)
      print({ "comment for 2,000 watchers (ms)": yield* fastest(() => comment) })
    })
  )

  it.effect("are listed in at most three statements", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { ask, get, owner, token, user } = yield* TestForge
      const reader = yield* user({ login: "reader" })
      const ids: Array<number> = []
      for (let index = 0; index < REPOSITORIES; index++) {
        const body = { name: `many-${index}`, private: index % 2 === 1 }
        ids.push((yield* ask("POST", "/user/repos", { body })).json.id)
      }
      const first = Math.min(...ids)
      yield* sql`
        INSERT INTO collaborators (repository_id, user_id, permission)
        SELECT ${first} + i, ${reader}, 'read' FROM ${numbers(sql, REPOSITORIES)}`
      yield* sql`
        INSERT INTO issues (id, repository_id, number, title, author_id, created_at, updated_at, state)
        SELECT 1000000 + i, ${first} + i % ${sql.literal(String(REPOSITORIES))}, 1 + i, 'Issue ' || i, NULL, ${TIME}, ${TIME}, 'open'
        FROM ${numbers(sql, THREADS)}`
      yield* sql`
        INSERT INTO notifications (user_id, repository_id, issue_id, reason, unread, done, updated_at, changed_at)
        SELECT ${reader}, ${first} + i % ${sql.literal(String(REPOSITORIES))}, 1000000 + i, 'subscribed', 1, 0, ${TIME}, ${TIME} FROM ${numbers(sql, THREADS)}`
      // As the server does in the background.
      yield* sql.onDialectOrElse({ pg: () => sql`ANALYZE`, orElse: () => Effect.void })
      const own = yield* token({ userId: reader, kind: "classic", scopes: ["repo"] })
      const figures: Record<string, number> = {}
      for (const path of ["/notifications", "/notifications?all=true", `/repos/${owner}/many-1/notifications`]) {
        const page = (number: number) =>
          get(`${path}${path.includes("?") ? "&" : "?"}per_page=50&page=${number}`, { token: own })
        const { headers, json } = yield* page(2)
        assert.lengthOf(json, 50, path)
        assert.include(headers["link"], `page=${path.startsWith("/repos") ? 20 : 1000}>; rel="last"`)
        figures[path.replace(owner, "owner")] = yield* fastest(page)
        assert.isAtMost(yield* Support.statements(page(RUNS + 1)), 3, path)
      }
      print(figures)
    })
  )
})
