import * as TableDefinitions from "../TableDefinitions.ts"

// A branch can be linked to several issues, also to issues of other repositories.
export const linkedBranches = TableDefinitions.run(`CREATE TABLE linked_branches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  UNIQUE (issue_id, repository_id, name)
) STRICT

CREATE INDEX linked_branches_by_name ON linked_branches (repository_id, name)`)
