import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const appDetails = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Null permissions and events are those of the app's installations.
  yield* sql`ALTER TABLE apps ADD COLUMN permissions TEXT`
  yield* sql`ALTER TABLE apps ADD COLUMN events TEXT`
  yield* sql`ALTER TABLE apps ADD COLUMN created_at TEXT NOT NULL DEFAULT ''`
  yield* sql`ALTER TABLE apps ADD COLUMN updated_at TEXT NOT NULL DEFAULT ''`
  yield* sql`
    UPDATE apps SET created_at = coalesce(
      (SELECT min(i.created_at) FROM installations i WHERE i.app_id = apps.id), strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))`
  yield* sql`UPDATE apps SET updated_at = created_at`
})
