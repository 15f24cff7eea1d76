/**
 * Rows of the rate limits' counters in PostgreSQL, which the processes of a cluster share. The database's function
 * `lease_rate_limits` changes them in one statement, without the lock of writes.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeRows } from "../RowDecoder.ts"

/** A change of the units of a counter that a process holds. */
export interface LeaseRequest {
  readonly budget: string
  readonly counter: string
  /** Length of the counter's window in milliseconds, and maximum units of a new window. */
  readonly length: number
  readonly maximum: number
  /** True for units that are in use beyond the end of a window. They count in the next window too. */
  readonly carries: boolean
  /** Units that the process gives back, of the window that ends at `heldUntil`. Negative for overdrawn units. */
  readonly held: number
  readonly heldUntil: number
  /** Units that the process needs, and units that it takes in addition if many are left. */
  readonly needed: number
  readonly extra: number
}

/** The state of a counter after a change. Times are epoch milliseconds of the database's clock. */
const Lease = Schema.Struct({
  budget: Schema.String,
  counter: Schema.String,
  granted: Schema.Int,
  /** Units in use by all processes, or held by them. */
  used: Schema.Int,
  maximum: Schema.Int,
  resets_at: Schema.Int,
  read_at: Schema.Int
})
export type Lease = typeof Lease.Type

/** Milliseconds after the end of a window before its row is deleted: longer than units are carried. */
const KEPT_MILLIS = 60_000

/** Maximum number of rows that one statement deletes. */
const MAX_DELETED = 10_000

export interface RateLimitCounterRows {
  /** Changes the leases of different counters, in one transaction. A database error is a defect. */
  readonly exchange: (requests: ReadonlyArray<LeaseRequest>) => Effect.Effect<ReadonlyArray<Lease>>
  /** Deletes rows of ended windows. */
  readonly forget: Effect.Effect<void>
}

const leases = decodeRows(Lease)

export const make: Effect.Effect<RateLimitCounterRows, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    exchange: (requests) => {
      const given = requests.map(({ heldUntil: held_until, ...request }) => ({ ...request, held_until }))
      return leases(sql`SELECT * FROM lease_rate_limits(CAST(${JSON.stringify(given)} AS json))`)
    },
    // Rows that another process changes or deletes are left out, so that the statement waits for no lock.
    forget: Effect.orDie(
      Effect.asVoid(sql`
        DELETE FROM rate_limit_counters WHERE (budget, counter) IN (
          SELECT budget, counter FROM rate_limit_counters
          WHERE resets_at < extract(epoch FROM now()) * 1000 - CAST(${KEPT_MILLIS} AS bigint)
          LIMIT ${MAX_DELETED} FOR UPDATE SKIP LOCKED)`)
    )
  })
)
