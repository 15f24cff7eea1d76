/** Remembers recent keys, for caches that keep a value only if the key comes again. */

/**
 * Returns a function that adds a key, and is true if the key is among about the last `limit` keys. Two sets, of which
 * the older is dropped when the newer is full, cost a third of a list in the order of use.
 */
export const make = (limit: number): ((key: string) => boolean) => {
  let newer = new Set<string>()
  let older = newer
  return (key) => {
    if (newer.has(key)) return true
    const isRepeated = older.has(key)
    if (newer.size >= limit / 2) {
      older = newer
      newer = new Set()
    }
    newer.add(key)
    return isRepeated
  }
}
