import * as TableDefinitions from "../TableDefinitions.ts"

// `is_latest` is 1 for the newest status of a commit and context, and for the newest check run of a suite and name, so
// that the current state of a commit needs no comparison of rows. The conclusion of a check suite follows from its check
// runs, except after a request to run it again.
export const checks = TableDefinitions.run(`CREATE TABLE commit_statuses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  sha TEXT NOT NULL,
  context TEXT COLLATE NOCASE NOT NULL,
  state TEXT NOT NULL,
  description TEXT,
  target_url TEXT,
  creator_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  is_latest INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX commit_statuses_by_commit ON commit_statuses (repository_id, sha, id)

CREATE INDEX commit_statuses_by_context ON commit_statuses (repository_id, sha, NAME(context))

CREATE INDEX commit_statuses_latest ON commit_statuses (repository_id, sha, id) WHERE is_latest = 1

CREATE INDEX commit_statuses_by_creator ON commit_statuses (creator_id)

CREATE TABLE check_suites (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  head_sha TEXT NOT NULL,
  head_branch TEXT,
  before_sha TEXT,
  after_sha TEXT,
  status TEXT NOT NULL,
  conclusion TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (repository_id, head_sha, app_id)
) STRICT

CREATE INDEX check_suites_by_app ON check_suites (app_id)

CREATE TABLE check_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  suite_id INTEGER NOT NULL REFERENCES check_suites (id) ON DELETE CASCADE,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  head_sha TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  conclusion TEXT,
  external_id TEXT,
  details_url TEXT,
  started_at TEXT,
  completed_at TEXT,
  title TEXT,
  summary TEXT,
  text TEXT,
  actions TEXT,
  annotations_count INTEGER NOT NULL,
  is_latest INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX check_runs_by_commit ON check_runs (repository_id, head_sha, id)

CREATE INDEX check_runs_by_suite ON check_runs (suite_id, name, id)

CREATE INDEX check_runs_latest ON check_runs (repository_id, head_sha, id) WHERE is_latest = 1

CREATE INDEX check_runs_latest_of_suite ON check_runs (suite_id, id) WHERE is_latest = 1

CREATE INDEX check_runs_by_app ON check_runs (app_id)

CREATE TABLE check_annotations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES check_runs (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  start_column INTEGER,
  end_column INTEGER,
  annotation_level TEXT NOT NULL,
  title TEXT,
  message TEXT NOT NULL,
  raw_details TEXT
) STRICT

CREATE INDEX check_annotations_by_run ON check_annotations (run_id, id)

CREATE TABLE check_preferences (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  setting INTEGER NOT NULL,
  PRIMARY KEY (repository_id, app_id)
) STRICT

CREATE INDEX check_preferences_by_app ON check_preferences (app_id)`)
