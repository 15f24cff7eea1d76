/** Measures searches among 200,000 issues on SQLite and on PostgreSQL. No response is cached. */
import { cpSync, mkdirSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Support from "../../../packages/service/src/main/Forge.test-support.ts"
import * as TestDatabase from "../../../packages/service/src/storage/TestDatabase.test-support.ts"
import { NoPostgres, start } from "../../postgres/PostgresServer.test-support.ts"
import type { Benchmark } from "../Benchmark.ts"
import { atMost, type Goal, type Row } from "../Report.ts"
import { median, quantile } from "../Statistics.ts"
import * as SearchData from "./SearchData.ts"

/** Milliseconds of the slow part of the searches that are accepted. */
const LIMIT = 50

interface Measured {
  readonly times: ReadonlyArray<readonly [query: string, millis: ReadonlyArray<number>]>
  /** Statements of a search of a caller with one and with all readable repositories. */
  readonly statements: readonly [one: number, many: number]
}

export const measure = Effect.fnUntraced(function* (
  sizes: SearchData.Sizes,
  rounds: number,
  progress: (line: string) => Effect.Effect<void>
) {
  const { ask, get, owner, token } = yield* Support.TestForge
  const sql = yield* SqlClient.SqlClient
  yield* ask("POST", "/user/repos", { body: { name: "first" } })
  const [first] = yield* Effect.orDie(sql<{ readonly git: string; readonly owner_id: number }>`
    SELECT git, owner_id FROM repositories`)
  yield* progress("writing the data")
  const folder = first?.git ?? ""
  for (let index = 0; index < sizes.repositories; index++) cpSync(folder, `${folder}-${index}`, { recursive: true })
  const written = SearchData.write(sizes, Number(first?.owner_id), folder)
  const { many, one } = yield* Effect.orDie(written)
  let requests = 0
  const search = Effect.fnUntraced(function* (query: string, as?: string) {
    const q = encodeURIComponent(query.replaceAll("{owner}", owner))
    const { status, text } = yield* get(`/search/issues?q=${q}&n=${requests++}`, as === undefined ? {} : { token: as })
    if (status !== 200) return yield* Effect.die(new Error(`${query}: ${text}`))
  })
  const timed = Effect.fnUntraced(function* (query: string) {
    const started = performance.now()
    yield* search(query)
    return performance.now() - started
  })
  yield* progress("searching")
  const times: Array<readonly [string, ReadonlyArray<number>]> = []
  for (const query of SearchData.issueQueries) {
    yield* search(query)
    times.push([query, yield* Effect.forEach(Array.from({ length: rounds }), () => timed(query))])
  }
  const statements = Effect.fnUntraced(function* (userId: number) {
    const as = yield* token({ userId, kind: "classic", scopes: ["repo"] })
    // Reads the caller's rights, which are then known.
    yield* search("word1", as)
    return yield* Support.statements(search("word2 is:open", as))
  })
  return { times, statements: [yield* statements(one), yield* statements(many)] } satisfies Measured
})

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ progress, quick }) {
  const sizes = quick
    ? { issues: 20_000, repositories: 100, hidden: 500, users: 2000 }
    : { issues: 200_000, repositories: 300, hidden: 5000, users: 20_000 }
  const rounds = quick ? 3 : 9
  const forge = Effect.suspend(() =>
    Effect.provide(
      measure(sizes, rounds, progress),
      Support.layer((repos) => mkdirSync(repos))
    )
  )
  const given = process.env["TONGS_TEST_POSTGRES"]
  TestDatabase.useServer("")
  const results: Array<readonly [name: string, measured: Measured]> = [["SQLite", yield* Effect.orDie(forge)]]
  const notes: Array<string> = []
  const server =
    given === undefined
      ? yield* Effect.promise(() =>
          start({ isDurable: true }).catch((error: unknown) => {
            if (error instanceof NoPostgres) return error
            throw error
          })
        )
      : { url: given, version: "PostgreSQL as given", stop: () => Promise.resolve() }
  if (server instanceof NoPostgres) notes.push(`No PostgreSQL: ${server.message}`)
  else {
    yield* Effect.addFinalizer(() => Effect.promise(server.stop))
    TestDatabase.useServer(server.url)
    results.push(["PostgreSQL", yield* Effect.orDie(forge)])
    notes.push(server.version)
  }
  const rows = SearchData.issueQueries.map((query, index): Row => ({
    query,
    ...Object.fromEntries(results.map(([name, { times }]) => [`${name} ms`, median(times[index]?.[1] ?? [])]))
  }))
  const all = ({ times }: Measured) => times.flatMap(([, millis]) => millis)
  const goals = results.flatMap(([name, measured]): ReadonlyArray<Goal> => [
    {
      goal: `${name}: p95 of all searches at most ${LIMIT} ms`,
      ...atMost(quantile(all(measured), 0.95), LIMIT, " ms")
    },
    {
      goal: `${name}: further statements for ${sizes.hidden} more readable repositories`,
      ...atMost(measured.statements[1] - measured.statements[0], 0, "")
    }
  ])
  return {
    sections: [
      {
        title: `${sizes.issues} issues in ${sizes.repositories} repositories`,
        rows: results.map(([name, measured]): Row => ({
          database: name,
          "p50 ms": median(all(measured)),
          "p95 ms": quantile(all(measured), 0.95),
          statements: measured.statements[1]
        }))
      },
      { title: `Each search, median of ${rounds}`, rows }
    ],
    goals,
    notes
  }
})

export const issueSearch: Benchmark = { name: "find", summary: "searches among 200,000 issues, not cached", run }
