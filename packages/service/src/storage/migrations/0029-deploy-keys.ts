import * as TableDefinitions from "../TableDefinitions.ts"

// A deploy key remains when the account that added it is deleted. All encodings of a key have the same fingerprint.
export const deployKeys = TableDefinitions.run(`CREATE TABLE deploy_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  added_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  title TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL UNIQUE,
  read_only INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX deploy_keys_by_repository ON deploy_keys (repository_id, id)`)
