import * as TableDefinitions from "../TableDefinitions.ts"

// A job and its check run have the same id. The state of a run is that of its latest attempt.
export const runs = TableDefinitions.run(`CREATE TABLE workflows (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  blob TEXT,
  last_number INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (repository_id, path)
) STRICT

CREATE TABLE workflow_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  workflow_id INTEGER NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
  external_id TEXT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  suite_id INTEGER NOT NULL REFERENCES check_suites (id) ON DELETE CASCADE,
  actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  run_number INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  event TEXT NOT NULL,
  display_title TEXT NOT NULL,
  head_branch TEXT,
  head_sha TEXT NOT NULL,
  head_commit TEXT NOT NULL,
  inputs TEXT,
  created_at TEXT NOT NULL,
  UNIQUE (repository_id, app_id, external_id)
) STRICT

CREATE INDEX workflow_runs_by_repository ON workflow_runs (repository_id, id)

CREATE INDEX workflow_runs_by_workflow ON workflow_runs (workflow_id, id)

CREATE INDEX workflow_runs_by_suite ON workflow_runs (suite_id)

CREATE INDEX workflow_runs_by_app ON workflow_runs (app_id)

CREATE INDEX workflow_runs_by_actor ON workflow_runs (actor_id)

CREATE TABLE workflow_attempts (
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  triggering_actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  status TEXT NOT NULL,
  conclusion TEXT,
  started_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (run_id, attempt)
) STRICT

CREATE INDEX workflow_attempts_by_actor ON workflow_attempts (triggering_actor_id)

ALTER TABLE check_runs ADD COLUMN workflow_run_id INTEGER REFERENCES workflow_runs (id) ON DELETE CASCADE

ALTER TABLE check_runs ADD COLUMN workflow_id INTEGER REFERENCES workflows (id) ON DELETE CASCADE

CREATE INDEX check_runs_by_workflow_run ON check_runs (workflow_run_id)

CREATE INDEX check_runs_by_workflow ON check_runs (workflow_id)

CREATE TABLE workflow_jobs (
  id INTEGER PRIMARY KEY REFERENCES check_runs (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  labels TEXT NOT NULL,
  runner_name TEXT,
  steps TEXT NOT NULL,
  log_job_id INTEGER
) STRICT

CREATE INDEX workflow_jobs_by_run ON workflow_jobs (run_id, attempt, id)

CREATE INDEX workflow_jobs_by_repository ON workflow_jobs (repository_id, id)

CREATE TABLE actions_caches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  ref TEXT NOT NULL,
  key TEXT NOT NULL,
  version TEXT NOT NULL,
  size_in_bytes INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  last_accessed_at TEXT NOT NULL,
  UNIQUE (repository_id, ref, key, version)
) STRICT`)
