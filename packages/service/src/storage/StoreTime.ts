/**
 * The time that all processes of a store agree about, in epoch milliseconds: of PostgreSQL's machine, or of this process
 * for SQLite. Leases use it, because the clocks of two machines can differ by more than a lease lasts.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** False to use the clock of the process with PostgreSQL, too, for tests that move this clock. */
export const DatabaseTime = Context.Reference("@tongs/service/storage/DatabaseTime", { defaultValue: () => true })

/** Returns an effect that reads the time. In a transaction, it reads the time after the wait for other writes. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (!(yield* DatabaseTime)) return Clock.currentTimeMillis
  const query = Effect.orDie(
    sql<{ readonly now: number }>`SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint) AS now`
  )
  return sql.onDialectOrElse({
    pg: () => Effect.map(query, ([row]) => Number(row?.now)),
    orElse: () => Clock.currentTimeMillis
  })
})
