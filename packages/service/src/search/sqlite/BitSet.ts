/** A set of numbers below a fixed size: of blocks, documents or files. */
export class BitSet {
  readonly #words: Uint32Array

  constructor(size: number) {
    this.#words = new Uint32Array((size + 31) >>> 5)
  }

  add(number: number): void {
    const at = number >>> 5
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (number & 31))
  }

  /** Adds the numbers whose bits are set, counted from `first`. */
  addBits(bytes: Uint8Array, first: number): void {
    const words = this.#words
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (byte === 0) continue
      const number = first + at * 8
      const word = number >>> 5
      const shift = number & 31
      words[word] = (words[word] ?? 0) | (byte << shift)
      if (shift > 24) words[word + 1] = (words[word + 1] ?? 0) | (byte >>> (32 - shift))
    }
  }

  /** Adds the numbers of `that`, counted from `first`. */
  uniteFrom(that: BitSet, first: number): this {
    this.addBits(new Uint8Array(that.#words.buffer), first)
    return this
  }

  has(number: number): boolean {
    return (((this.#words[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1
  }

  /** Removes the numbers that `that`, a set of the same size, lacks. */
  intersect(that: BitSet): this {
    const words = this.#words
    const others = that.#words
    for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) & (others[at] ?? 0)
    return this
  }

  /** Adds the numbers of `that`, a set that is not larger. */
  unite(that: BitSet): this {
    const words = this.#words
    const others = that.#words
    for (let at = 0; at < others.length; at++) words[at] = (words[at] ?? 0) | (others[at] ?? 0)
    return this
  }

  /** Returns the numbers of `starts`, a set of the same size, that are the last ones up to a number of this set. */
  startsIn(starts: BitSet): BitSet {
    const found = new BitSet(this.#words.length * 32)
    let before = -1
    for (let at = 0; at < this.#words.length; at++) {
      const own = starts.#words[at] ?? 0
      let word = this.#words[at] ?? 0
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word)
        word &= word - 1
        const upTo = own & (bit === 31 ? -1 : (1 << (bit + 1)) - 1)
        const start = upTo === 0 ? before : at * 32 + 31 - Math.clz32(upTo)
        if (start !== -1) found.add(start)
      }
      if (own !== 0) before = at * 32 + 31 - Math.clz32(own)
    }
    return found
  }

  /** Calls `each` with every number of the set from `from` up to, but without, `end`, ascending. */
  forEach(each: (number: number) => void, from = 0, end = this.#words.length * 32): void {
    for (let at = from >>> 5; at * 32 < end; at++) {
      let word = this.#words[at] ?? 0
      while (word !== 0) {
        const number = at * 32 + 31 - Math.clz32(word & -word)
        word &= word - 1
        if (number >= end) return
        if (number >= from) each(number)
      }
    }
  }

  get count(): number {
    let count = 0
    for (let word of this.#words) {
      word -= (word >>> 1) & 0x55555555
      word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
      count += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
    }
    return count
  }
}
