import * as TableDefinitions from "../TableDefinitions.ts"

// `tested_base` and `tested_head` are the commits of which `commits` and what follows are known.
export const pullRequests = TableDefinitions.run(`CREATE TABLE pull_requests (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  base_ref TEXT NOT NULL,
  base_sha TEXT NOT NULL,
  head_repository_id INTEGER REFERENCES repositories (id) ON DELETE SET NULL,
  head_user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  head_ref TEXT NOT NULL,
  head_sha TEXT NOT NULL,
  draft INTEGER NOT NULL DEFAULT 0,
  maintainer_can_modify INTEGER NOT NULL DEFAULT 0,
  merged_at TEXT,
  merged_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  merge_commit_sha TEXT,
  tested_base TEXT NOT NULL,
  tested_head TEXT NOT NULL,
  commits INTEGER NOT NULL,
  additions INTEGER NOT NULL,
  deletions INTEGER NOT NULL,
  changed_files INTEGER NOT NULL,
  mergeable INTEGER,
  rebaseable INTEGER
) STRICT

CREATE INDEX pull_requests_by_base ON pull_requests (repository_id, base_ref)

CREATE INDEX pull_requests_by_head ON pull_requests (head_repository_id, head_ref)

CREATE INDEX pull_requests_by_commit ON pull_requests (repository_id, head_sha)

CREATE INDEX pull_requests_by_merge ON pull_requests (repository_id, merge_commit_sha)

CREATE TABLE pull_request_merges (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  base_ref TEXT NOT NULL,
  after TEXT NOT NULL
) STRICT

CREATE INDEX pull_request_merges_by_move ON pull_request_merges (repository_id, base_ref, after)`)
