/**
 * The lock that orders the writes of all processes. A writer holds the lock until the end of the transaction, so that
 * the order of ids is the order of commits: no row appears behind a cursor that was given out. With this lock before any
 * row lock, writers cannot wait for each other in a circle.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Name of the forge's sessions. */
export const APPLICATION = "tongs"

/** Name of the sessions of a process of a cluster. */
export const sessionName = (runner: string) => `${APPLICATION} ${runner}`

/**
 * Ends the sessions of a process that has lost its place in the cluster. A stopped process would otherwise hold the lock
 * of all writes, once for each of its transactions that waits for it. A new process with the name has younger sessions.
 */
export const endSessions = (sql: SqlClient.SqlClient, runner: string) => sql`
  SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a JOIN cluster_runners r ON r.address = ${runner}
  WHERE a.datname = current_database() AND a.application_name = left(${sessionName(runner)}, 63)
    AND CAST(a.backend_start AS timestamp) <= r.last_heartbeat`

/** Channel with the messages `start` of a process that starts, and `write` of sessions with another name. */
export const CHANNEL = "tongs"

/** Waits for the lock, in an open transaction. The lock ends with the transaction. */
export const ACQUIRE = "SELECT pg_advisory_xact_lock(1953459815, 1)"

/** Sequence that each write advances, while the write holds `COUNT_LOCK`. `PostgresRevision` reads it. */
export const COUNTER = "write_count"

/** Key of the lock that a transaction holds from its first write to its end. The lock of writes comes before. */
export const COUNT_LOCK = "1953459815, 3"

/** Tables of the cluster itself. No response depends on them, and their writes wait for no other write. */
const UNCOUNTED = "cluster_|effect_sql_migrations|rate_limit_"

const createCounter = [
  `CREATE SEQUENCE ${COUNTER}`,
  `CREATE OR REPLACE FUNCTION order_writes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(1953459815, 1);
      PERFORM pg_advisory_xact_lock(${COUNT_LOCK});
      PERFORM nextval('${COUNTER}');
      IF current_setting('application_name') NOT LIKE '${APPLICATION}%' THEN PERFORM pg_notify('${CHANNEL}', 'write'); END IF;
      RETURN NULL;
    END $$`
]

/**
 * Adds a trigger to tables without one, so that each write takes the lock, also without a transaction, and is counted.
 * Processes that start at the same time do this one after the other. The start itself counts as a write, because
 * migrations may have changed rows.
 */
export const install = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const add = Effect.gen(function* () {
    const counters = yield* sql`SELECT 1 AS found WHERE to_regclass(${COUNTER}) IS NOT NULL`
    if (counters.length === 0) for (const statement of createCounter) yield* sql.unsafe(statement)
    const tables = yield* sql<{ readonly name: string }>`
      SELECT c.relname AS name FROM pg_class c
      WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
        AND c.relname !~ ${`^(${UNCOUNTED})`}
        AND NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'order_writes')`
    for (const { name } of tables) {
      yield* sql.unsafe(`
        CREATE TRIGGER order_writes BEFORE INSERT OR UPDATE OR DELETE ON ${name}
        FOR EACH STATEMENT EXECUTE FUNCTION order_writes()`)
    }
    yield* sql.unsafe(`SELECT pg_advisory_xact_lock(${COUNT_LOCK})`)
    yield* sql.unsafe(`SELECT nextval('${COUNTER}')`)
  })
  yield* sql.withTransaction(add)
})
