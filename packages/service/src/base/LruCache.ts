/**
 * A map that evicts the least recently used entries when the total weight exceeds `limit`. It does not store an entry
 * heavier than the limit.
 */
export class LruCache<A> {
  readonly #entries = new Map<string, { readonly value: A; readonly weight: number }>()
  readonly #limit: number
  #total = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): A | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: A, weight = 1): void {
    this.delete(key)
    if (weight > this.#limit) return
    this.#entries.set(key, { value, weight })
    this.#total += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= this.#limit) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#total -= entry.weight
  }
}
