import * as TableDefinitions from "../TableDefinitions.ts"

// `rights` are those of the token that enabled the automatic merge. `head` is the commit that a merge brings: a push can
// move the head of the pull request before the merge is recorded.
export const autoMerges = TableDefinitions.run(`CREATE TABLE auto_merges (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  rights TEXT NOT NULL,
  method TEXT NOT NULL,
  title TEXT,
  message TEXT,
  author_email TEXT,
  enabled_at TEXT NOT NULL
) STRICT

CREATE INDEX auto_merges_by_user ON auto_merges (user_id)

ALTER TABLE pull_request_merges ADD COLUMN head TEXT`)
