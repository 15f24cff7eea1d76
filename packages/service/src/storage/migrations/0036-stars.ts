import * as TableDefinitions from "../TableDefinitions.ts"

export const stars = TableDefinitions.run(`CREATE TABLE stars (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (repository_id, user_id)
) STRICT

CREATE INDEX stars_by_user ON stars (user_id, created_at)

CREATE INDEX stars_by_time ON stars (repository_id, created_at, user_id)`)
