import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The columns with the account that created a row of another owner. */
const authors = [
  ["hooks", "creator_id"],
  ["ruleset_evaluations", "actor_id"],
  ["ref_changes", "actor_id"],
  ["project_views", "creator_id"]
] as const // names of tables and columns

export const deletedAuthors = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The rows remain when the account is deleted. A new column, because dropping `hooks` would delete their deliveries.
  for (const [table, column] of authors) {
    yield* sql`ALTER TABLE ${sql(table)} RENAME COLUMN ${sql(column)} TO former_author`
    yield* sql`
      ALTER TABLE ${sql(table)} ADD COLUMN ${sql(column)} INTEGER REFERENCES users (id) ON DELETE SET NULL`
    yield* sql`UPDATE ${sql(table)} SET ${sql(column)} = former_author`
    yield* sql`ALTER TABLE ${sql(table)} DROP COLUMN former_author`
  }
})
