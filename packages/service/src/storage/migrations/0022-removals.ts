import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const removals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Files and folders of deleted repositories, until they are removed. With `digest`, the file is the archive of
  // artifacts, which those of other repositories can share.
  yield* sql`
    CREATE TABLE removals (
      path TEXT PRIMARY KEY,
      digest TEXT
    ) STRICT, WITHOUT ROWID`
})
