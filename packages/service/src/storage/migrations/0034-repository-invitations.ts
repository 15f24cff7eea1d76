import * as TableDefinitions from "../TableDefinitions.ts"

// An account has at most one invitation to a repository. An invitation outlives the account that made it.
export const repositoryInvitations = TableDefinitions.run(`CREATE TABLE repository_invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  invitee_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  inviter_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  permission TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (repository_id, invitee_id)
) STRICT

CREATE INDEX repository_invitations_by_invitee ON repository_invitations (invitee_id, id)`)
