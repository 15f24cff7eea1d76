import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const breakers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  // The circuit breaker of a hook (`webhooks/CircuitBreaker.ts`). Times are epoch milliseconds.
  yield* sql`ALTER TABLE hooks ADD COLUMN failures INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE hooks ADD COLUMN is_slow INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE hooks ADD COLUMN retry_at INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE hooks ADD COLUMN recovered_at INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE deliveries ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0`
  yield* sql`UPDATE deliveries SET created_at = ${now} WHERE status IS NULL`
  // Indexes to find the next pending delivery of each webhook (redeliveries first) and the time of its last attempt.
  yield* sql`DROP INDEX deliveries_to_send`
  yield* sql`CREATE INDEX deliveries_pending ON deliveries (hook_id, id) WHERE status IS NULL`
  yield* sql`
    CREATE INDEX deliveries_requested ON deliveries (hook_id, id)
    WHERE status IS NULL AND (redelivery = 1 OR event = 'ping')`
  yield* sql`CREATE INDEX deliveries_by_lease ON deliveries (hook_id, leased_until)`
})
