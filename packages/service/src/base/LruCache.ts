interface Entry<A> {
  readonly value: A
  readonly weight: number
  /** True if the entry was read since the entry was added or last spared. */
  isUsed: boolean
}

/**
 * A map that evicts entries that were not used lately when the total weight exceeds `limit`. Does not store an entry
 * heavier than the limit.
 *
 * **Details**
 *
 * A read only marks the entry, because moving an entry would cost several times as much. An eviction spares each marked
 * entry once (the CLOCK algorithm).
 */
export class LruCache<A> {
  readonly #entries = new Map<string, Entry<A>>()
  readonly #limit: number
  #total = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): A | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    entry.isUsed = true
    return entry.value
  }

  set(key: string, value: A, weight = 1): void {
    this.delete(key)
    if (weight > this.#limit) return
    for (const [oldest, entry] of this.#entries) {
      if (this.#total + weight <= this.#limit) break
      this.#entries.delete(oldest)
      if (entry.isUsed) {
        entry.isUsed = false
        this.#entries.set(oldest, entry)
      } else this.#total -= entry.weight
    }
    this.#entries.set(key, { value, weight, isUsed: false })
    this.#total += weight
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#total -= entry.weight
  }
}
