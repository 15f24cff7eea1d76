import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TableDefinitions from "../TableDefinitions.ts"

// `details` has the texts and URLs of an app as JSON. `code` is the SHA-256 of a code. `expires_at` is in milliseconds.
const TABLES = `ALTER TABLE installations ADD COLUMN suspended_at TEXT

ALTER TABLE installations ADD COLUMN suspended_by INTEGER REFERENCES users (id) ON DELETE SET NULL

ALTER TABLE deliveries ADD COLUMN installation_id INTEGER

ALTER TABLE apps ADD COLUMN details TEXT NOT NULL DEFAULT '{}'

CREATE INDEX installations_by_account ON installations (account_id)

CREATE INDEX installations_by_app ON installations (app_id)

CREATE TABLE app_manifests (
  code TEXT PRIMARY KEY,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT

CREATE TABLE custom_properties (
  organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  value_type TEXT NOT NULL,
  required INTEGER NOT NULL,
  default_value TEXT,
  description TEXT,
  allowed_values TEXT,
  values_editable_by TEXT NOT NULL,
  require_explicit_values INTEGER NOT NULL
) STRICT

CREATE UNIQUE INDEX custom_properties_by_name ON custom_properties (organization_id, NAME(name))

CREATE VIEW repository_property_values AS
  SELECT repository_id, name, "values" FROM repository_properties
  UNION ALL
  SELECT r.id, d.name, d.default_value
  FROM custom_properties d
  JOIN repositories r ON r.owner_id = d.organization_id
  WHERE d.required = 1 AND d.default_value IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM repository_properties p WHERE p.repository_id = r.id AND p.name = d.name)`

// A single value was an array, which now is a value of type `multi_select`.
const singleValues = {
  sqlite: `UPDATE repository_properties SET "values" = json_quote(json_extract("values", '$[0]'))
    WHERE json_array_length("values") = 1`,
  postgres: `UPDATE repository_properties SET "values" = CAST(CAST("values" AS json) -> 0 AS text)
    WHERE json_array_length(CAST("values" AS json)) = 1`
} as const // literal texts

// A hook can belong to an app. SQLite cannot change the check of the owner, and dropping `hooks` would delete the
// deliveries, so both tables are created again.
const SQLITE = `ALTER TABLE hooks RENAME TO former_hooks

DROP INDEX hooks_by_repository

DROP INDEX hooks_by_organization

CREATE TABLE hooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  organization_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  by_app INTEGER NOT NULL DEFAULT 0,
  active INTEGER NOT NULL,
  events TEXT NOT NULL,
  url TEXT NOT NULL,
  content_type TEXT NOT NULL,
  insecure_ssl TEXT NOT NULL,
  sealed TEXT,
  last_code INTEGER,
  last_status TEXT NOT NULL DEFAULT 'unused',
  last_message TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  is_slow INTEGER NOT NULL DEFAULT 0,
  retry_at INTEGER NOT NULL DEFAULT 0,
  recovered_at INTEGER NOT NULL DEFAULT 0,
  creator_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  app_id INTEGER UNIQUE REFERENCES apps (id) ON DELETE CASCADE,
  CHECK (repository_id IS NOT NULL OR organization_id IS NOT NULL OR app_id IS NOT NULL)
) STRICT

INSERT INTO hooks (id, repository_id, organization_id, by_app, active, events, url, content_type, insecure_ssl, sealed,
  last_code, last_status, last_message, created_at, updated_at, failures, is_slow, retry_at, recovered_at, creator_id)
SELECT id, repository_id, organization_id, by_app, active, events, url, content_type, insecure_ssl, sealed,
  last_code, last_status, last_message, created_at, updated_at, failures, is_slow, retry_at, recovered_at, creator_id
FROM former_hooks

CREATE INDEX hooks_by_repository ON hooks (repository_id)

CREATE INDEX hooks_by_organization ON hooks (organization_id)

ALTER TABLE deliveries RENAME TO former_deliveries

DROP INDEX deliveries_by_hook

DROP INDEX deliveries_pending

DROP INDEX deliveries_requested

DROP INDEX deliveries_by_lease

CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hook_id INTEGER NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
  guid TEXT NOT NULL,
  redelivery INTEGER NOT NULL DEFAULT 0,
  event TEXT NOT NULL,
  action TEXT,
  repository_id INTEGER,
  payload TEXT NOT NULL,
  leased_until INTEGER NOT NULL DEFAULT 0,
  delivered_at TEXT,
  duration REAL,
  status TEXT,
  status_code INTEGER,
  url TEXT,
  request_headers TEXT,
  response_headers TEXT,
  response_body TEXT,
  created_at INTEGER NOT NULL DEFAULT 0
) STRICT

INSERT INTO deliveries SELECT * FROM former_deliveries

DROP TABLE former_deliveries

DROP TABLE former_hooks

CREATE INDEX deliveries_by_hook ON deliveries (hook_id, id)

CREATE INDEX deliveries_pending ON deliveries (hook_id, id) WHERE status IS NULL

CREATE INDEX deliveries_requested ON deliveries (hook_id, id) WHERE status IS NULL AND (redelivery = 1 OR event = 'ping')

CREATE INDEX deliveries_by_lease ON deliveries (hook_id, leased_until)`

const POSTGRES = `ALTER TABLE hooks ADD COLUMN app_id INTEGER UNIQUE REFERENCES apps (id) ON DELETE CASCADE

ALTER TABLE hooks DROP CONSTRAINT hooks_check

ALTER TABLE hooks ADD CONSTRAINT hooks_check
  CHECK (repository_id IS NOT NULL OR organization_id IS NOT NULL OR app_id IS NOT NULL)`

export const apps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* TableDefinitions.run(sql.onDialectOrElse({ pg: () => POSTGRES, orElse: () => SQLITE }))
  yield* TableDefinitions.run(TABLES)
  yield* sql.unsafe(sql.onDialectOrElse({ pg: () => singleValues.postgres, orElse: () => singleValues.sqlite }))
})
