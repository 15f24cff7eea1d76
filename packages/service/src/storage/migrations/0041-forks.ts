import * as TableDefinitions from "../TableDefinitions.ts"

// `source_id` is the root of the fork's network: a repository that is no fork. All repositories of a network have the
// same visibility. A private fork gives rights only to accounts that may read the root.
export const forks =
  TableDefinitions.run(`ALTER TABLE repositories ADD COLUMN parent_id INTEGER REFERENCES repositories (id) ON DELETE SET NULL

ALTER TABLE repositories ADD COLUMN source_id INTEGER REFERENCES repositories (id) ON DELETE SET NULL

CREATE INDEX repositories_by_parent ON repositories (parent_id, id)

CREATE INDEX repositories_by_source ON repositories (source_id, owner_id, id)

CREATE TABLE object_pools (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  base_id INTEGER REFERENCES object_pools (id) ON DELETE SET NULL
) STRICT

CREATE INDEX object_pools_by_base ON object_pools (base_id)

CREATE TABLE object_pool_uses (
  pool_id INTEGER NOT NULL REFERENCES object_pools (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  PRIMARY KEY (pool_id, repository_id)
) STRICT

CREATE INDEX object_pool_uses_by_repository ON object_pool_uses (repository_id, pool_id)

DROP VIEW repository_roles

CREATE VIEW granted_roles AS
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
  UNION ALL
  SELECT f.id, m.user_id, 'admin'
  FROM memberships m
  JOIN repositories r ON r.owner_id = m.organization_id
  JOIN repositories f ON f.source_id = r.id
  WHERE m.role = 'owner' AND f.private = 1
  UNION ALL
  SELECT f.id, tm.user_id, tr.permission
  FROM team_members tm
  JOIN team_ancestors a ON a.team_id = tm.team_id
  JOIN team_repositories tr ON tr.team_id = a.ancestor_id
  JOIN repositories f ON f.source_id = tr.repository_id
  WHERE f.private = 1

CREATE VIEW repository_roles AS
  SELECT g.repository_id, g.user_id, g.permission FROM granted_roles g
  WHERE NOT EXISTS (
    SELECT 1 FROM repositories f
    WHERE f.id = g.repository_id AND f.private = 1 AND f.source_id IS NOT NULL
      AND NOT EXISTS (
        SELECT 1 FROM granted_roles root WHERE root.repository_id = f.source_id AND root.user_id = g.user_id)
      AND NOT EXISTS (SELECT 1 FROM users o WHERE o.id = g.user_id AND o.type = 'Organization'))`)
