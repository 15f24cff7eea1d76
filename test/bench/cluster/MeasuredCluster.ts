/** Forges of one process and of several processes on one PostgreSQL server. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as ProcessLauncher from "../ProcessLauncher.ts"
import { clusterFlags } from "../../cluster/ClusterFlags.test-support.ts"
import { freePort, NoPostgres, start } from "../../postgres/PostgresServer.test-support.ts"
import * as DelayProxy from "./DelayProxy.ts"

/** Starts a durable server until the scope closes. Fails if this machine has none. */
export const postgres = Effect.acquireRelease(
  Effect.tryPromise({
    try: () => start({ isDurable: true }),
    catch: (cause) =>
      new BenchmarkEnvironment.BenchmarkError({
        detail: cause instanceof NoPostgres ? `No PostgreSQL: ${cause.message}` : String(cause)
      })
  }),
  (server) => Effect.promise(server.stop)
)

interface Options {
  readonly server: string
  /** Name of the database, which is created. */
  readonly database: string
  readonly home: string
  readonly data: string
  readonly repos?: string
  readonly processes: number
  /** Flags of the first process only, for example of fixtures, which the others read from the database. */
  readonly firstFlags?: ReadonlyArray<string>
  /** Delay in milliseconds of each direction between a process and the database. */
  readonly delay?: number
}

export interface MeasuredCluster {
  readonly urls: ReadonlyArray<string>
  readonly token: string
}

const createDatabase = (server: string, name: string) =>
  PgConnection.make({ url: Redacted.make(server) }).pipe(
    Effect.flatMap((session) => session.query(`CREATE DATABASE ${name}`)),
    Effect.scoped,
    Effect.mapError((cause) => new BenchmarkEnvironment.BenchmarkError({ detail: String(cause) }))
  )

/** Starts a forge until the scope closes. One process is no cluster. */
export const serve = Effect.fnUntraced(function* (options: Options) {
  const { data, database, delay = 0, firstFlags = [], home, processes, repos, server } = options
  yield* createDatabase(server, database)
  const direct = new URL(server)
  direct.pathname = database
  const url = delay === 0 ? direct.href : yield* DelayProxy.make(direct.href, delay)
  const members: Array<ProcessLauncher.ServeInfo> = []
  for (let index = 0; index < processes; index++) {
    const port = yield* Effect.promise(freePort)
    const localData = join(home, `local-${index}`)
    mkdirSync(localData, { recursive: true })
    const cluster = { program: BenchmarkEnvironment.tongsPath, address: "127.0.0.1", port, localData }
    members.push(
      yield* ProcessLauncher.serve({
        home,
        data,
        ...(repos === undefined ? {} : { repos }),
        flags: [...(index === 0 ? firstFlags : []), ...(processes === 1 ? [] : clusterFlags(cluster))],
        env: { TONGS_DATABASE: url }
      })
    )
  }
  return { urls: members.map(({ url }) => url), token: members[0]?.token ?? "" } satisfies MeasuredCluster
})
