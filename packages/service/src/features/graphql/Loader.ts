/** Batches the reads of single values: one read for all values that resolvers ask for in an event-loop tick. */

/**
 * Creates a function that returns the value of a key. `load` reads the values of all keys of a tick at once; a key
 * without a value is absent from the result.
 */
export const make = <K, V>(load: (keys: ReadonlyArray<K>) => Promise<ReadonlyMap<K, V>>) => {
  let batch: { readonly keys: Set<K>; readonly values: Promise<ReadonlyMap<K, V>> } | undefined
  const start = () => {
    const keys = new Set<K>()
    const values = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      batch = undefined
      return load([...keys])
    })
    return { keys, values }
  }
  return async (key: K): Promise<V | undefined> => {
    batch ??= start()
    batch.keys.add(key)
    return (await batch.values).get(key)
  }
}
