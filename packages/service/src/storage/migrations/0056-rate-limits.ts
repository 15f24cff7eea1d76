import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TableDefinitions from "../TableDefinitions.ts"

// The counters of the rate limits of a cluster: `used` units of `maximum` until `resets_at`, in epoch milliseconds of the
// database's clock. `carried` are the units of concurrent requests that their processes hold since the previous window.
const tables = TableDefinitions.run(`CREATE TABLE rate_limit_counters (
  budget TEXT NOT NULL,
  counter TEXT NOT NULL,
  resets_at INTEGER NOT NULL,
  maximum INTEGER NOT NULL,
  used INTEGER NOT NULL,
  carried INTEGER NOT NULL,
  PRIMARY KEY (budget, counter)
) STRICT

CREATE INDEX rate_limit_counters_by_reset ON rate_limit_counters (resets_at)`)

// Exchanges the units that a process holds: gives back `held` units of the window that ends at `held_until`, and grants
// `needed` units, with up to `extra` ones if they are at most a sixteenth of the rest, or as many as are left. All
// rows are locked in the same order, so that two processes do not wait for each other in a circle. A window that ends a
// minute later than its length allows was set before the clock went back, and ends at once.
const LEASE = `CREATE FUNCTION lease_rate_limits(requests JSON) RETURNS TABLE (
  budget TEXT, counter TEXT, granted BIGINT, used BIGINT, maximum BIGINT, resets_at BIGINT, read_at BIGINT
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  request RECORD;
  known rate_limit_counters%ROWTYPE;
  moment BIGINT;
  free BIGINT;
BEGIN
  FOR request IN
    SELECT * FROM json_to_recordset(requests) AS asked (
      budget TEXT, counter TEXT, length BIGINT, maximum BIGINT, carries BOOLEAN,
      held BIGINT, held_until BIGINT, needed BIGINT, extra BIGINT
    ) ORDER BY asked.budget COLLATE "C", asked.counter COLLATE "C"
  LOOP
    LOOP
      SELECT * INTO known FROM rate_limit_counters AS c
        WHERE c.budget = request.budget AND c.counter = request.counter FOR UPDATE;
      EXIT WHEN FOUND;
      INSERT INTO rate_limit_counters AS c (budget, counter, resets_at, maximum, used, carried)
        VALUES (request.budget, request.counter, 0, request.maximum, 0, 0) ON CONFLICT DO NOTHING;
    END LOOP;
    moment := floor(extract(epoch FROM clock_timestamp()) * 1000);
    IF request.carries AND moment >= known.resets_at AND moment < known.resets_at + request.length THEN
      known.carried := known.used;
      known.used := 0;
      known.resets_at := known.resets_at + request.length;
    ELSIF moment >= known.resets_at OR moment < known.resets_at - request.length - 60000 THEN
      known.carried := 0;
      known.used := 0;
      known.maximum := request.maximum;
      known.resets_at := moment + request.length;
    END IF;
    IF request.held_until = known.resets_at THEN
      known.used := greatest(0, known.used - request.held);
    ELSIF request.carries AND request.held_until = known.resets_at - request.length THEN
      known.carried := greatest(0, known.carried - request.held);
    END IF;
    free := greatest(0, known.maximum - known.used - known.carried);
    granted := least(free, request.needed + least(request.extra, greatest(0, free - request.needed) / 16));
    known.used := known.used + granted;
    UPDATE rate_limit_counters AS c SET resets_at = known.resets_at, maximum = known.maximum, used = known.used,
      carried = known.carried WHERE c.budget = request.budget AND c.counter = request.counter;
    budget := request.budget;
    counter := request.counter;
    used := known.used + known.carried;
    maximum := known.maximum;
    resets_at := known.resets_at;
    read_at := moment;
    RETURN NEXT;
  END LOOP;
END $$`

export const rateLimits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* tables
  // A single process counts in memory.
  yield* sql.onDialectOrElse({ pg: () => Effect.asVoid(sql.unsafe(LEASE)), orElse: () => Effect.void })
})
