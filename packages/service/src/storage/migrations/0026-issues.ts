import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as DefaultLabels from "../DefaultLabels.ts"
import * as TableDefinitions from "../TableDefinitions.ts"

export const issues = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* TableDefinitions.run(SCHEMA)
  // Numbers of issues and pull requests follow those of the pull requests that review comments name.
  yield* sql`
    INSERT INTO issue_numbers (repository_id, last)
    SELECT repository_id, max(pull_number) FROM review_comments GROUP BY repository_id`
  const repositories = yield* sql<{ readonly id: number; readonly created_at: string }>`
    SELECT id, created_at FROM repositories`
  for (const { created_at, id } of repositories) yield* DefaultLabels.add(sql, id, created_at)
})

const SCHEMA = `CREATE TABLE issue_numbers (
  repository_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  last INTEGER NOT NULL
) STRICT

CREATE TABLE issue_types (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  description TEXT,
  color TEXT,
  is_enabled INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX issue_types_by_name ON issue_types (organization_id, NAME(name))

CREATE TABLE labels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  color TEXT NOT NULL,
  description TEXT,
  is_default INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX labels_by_name ON labels (repository_id, NAME(name))

CREATE TABLE issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  is_pull_request INTEGER NOT NULL DEFAULT 0,
  title TEXT NOT NULL,
  body TEXT,
  author_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state = 'open' OR state = 'closed'),
  state_reason TEXT,
  closed_at TEXT,
  closed_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  locked INTEGER NOT NULL DEFAULT 0,
  active_lock_reason TEXT,
  milestone_id INTEGER REFERENCES milestones (id) ON DELETE SET NULL,
  type_id INTEGER REFERENCES issue_types (id) ON DELETE SET NULL,
  duplicate_of_id INTEGER REFERENCES issues (id) ON DELETE SET NULL,
  parent_id INTEGER REFERENCES issues (id) ON DELETE SET NULL,
  parent_position INTEGER,
  pinned_at TEXT,
  comments INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (repository_id, number)
) STRICT

CREATE INDEX issues_by_creation ON issues (repository_id, state, created_at, number)

CREATE INDEX issues_by_update ON issues (repository_id, updated_at)

CREATE INDEX issues_by_author ON issues (author_id)

CREATE INDEX issues_by_milestone ON issues (milestone_id)

CREATE INDEX issues_by_parent ON issues (parent_id)

CREATE TABLE issue_assignees (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, user_id)
) STRICT

CREATE INDEX issue_assignees_by_user ON issue_assignees (user_id)

CREATE TABLE issue_labels (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  label_id INTEGER NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, label_id)
) STRICT

CREATE INDEX issue_labels_by_label ON issue_labels (label_id)

CREATE TABLE issue_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  author_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  body TEXT NOT NULL,
  pinned_at TEXT,
  pinned_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE INDEX issue_comments_by_issue ON issue_comments (issue_id, id)

CREATE INDEX issue_comments_by_repository ON issue_comments (repository_id, id)

CREATE TABLE reactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE,
  issue_comment_id INTEGER REFERENCES issue_comments (id) ON DELETE CASCADE,
  commit_comment_id INTEGER REFERENCES commit_comments (id) ON DELETE CASCADE,
  review_comment_id INTEGER REFERENCES review_comments (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX reactions_to_issue ON reactions (issue_id, user_id, content)

CREATE UNIQUE INDEX reactions_to_issue_comment ON reactions (issue_comment_id, user_id, content)

CREATE UNIQUE INDEX reactions_to_commit_comment ON reactions (commit_comment_id, user_id, content)

CREATE UNIQUE INDEX reactions_to_review_comment ON reactions (review_comment_id, user_id, content)

CREATE TABLE issue_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  event TEXT NOT NULL,
  data TEXT NOT NULL DEFAULT '{}',
  assignee_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  commit_id TEXT,
  commit_repository_id INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  other_issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE,
  comment_id INTEGER REFERENCES issue_comments (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX issue_events_by_issue ON issue_events (issue_id, id)

CREATE INDEX issue_events_by_repository ON issue_events (repository_id, id)

CREATE INDEX issue_events_by_actor ON issue_events (actor_id, event)

CREATE TABLE issue_dependencies (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  blocked_by_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (issue_id, blocked_by_id)
) STRICT

CREATE INDEX issue_dependencies_by_blocker ON issue_dependencies (blocked_by_id)

CREATE TABLE transferred_issues (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  PRIMARY KEY (repository_id, number)
) STRICT

CREATE TABLE imported_rows (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  PRIMARY KEY (repository_id, kind, foreign_id)
) STRICT`
