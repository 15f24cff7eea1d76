import * as TableDefinitions from "../TableDefinitions.ts"

// Members of a team have the roles of all ancestors of the team. `team_ancestors` has them, each team among its own, so
// that no query is recursive.
export const teams = TableDefinitions.run(`CREATE TABLE teams (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  parent_id INTEGER REFERENCES teams (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  slug TEXT NOT NULL COLLATE NOCASE,
  description TEXT,
  privacy TEXT NOT NULL,
  notification_setting TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX teams_by_slug ON teams (organization_id, NAME(slug))

CREATE INDEX teams_by_parent ON teams (parent_id)

CREATE TABLE team_ancestors (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  ancestor_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, ancestor_id)
) STRICT

CREATE INDEX team_ancestors_by_ancestor ON team_ancestors (ancestor_id, team_id)

CREATE TABLE team_members (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  PRIMARY KEY (team_id, user_id)
) STRICT

CREATE INDEX team_members_by_user ON team_members (user_id, team_id)

CREATE TABLE team_repositories (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  permission TEXT NOT NULL,
  PRIMARY KEY (team_id, repository_id)
) STRICT

CREATE INDEX team_repositories_by_repository ON team_repositories (repository_id, team_id)

ALTER TABLE organizations ADD COLUMN base_permission TEXT NOT NULL DEFAULT 'read'

ALTER TABLE organizations ADD COLUMN members_can_create_repositories INTEGER NOT NULL DEFAULT 1

ALTER TABLE organizations ADD COLUMN description TEXT

ALTER TABLE organizations ADD COLUMN company TEXT

ALTER TABLE organizations ADD COLUMN blog TEXT

ALTER TABLE organizations ADD COLUMN location TEXT

ALTER TABLE memberships ADD COLUMN public INTEGER NOT NULL DEFAULT 0

CREATE INDEX memberships_by_user ON memberships (user_id, organization_id)

CREATE INDEX collaborators_by_user ON collaborators (user_id, repository_id)

CREATE VIEW repository_roles AS
  SELECT id AS repository_id, owner_id AS user_id, 'admin' AS permission FROM repositories
  UNION ALL
  SELECT repository_id, user_id, permission FROM collaborators
  UNION ALL
  SELECT r.id, m.user_id, CASE m.role WHEN 'owner' THEN 'admin' ELSE coalesce(o.base_permission, 'read') END
  FROM memberships m
  JOIN repositories r ON r.owner_id = m.organization_id
  LEFT JOIN organizations o ON o.user_id = m.organization_id
  WHERE m.role = 'owner' OR coalesce(o.base_permission, 'read') <> 'none'
  UNION ALL
  SELECT tr.repository_id, tm.user_id, tr.permission
  FROM team_members tm
  JOIN team_ancestors a ON a.team_id = tm.team_id
  JOIN team_repositories tr ON tr.team_id = a.ancestor_id

CREATE TABLE organization_invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  invitee_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  inviter_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  role TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (organization_id, invitee_id)
) STRICT

CREATE INDEX organization_invitations_by_invitee ON organization_invitations (invitee_id, id)

CREATE TABLE organization_invitation_teams (
  invitation_id INTEGER NOT NULL REFERENCES organization_invitations (id) ON DELETE CASCADE,
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  PRIMARY KEY (invitation_id, team_id)
) STRICT`)
