/**
 * The lock that orders the writes of all processes. A writer holds the lock until the end of the transaction, so that
 * the order of ids is the order of commits: no row appears behind a cursor that was given out. With this lock before any
 * row lock, writers cannot wait for each other in a circle.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Name of the forge's sessions. */
export const APPLICATION = "tongs"

/** Channel with the messages `start` of a process that starts, and `write` of sessions with another name. */
export const CHANNEL = "tongs"

/** Waits for the lock, in an open transaction. The lock ends with the transaction. */
export const ACQUIRE = "SELECT pg_advisory_xact_lock(1953459815, 1)"

/**
 * Adds a trigger to tables without one, so that statements without a transaction take the lock too. Processes that start
 * at the same time do this one after the other.
 */
export const install = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const add = Effect.gen(function* () {
    const tables = yield* sql<{ readonly name: string }>`
      SELECT c.relname AS name FROM pg_class c
      WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
        AND c.relname <> 'effect_sql_migrations' AND c.relname NOT LIKE 'cluster\\_%'
        AND NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'order_writes')`
    if (tables.length === 0) return
    yield* sql.unsafe(`
      CREATE OR REPLACE FUNCTION order_writes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(1953459815, 1);
        IF current_setting('application_name') <> '${APPLICATION}' THEN PERFORM pg_notify('${CHANNEL}', 'write'); END IF;
        RETURN NULL;
      END $$`)
    for (const { name } of tables) {
      yield* sql.unsafe(`
        CREATE TRIGGER order_writes BEFORE INSERT OR UPDATE OR DELETE ON ${name}
        FOR EACH STATEMENT EXECUTE FUNCTION order_writes()`)
    }
  })
  yield* sql.withTransaction(add)
})
