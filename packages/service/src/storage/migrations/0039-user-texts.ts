import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TableDefinitions from "../TableDefinitions.ts"
import * as UserTexts from "../UserTexts.ts"

// `words` are folded, with a space before and after each.
const TABLE = `CREATE TABLE user_texts (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  words TEXT NOT NULL,
  PRIMARY KEY (user_id, place)
) STRICT`

export const userTexts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* TableDefinitions.run(TABLE)
  yield* UserTexts.fill(sql)
})
