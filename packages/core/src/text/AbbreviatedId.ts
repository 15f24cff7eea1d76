/** Git object ids as text for people. */

/** Number of digits of an abbreviated id, as on GitHub and in most output of git. */
const ABBREVIATED_LENGTH = 7

const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/**
 * Abbreviates a git object id. Returns other text, for example the name of a branch, unchanged. An abbreviation can be
 * ambiguous in a large repository, so suggested commands contain the whole id.
 */
export const of = (text: string): string => (objectId.test(text) ? text.slice(0, ABBREVIATED_LENGTH) : text)
