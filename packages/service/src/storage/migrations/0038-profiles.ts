import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TableDefinitions from "../TableDefinitions.ts"

// `users.email` is the address in the profile. All addresses of a user are in `user_emails`, one of them primary.
const TABLES = `ALTER TABLE users ADD COLUMN company TEXT

ALTER TABLE users ADD COLUMN blog TEXT

ALTER TABLE users ADD COLUMN location TEXT

ALTER TABLE users ADD COLUMN bio TEXT

ALTER TABLE users ADD COLUMN twitter_username TEXT

ALTER TABLE users ADD COLUMN hireable INTEGER

ALTER TABLE users ADD COLUMN suspended_at TEXT

ALTER TABLE user_emails ADD COLUMN is_primary INTEGER NOT NULL DEFAULT 0

CREATE INDEX user_emails_by_user ON user_emails (user_id)

CREATE TABLE followers (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  follower_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (user_id, follower_id)
) STRICT

CREATE INDEX followers_by_time ON followers (user_id, created_at, follower_id)

CREATE INDEX followers_by_follower ON followers (follower_id, created_at, user_id)

CREATE TABLE ssh_signing_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX ssh_signing_keys_by_user ON ssh_signing_keys (user_id)

ALTER TABLE pgp_keys ADD COLUMN name TEXT

CREATE INDEX pgp_keys_by_user ON pgp_keys (user_id)

CREATE TABLE pgp_key_parts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pgp_key INTEGER NOT NULL REFERENCES pgp_keys (id) ON DELETE CASCADE,
  key_id TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX pgp_key_parts_by_key_id ON pgp_key_parts (key_id, pgp_key)

CREATE INDEX pgp_key_parts_by_key ON pgp_key_parts (pgp_key)

INSERT INTO pgp_key_parts (pgp_key, key_id) SELECT pgp_key, key_id FROM pgp_key_ids ORDER BY pgp_key, key_id

DROP TABLE pgp_key_ids`

/** Signing keys are part of what `key_registry` counts. */
const countChanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sqlite = ["INSERT", "UPDATE", "DELETE"].map(
    (event) => `
      CREATE TRIGGER ssh_signing_keys_${event} AFTER ${event} ON ssh_signing_keys
      BEGIN UPDATE key_registry SET revision = revision + 1; END`
  )
  const pg = `
    CREATE TRIGGER ssh_signing_keys_changed AFTER INSERT OR UPDATE OR DELETE ON ssh_signing_keys
    FOR EACH ROW EXECUTE FUNCTION count_key_change()`
  for (const statement of sql.onDialectOrElse({ pg: () => [pg], orElse: () => sqlite })) yield* sql.unsafe(statement)
})

export const profiles = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* TableDefinitions.run(TABLES)
  yield* countChanges
  yield* sql`
    INSERT INTO user_emails (user_id, email, verified, is_primary)
    SELECT id, email, 1, 1 FROM users WHERE email IS NOT NULL AND type = 'User'
    ON CONFLICT DO NOTHING`
  yield* sql`
    UPDATE user_emails SET is_primary = 1
    WHERE EXISTS (SELECT 1 FROM users u WHERE u.id = user_emails.user_id AND lower(u.email) = lower(user_emails.email))`
})
