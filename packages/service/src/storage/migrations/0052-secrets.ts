import * as TableDefinitions from "../TableDefinitions.ts"

// A secret or variable belongs to an organization, a repository or an environment. The names are in upper case. `sealed`
// is the sealed box as it was received.
const valueTable = (table: string, noun: string, content: string) => `CREATE TABLE ${table} (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  repository_id INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  environment_id INTEGER REFERENCES environments (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  ${content} TEXT NOT NULL,
  visibility TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (organization_id, name),
  UNIQUE (repository_id, name),
  UNIQUE (environment_id, name)
) STRICT

CREATE TABLE ${noun}_repositories (
  ${noun}_id INTEGER NOT NULL REFERENCES ${table} (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  PRIMARY KEY (${noun}_id, repository_id)
) STRICT

CREATE INDEX ${noun}_repositories_by_repository ON ${noun}_repositories (repository_id)`

export const secrets = TableDefinitions.run(`CREATE TABLE environments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name TEXT COLLATE NOCASE NOT NULL,
  wait_timer INTEGER NOT NULL,
  prevent_self_review INTEGER NOT NULL,
  branch_policy TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX environments_by_name ON environments (repository_id, NAME(name))

CREATE TABLE environment_reviewers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  team_id INTEGER REFERENCES teams (id) ON DELETE CASCADE,
  UNIQUE (environment_id, user_id),
  UNIQUE (environment_id, team_id)
) STRICT

CREATE INDEX environment_reviewers_by_user ON environment_reviewers (user_id)

CREATE INDEX environment_reviewers_by_team ON environment_reviewers (team_id)

CREATE TABLE deployment_branch_policies (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  UNIQUE (environment_id, type, name)
) STRICT

CREATE TABLE deployment_protection_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  UNIQUE (environment_id, app_id)
) STRICT

CREATE INDEX deployment_protection_rules_by_app ON deployment_protection_rules (app_id)

${valueTable("secrets", "secret", "sealed")}

${valueTable("variables", "variable", "value")}`)
