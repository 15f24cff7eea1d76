import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TableDefinitions from "../TableDefinitions.ts"

// A user has at most one thread for each conversation. `changed_at` includes what the user does with the thread.
const TABLES = `CREATE TABLE repository_subscriptions (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  ignored INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (repository_id, user_id)
) STRICT

CREATE INDEX repository_subscriptions_by_user ON repository_subscriptions (user_id, repository_id)

CREATE TABLE issue_subscriptions (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  ignored INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (issue_id, user_id)
) STRICT

CREATE INDEX issue_subscriptions_by_user ON issue_subscriptions (user_id, issue_id)

CREATE TABLE notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  unread INTEGER NOT NULL,
  done INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  last_read_at TEXT,
  changed_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX notifications_by_issue ON notifications (issue_id, user_id)

CREATE INDEX notifications_by_user ON notifications (user_id, done, updated_at, id, unread, reason, repository_id)

CREATE INDEX notifications_by_repository ON notifications (repository_id)

CREATE INDEX notifications_by_change ON notifications (user_id, changed_at)`

// Who took part in an issue before is subscribed to it, with the first of these reasons.
const PARTICIPANTS = `
  SELECT e.issue_id, e.actor_id AS user_id, 'mention' AS reason, e.created_at FROM issue_events e WHERE e.event = 'mentioned'
  UNION ALL SELECT a.issue_id, a.user_id, 'assign', i.created_at FROM issue_assignees a JOIN issues i ON i.id = a.issue_id
  UNION ALL SELECT i.id, i.author_id, 'author', i.created_at FROM issues i
  UNION ALL SELECT c.issue_id, c.author_id, 'comment', c.created_at FROM issue_comments c`

export const notifications = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* TableDefinitions.run(TABLES)
  for (const reason of ["mention", "assign", "author", "comment"])
    yield* sql`
      INSERT INTO issue_subscriptions (issue_id, user_id, reason, ignored, created_at)
      SELECT p.issue_id, p.user_id, p.reason, 0, min(p.created_at) FROM (${sql.literal(PARTICIPANTS)}) p
      JOIN users u ON u.id = p.user_id AND u.type = 'User'
      WHERE p.reason = ${reason} GROUP BY p.issue_id, p.user_id, p.reason ON CONFLICT DO NOTHING`
})
