import * as TableDefinitions from "../TableDefinitions.ts"

// A gate is of a job that deploys to an environment. The environment may be deleted, so the gate has its name. The state
// is `waiting`, `open` or `closed`, and `due_at` is when a waiting gate is tested again without a review.
export const jobGates = TableDefinitions.run(`CREATE TABLE job_gates (
  job_id INTEGER PRIMARY KEY REFERENCES workflow_jobs (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  environment_id INTEGER REFERENCES environments (id) ON DELETE SET NULL,
  environment TEXT NOT NULL,
  deployment_id INTEGER REFERENCES deployments (id) ON DELETE SET NULL,
  state TEXT NOT NULL,
  due_at TEXT,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX job_gates_by_repository ON job_gates (repository_id)

CREATE INDEX job_gates_by_run ON job_gates (run_id, attempt)

CREATE INDEX job_gates_by_environment ON job_gates (environment_id)

CREATE INDEX job_gates_by_deployment ON job_gates (deployment_id)

CREATE INDEX job_gates_by_due ON job_gates (due_at) WHERE state = 'waiting'

CREATE TABLE gate_reviews (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  app_id INTEGER REFERENCES apps (id) ON DELETE SET NULL,
  state TEXT NOT NULL,
  comment TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX gate_reviews_by_run ON gate_reviews (run_id, id)

CREATE INDEX gate_reviews_by_user ON gate_reviews (user_id)

CREATE INDEX gate_reviews_by_app ON gate_reviews (app_id)

CREATE TABLE gate_review_jobs (
  review_id INTEGER NOT NULL REFERENCES gate_reviews (id) ON DELETE CASCADE,
  job_id INTEGER NOT NULL REFERENCES job_gates (job_id) ON DELETE CASCADE,
  PRIMARY KEY (review_id, job_id)
) STRICT

CREATE INDEX gate_review_jobs_by_job ON gate_review_jobs (job_id)`)
