import * as TableDefinitions from "../TableDefinitions.ts"

// `state` is that of the newest status, null without one. The names of environments stay when an environment is deleted.
export const deployments = TableDefinitions.run(`CREATE TABLE deployments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  sha TEXT NOT NULL,
  ref TEXT NOT NULL,
  task TEXT NOT NULL,
  payload TEXT NOT NULL,
  original_environment TEXT NOT NULL,
  environment TEXT COLLATE NOCASE NOT NULL,
  description TEXT,
  transient INTEGER NOT NULL,
  production INTEGER NOT NULL,
  state TEXT,
  creator_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  app_id INTEGER REFERENCES apps (id) ON DELETE SET NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE INDEX deployments_by_repository ON deployments (repository_id, id)

CREATE INDEX deployments_by_commit ON deployments (repository_id, sha, id)

CREATE INDEX deployments_by_environment ON deployments (repository_id, NAME(environment), id)

CREATE INDEX deployments_by_creator ON deployments (creator_id)

CREATE INDEX deployments_by_app ON deployments (app_id)

CREATE TABLE deployment_statuses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deployment_id INTEGER NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  description TEXT NOT NULL,
  environment TEXT NOT NULL,
  log_url TEXT NOT NULL,
  environment_url TEXT NOT NULL,
  creator_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  app_id INTEGER REFERENCES apps (id) ON DELETE SET NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX deployment_statuses_by_deployment ON deployment_statuses (deployment_id, id)

CREATE INDEX deployment_statuses_by_creator ON deployment_statuses (creator_id)

CREATE INDEX deployment_statuses_by_app ON deployment_statuses (app_id)`)
