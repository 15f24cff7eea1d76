import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const hooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A webhook belongs to a repository or to an organization. `sealed` holds the encrypted secrets.
  yield* sql`
    CREATE TABLE hooks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      repository_id INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
      organization_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
      creator_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
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
      CHECK ((repository_id IS NULL) <> (organization_id IS NULL))
    ) STRICT`
  yield* sql`CREATE INDEX hooks_by_repository ON hooks (repository_id)`
  yield* sql`CREATE INDEX hooks_by_organization ON hooks (organization_id)`
  // Outbox and log of webhook deliveries. A row without `status` is pending; its sender holds a lease until
  // `leased_until` (epoch milliseconds).
  yield* sql`
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
      response_body TEXT
    ) STRICT`
  yield* sql`CREATE INDEX deliveries_by_hook ON deliveries (hook_id, id)`
  yield* sql`CREATE INDEX deliveries_to_send ON deliveries (id) WHERE status IS NULL`
})
