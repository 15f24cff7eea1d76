import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const pushes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Reference changes of pushes: the id of the git process, and 1 once a later change proves that this one was made.
  yield* sql`ALTER TABLE ref_changes ADD COLUMN git INTEGER`
  yield* sql`ALTER TABLE ref_changes ADD COLUMN moved INTEGER NOT NULL DEFAULT 0`
})
