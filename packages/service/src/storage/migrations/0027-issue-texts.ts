import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TableDefinitions from "../TableDefinitions.ts"

export const issueTexts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* TableDefinitions.run(SCHEMA)
  for (const statement of sql.onDialectOrElse({ pg: () => postgresIndex, orElse: () => sqliteIndex })) {
    yield* sql.unsafe(statement)
  }
})

// `words` are folded and separated by spaces. `comment_id` is null for the title and the body.
const SCHEMA = `CREATE TABLE issue_texts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  comment_id INTEGER REFERENCES issue_comments (id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  words TEXT NOT NULL
) STRICT

CREATE INDEX issue_texts_by_issue ON issue_texts (issue_id, place)

CREATE UNIQUE INDEX issue_texts_by_comment ON issue_texts (comment_id)`

/** The tokenizer only splits at spaces: other ASCII characters than letters and digits are not in `words`. */
export const sqliteIndex = [
  `CREATE VIRTUAL TABLE issue_words USING fts5 (
    words, content = 'issue_texts', content_rowid = 'id', tokenize = 'ascii', detail = 'none', columnsize = 0)`,
  `CREATE TRIGGER issue_texts_insert AFTER INSERT ON issue_texts BEGIN
    INSERT INTO issue_words (rowid, words) VALUES (new.id, new.words);
  END`,
  `CREATE TRIGGER issue_texts_delete AFTER DELETE ON issue_texts BEGIN
    INSERT INTO issue_words (issue_words, rowid, words) VALUES ('delete', old.id, old.words);
  END`,
  `CREATE TRIGGER issue_texts_update AFTER UPDATE ON issue_texts BEGIN
    INSERT INTO issue_words (issue_words, rowid, words) VALUES ('delete', old.id, old.words);
    INSERT INTO issue_words (rowid, words) VALUES (new.id, new.words);
  END`
]

const postgresIndex = ["CREATE INDEX issue_words ON issue_texts USING gin (string_to_array(words, ' '))"]
