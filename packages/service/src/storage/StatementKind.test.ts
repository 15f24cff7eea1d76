import { assert, describe, it } from "@effect/vitest"
import { accessCounter, isOfCluster, isRead } from "./StatementKind.ts"

/** Returns the counts after each statement of a connection. */
const counts = (...statements: ReadonlyArray<string>): ReadonlyArray<number> => {
  let count = 0
  const note = accessCounter(() => {
    count += 1
  })
  return statements.map((sql) => {
    note(sql)
    return count
  })
}

describe("StatementKind", () => {
  it("counts statements that may change who may read which repository", () => {
    for (const sql of [
      "INSERT INTO collaborators VALUES (1)",
      "\n  update repositories SET private = 1",
      "DELETE FROM team_members",
      "INSERT OR IGNORE INTO memberships VALUES (1)",
      'UPDATE "users" SET login = ?',
      "WITH old AS (SELECT 1) DELETE FROM teams",
      "CREATE TABLE other (id INTEGER)",
      "ROLLBACK TO SAVEPOINT one"
    ])
      assert.deepStrictEqual(counts(sql), [1], sql)
    for (const sql of [
      "INSERT INTO issues VALUES (1)",
      "UPDATE repositories_seen SET id = 1",
      "BEGIN",
      "SELECT 1",
      "COMMIT"
    ])
      assert.deepStrictEqual(counts(sql), [0], sql)
  })

  it("counts the end of a transaction with such a statement", () => {
    assert.deepStrictEqual(
      counts("BEGIN IMMEDIATE", "DELETE FROM users", "INSERT INTO labels VALUES (1)", "COMMIT"),
      [0, 1, 1, 2]
    )
    assert.deepStrictEqual(
      counts("BEGIN", "DELETE FROM users", "RELEASE SAVEPOINT a", "ROLLBACK", "COMMIT"),
      [0, 1, 1, 2, 2]
    )
  })

  it("knows the statements of the cluster, and that leasing is no read", () => {
    assert.isFalse(isRead("SELECT * FROM lease_rate_limits(CAST($1 AS json))"))
    for (const sql of [
      "SELECT * FROM lease_rate_limits(CAST($1 AS json))",
      "DELETE FROM rate_limit_counters WHERE resets_at < 1",
      "INSERT INTO cluster_locks (shard_id) VALUES ($1)"
    ])
      assert.isTrue(isOfCluster(sql), sql)
    for (const sql of ["UPDATE users SET name = 'rate_limit_counters'", "COMMIT"]) assert.isFalse(isOfCluster(sql), sql)
  })
})
