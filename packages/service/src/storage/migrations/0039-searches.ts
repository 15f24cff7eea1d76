import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TableDefinitions from "../TableDefinitions.ts"
import * as UserTexts from "../UserTexts.ts"

// The indices of issues have the columns that searches compare, because the rows have long texts.
// `words` are folded, with a space before and after each.
const SCHEMA = `CREATE TABLE user_texts (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  words TEXT NOT NULL,
  PRIMARY KEY (user_id, place)
) STRICT

CREATE INDEX labels_of_name ON labels (NAME(name))

CREATE INDEX issues_of_label ON issue_labels (label_id, issue_id)

DROP INDEX issue_labels_by_label

CREATE INDEX issue_comments_by_author ON issue_comments (author_id, issue_id)

CREATE INDEX issue_mentions ON issue_events (actor_id, issue_id) WHERE event = 'mentioned'

CREATE INDEX issue_texts_by_id ON issue_texts (id, issue_id, place)

CREATE INDEX issues_for_search ON issues (
  repository_id, state, created_at, updated_at, comments, author_id, closed_at, is_pull_request, milestone_id, type_id,
  state_reason, locked
)`

export const searches = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* TableDefinitions.run(SCHEMA)
  yield* UserTexts.fill(sql)
})
