const reads = /^\s*(?:select\b|with\b(?!.*\b(?:insert|update|delete|replace)\b))/is

/** A function of the database that writes, although a query calls it. */
const writingFunction = /\blease_rate_limits\b/i

/** True for an SQL statement that only reads. All other statements count as writes. */
export const isRead = (sql: string): boolean => reads.test(sql) && !writingFunction.test(sql)

const clusterState = /^[^']*\b(?:lease_rate_limits|rate_limit_counters|cluster_\w+)\b/i

/** True for a statement on the tables of the cluster itself. No response depends on them, so all stay valid. */
export const isOfCluster = (sql: string): boolean => clusterState.test(sql)

/** Tables that decide which account may read which repository, with the names of both. */
const accessTables = [
  "collaborators",
  "memberships",
  "organizations",
  "repositories",
  "team_ancestors",
  "team_members",
  "team_repositories",
  "teams",
  "users"
]

/** Statements that change no row of `accessTables`. Of the other tables, no deletion cascades to these. */
const elsewhere = new RegExp(
  String.raw`^\s*(?:(?:insert(?:\s+or\s+\w+)?\s+into|update(?:\s+or\s+\w+)?|delete\s+from)\s+"?(?!(?:${accessTables.join("|")})\b)\w+` +
    String.raw`|(?:begin|commit|end|savepoint|release|pragma|listen|notify)\b|rollback\b(?!.*\bto\b))`,
  "is"
)

/** True if a statement may change who may read which repository. */
const changesAccess = (sql: string): boolean => !isRead(sql) && !elsewhere.test(sql)

/** True for the end of a transaction, not of a savepoint. */
export const isEnd = (sql: string): boolean => /^\s*(?:commit|end|rollback)\b(?!.*\bto\b)/is.test(sql)

/**
 * Creates a function that is called with each statement of a connection, and calls `count` after the statements that may
 * change who may read which repository, and at the end of their transaction, when others see the change or lose it.
 */
export const accessCounter = (count: () => void): ((sql: string) => void) => {
  let isPending = false
  return (sql) => {
    const changes = changesAccess(sql)
    const ends = isEnd(sql)
    if (changes || (isPending && ends)) count()
    isPending = changes || (isPending && !ends)
  }
}
