import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const squashTitles = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE repositories ADD COLUMN squash_merge_commit_title TEXT NOT NULL DEFAULT 'COMMIT_OR_PR_TITLE'`
})
