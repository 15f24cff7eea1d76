const reads = /^\s*(?:select\b|with\b(?!.*\b(?:insert|update|delete|replace)\b))/is

/** True for an SQL statement that only reads. All other statements count as writes. */
export const isRead = (sql: string): boolean => reads.test(sql)
