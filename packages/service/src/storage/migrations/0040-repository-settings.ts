import * as TableDefinitions from "../TableDefinitions.ts"

const flags = {
  has_issues: 1,
  has_projects: 1,
  has_wiki: 1,
  has_discussions: 0,
  has_downloads: 1,
  is_template: 0,
  allow_squash_merge: 1,
  allow_merge_commit: 1,
  allow_rebase_merge: 1,
  allow_auto_merge: 0,
  allow_update_branch: 0,
  allow_forking: 1,
  delete_branch_on_merge: 0,
  web_commit_signoff_required: 0
}

const columns = [
  ...Object.entries(flags).map(([name, value]) => `${name} INTEGER NOT NULL DEFAULT ${value}`),
  "squash_merge_commit_message TEXT NOT NULL DEFAULT 'COMMIT_MESSAGES'",
  "merge_commit_title TEXT NOT NULL DEFAULT 'MERGE_MESSAGE'",
  "merge_commit_message TEXT NOT NULL DEFAULT 'PR_TITLE'",
  // The repository whose files this one was created with.
  "template_id INTEGER REFERENCES repositories (id) ON DELETE SET NULL"
].map((column) => `ALTER TABLE repositories ADD COLUMN ${column}`)

const TABLES = `CREATE INDEX repositories_by_template ON repositories (template_id)

CREATE TABLE autolinks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  key_prefix TEXT NOT NULL COLLATE NOCASE,
  url_template TEXT NOT NULL,
  is_alphanumeric INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX autolinks_by_prefix ON autolinks (repository_id, NAME(key_prefix))`

export const repositorySettings = TableDefinitions.run([...columns, TABLES].join("\n\n"))
