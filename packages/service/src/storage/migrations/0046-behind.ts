import * as TableDefinitions from "../TableDefinitions.ts"

// Number of commits that only the base branch has. Open pull requests are tested again, because it is unknown.
export const behind = TableDefinitions.run(`ALTER TABLE pull_requests ADD COLUMN behind INTEGER NOT NULL DEFAULT 0

UPDATE pull_requests SET tested_base = '' WHERE issue_id IN (SELECT id FROM issues WHERE state = 'open')`)
