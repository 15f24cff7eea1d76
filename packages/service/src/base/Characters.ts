/** Counts of characters. Limits of texts are in Unicode characters, not in UTF-16 units. */

const pair = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g

/** True if a text has more than `limit` characters. */
export const exceed = (text: string, limit: number): boolean =>
  text.length > limit && (text.length > 2 * limit || text.length - (text.match(pair)?.length ?? 0) > limit)
