import * as TableDefinitions from "../TableDefinitions.ts"

// Stars and follows of an account go with the account.
export const people = TableDefinitions.run(`CREATE TABLE stars (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (repository_id, user_id)
) STRICT

CREATE INDEX stars_by_user ON stars (user_id, created_at)

CREATE INDEX stars_by_time ON stars (repository_id, created_at, user_id)

CREATE TABLE follows (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  follower_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, follower_id)
) STRICT

CREATE INDEX follows_by_follower ON follows (follower_id, user_id)

CREATE TABLE profiles (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  company TEXT,
  blog TEXT,
  location TEXT,
  bio TEXT,
  twitter_username TEXT,
  hireable INTEGER
) STRICT`)
