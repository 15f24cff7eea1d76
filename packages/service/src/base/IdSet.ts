/** A mutable set of ids as bits, for sets of many ids. Ids that are close to each other share memory. */

/** Number of ids in a block. */
const BLOCK = 65_536

const bitCount = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const quads = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((quads + (quads >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export class IdSet {
  readonly #blocks = new Map<number, Uint32Array>()

  constructor(ids: Iterable<number> = []) {
    for (const id of ids) this.add(id)
  }

  add(id: number): void {
    const key = Math.floor(id / BLOCK)
    const known = this.#blocks.get(key)
    const block = known ?? new Uint32Array(BLOCK / 32)
    if (known === undefined) this.#blocks.set(key, block)
    const bit = id % BLOCK
    block[bit >>> 5] = (block[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }

  has(id: number): boolean {
    const bit = id % BLOCK
    return (((this.#blocks.get(Math.floor(id / BLOCK))?.[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1
  }

  get size(): number {
    let size = 0
    for (const block of this.#blocks.values()) for (const word of block) size += bitCount(word)
    return size
  }

  /** Returns the ids, sorted. */
  ids(): ReadonlyArray<number> {
    const found: Array<number> = []
    for (const [key, block] of [...this.#blocks].sort(([a], [b]) => a - b)) {
      for (let index = 0; index < block.length; index++) {
        for (let rest = block[index] ?? 0; rest !== 0; rest &= rest - 1) {
          found.push(key * BLOCK + index * 32 + 31 - Math.clz32(rest & -rest))
        }
      }
    }
    return found
  }

  union(other: IdSet): IdSet {
    return this.#combined(other, [...this.#blocks.keys(), ...other.#blocks.keys()], (a, b) => a | b)
  }

  intersection(other: IdSet): IdSet {
    return this.#combined(other, [...this.#blocks.keys()], (a, b) => a & b)
  }

  difference(other: IdSet): IdSet {
    return this.#combined(other, [...this.#blocks.keys()], (a, b) => a & ~b)
  }

  #combined(other: IdSet, keys: ReadonlyArray<number>, combine: (a: number, b: number) => number): IdSet {
    const result = new IdSet()
    for (const key of new Set(keys)) {
      const [own, others] = [this.#blocks.get(key), other.#blocks.get(key)]
      const block = new Uint32Array(BLOCK / 32)
      for (let index = 0; index < block.length; index++) block[index] = combine(own?.[index] ?? 0, others?.[index] ?? 0)
      result.#blocks.set(key, block)
    }
    return result
  }
}

/** Mutable sums by ids. Ids that are close to each other share memory. */
export class IdSums {
  readonly #blocks = new Map<number, Uint32Array>()
  #last: readonly [key: number, block: Uint32Array] | undefined

  add(id: number, value: number): void {
    const key = Math.floor(id / BLOCK)
    if (this.#last?.[0] !== key) {
      const block = this.#blocks.get(key) ?? new Uint32Array(BLOCK)
      this.#blocks.set(key, block)
      this.#last = [key, block]
    }
    const [, block] = this.#last
    const index = id % BLOCK
    block[index] = (block[index] ?? 0) + value
  }

  /** Returns the sum of an id, or 0. */
  get(id: number): number {
    return this.#blocks.get(Math.floor(id / BLOCK))?.[id % BLOCK] ?? 0
  }
}

/** Calls `onNumber` with each number of a list of whole numbers, separated by commas. */
export const forEachNumber = (list: string, onNumber: (value: number) => void): void => {
  let value = 0
  for (let at = 0; at < list.length; at++) {
    const code = list.charCodeAt(at)
    if (code === 44) {
      onNumber(value)
      value = 0
    } else value = value * 10 + code - 48
  }
  if (list.length > 0) onNumber(value)
}
