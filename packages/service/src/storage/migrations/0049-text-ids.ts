import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TableDefinitions from "../TableDefinitions.ts"
import { sqliteIndex } from "./0027-issue-texts.ts"

// The id of a text says the issue and the place (`issues/TextId.ts`). Ids are negative in between, because an old and a
// new id can be equal.
const UPDATES = `UPDATE issue_texts SET id = -(issue_id * 1048576 + CASE place WHEN 'title' THEN 0 WHEN 'body' THEN 1
  ELSE 1 + (SELECT count(*) FROM issue_texts o
    WHERE o.issue_id = issue_texts.issue_id AND o.place = 'comments' AND o.comment_id <= issue_texts.comment_id) END)

UPDATE issue_texts SET id = -id

DROP INDEX issue_texts_by_id`

const withoutIndex = [
  "DROP TRIGGER issue_texts_insert",
  "DROP TRIGGER issue_texts_delete",
  "DROP TRIGGER issue_texts_update",
  "DROP TABLE issue_words"
]

const FILL = "INSERT INTO issue_words (issue_words) VALUES ('rebuild')"

export const textIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const onSqlite = (statements: ReadonlyArray<string>) =>
    sql.onDialectOrElse({
      pg: () => Effect.void,
      orElse: () => Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
    })
  yield* onSqlite(withoutIndex)
  yield* TableDefinitions.run(UPDATES)
  yield* onSqlite([...sqliteIndex, FILL])
})
