/** Measures the forge on PostgreSQL beside the forge on SQLite: repeated reads, uncached reads and writes. */
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import type { Benchmark } from "../Benchmark.ts"
import * as Comparison from "../Comparison.ts"
import * as ForkedWorker from "../ForkedWorker.ts"
import * as LatencySample from "../LatencySample.ts"
import * as ProcessLauncher from "../ProcessLauncher.ts"
import { atLeast, atMost, type Goal, type Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as ServiceFixture from "../service/ServiceFixture.ts"
import { NoPostgres, start } from "../../postgres/PostgresServer.test-support.ts"
import * as TripCounter from "./TripCounter.ts"

const CONNECTIONS = 16

interface Server {
  readonly name: "SQLite" | "PostgreSQL"
  readonly url: string
  readonly token: string
  readonly owner: string
  readonly sha: string
  readonly trips: () => number
}

const startForge = Effect.fnUntraced(function* (name: Server["name"], database: TripCounter.TripCounter | undefined) {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  const { sha } = yield* ServiceFixture.repositories(home)
  const { token, url } = yield* ProcessLauncher.serve({
    data: `${home}/forge`,
    home,
    repos: `${home}/repositories`,
    ...(database === undefined ? {} : { env: { TONGS_DATABASE: database.url } })
  })
  const owner = yield* Effect.promise(() => ServiceFixture.loginOf(url, token))
  return { name, url, token, owner, sha, trips: database?.trips ?? (() => 0) } satisfies Server
})

interface Operation {
  readonly title: string
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE"
  /** `n` is new for each request. */
  readonly path: (server: Server, n: number) => string
  readonly body?: (server: Server, n: number) => object
}

const repository = ({ owner }: Server) => `/repos/${owner}/bench`

const operations: ReadonlyArray<Operation> = [
  { title: "a repository", method: "GET", path: (server, n) => `${repository(server)}?n=${n}` },
  { title: "30 branches", method: "GET", path: (server, n) => `${repository(server)}/branches?per_page=30&n=${n}` },
  { title: "30 commits", method: "GET", path: (server, n) => `${repository(server)}/commits?per_page=30&n=${n}` },
  { title: "30 repositories", method: "GET", path: (_, n) => `/user/repos?per_page=30&n=${n}` },
  { title: "milestones", method: "GET", path: (server, n) => `${repository(server)}/milestones?n=${n}` },
  { title: "events", method: "GET", path: (server, n) => `${repository(server)}/events?n=${n}` },
  {
    title: "create a milestone",
    method: "POST",
    path: (server) => `${repository(server)}/milestones`,
    body: (_, n) => ({ title: `v${n}` })
  },
  {
    title: "create a branch",
    method: "POST",
    path: (server) => `${repository(server)}/git/refs`,
    body: ({ sha }, n) => ({ ref: `refs/heads/new-${n}`, sha })
  },
  {
    title: "create a repository",
    method: "POST",
    path: () => "/user/repos",
    body: (_, n) => ({ name: `new-${n}` })
  }
]

let last = 0

/** Sends one request, and returns its milliseconds and round trips. */
const send = (server: Server, { body, method, path, title }: Operation) =>
  Effect.tryPromise({
    try: async () => {
      const n = ++last
      const before = server.trips()
      const started = performance.now()
      const response = await fetch(server.url + path(server, n), {
        method,
        headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body(server, n)) })
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${response.status}: ${text}`)
      return { millis: performance.now() - started, trips: server.trips() - before }
    },
    catch: (cause) => new BenchmarkEnvironment.BenchmarkError({ detail: `${server.name}, ${title}: ${String(cause)}` })
  })

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const server = yield* Effect.promise(() =>
    start({ isDurable: true }).catch((error: unknown) => {
      if (error instanceof NoPostgres) return error
      throw error
    })
  )
  if (server instanceof NoPostgres) return { sections: [], goals: [], notes: [`No PostgreSQL: ${server.message}`] }
  yield* Effect.addFinalizer(() => Effect.promise(server.stop))
  const counter = yield* TripCounter.make(server.url)
  const sqlite = yield* startForge("SQLite", undefined)
  const postgres = yield* startForge("PostgreSQL", counter)
  const servers = [sqlite, postgres]

  const load = yield* ForkedWorker.make(`${import.meta.dirname}/../service/HttpLoad.worker.ts`)
  const [rounds, milliseconds, requests] = quick ? [2, 400, 5] : [7, 1000, 20]
  const repeated = yield* Comparison.run(
    servers.map((server) => ({
      name: server.name,
      measure: load.request(
        {
          url: server.url,
          path: `${repository(server)}/branches?per_page=30`,
          tokens: [server.token],
          connections: CONNECTIONS,
          milliseconds
        },
        LatencySample.LatencySample
      )
    })),
    rounds
  )
  const speed = (name: Server["name"]) => LatencySample.medianOf(repeated.get(name) ?? []).perSecond

  const rows: Array<Row> = []
  const trips: Array<number> = []
  for (const operation of operations) {
    const results = yield* Comparison.run(
      servers.map((server) => ({
        name: server.name,
        measure: Effect.forEach(Array.from({ length: requests }), () => send(server, operation))
      })),
      rounds
    )
    const of = (name: Server["name"]) => (results.get(name) ?? []).flat()
    const count = median(of("PostgreSQL").map(({ trips }) => trips))
    trips.push(count)
    const [own, other] = (["SQLite", "PostgreSQL"] as const).map((name) => median(of(name).map(({ millis }) => millis)))
    rows.push({
      operation: operation.title,
      "SQLite ms": own,
      "PostgreSQL ms": other,
      ratio: (other ?? 0) / (own ?? 1),
      "round trips": count
    })
  }

  const goals: Array<Goal> = [
    {
      goal: "repeated reads: share of SQLite's speed at least 0.9",
      ...atLeast(speed("PostgreSQL") / speed("SQLite"), 0.9, "")
    },
    { goal: "round trips of each of these at most 4", ...atMost(Math.max(...trips), 4, "") }
  ]
  return {
    sections: [
      {
        title: `30 branches, repeated, ${CONNECTIONS} connections, requests per second`,
        rows: servers.map(({ name }) => ({ database: name, "per second": speed(name) }))
      },
      { title: "one request at a time, not cached, median", rows }
    ],
    goals,
    notes: [`${server.version} with fsync on this machine. The counter of round trips adds a hop to each of them.`]
  }
})

export const database: Benchmark = {
  name: "database",
  summary: "the forge on PostgreSQL beside SQLite, with the round trips of each request",
  run
}
