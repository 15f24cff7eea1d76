/** Remembers the last keys, for caches that keep a value only if its key comes again. */

/**
 * Returns a function that adds a key, and is true if the key is among about the last `limit` ones. Two sets, of which the
 * older one is dropped when the newer one is full, cost a third of a list in the order of use.
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
