import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TableDefinitions from "../TableDefinitions.ts"

export const openIssues = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* TableDefinitions.run("ALTER TABLE issue_numbers ADD COLUMN open_issues INTEGER NOT NULL DEFAULT 0")
  yield* sql`UPDATE issue_numbers SET open_issues = (
    SELECT count(*) FROM issues i WHERE i.repository_id = issue_numbers.repository_id AND i.state = 'open')`
})
