/** A set of document numbers, which are below a fixed size. */
export class BitSet {
  readonly #words: Uint32Array

  constructor(size: number) {
    this.#words = new Uint32Array((size + 31) >>> 5)
  }

  add(document: number): void {
    const at = document >>> 5
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (document & 31))
  }

  has(document: number): boolean {
    return (((this.#words[document >>> 5] ?? 0) >>> (document & 31)) & 1) === 1
  }

  /** Removes the documents that `that`, a set of the same size, lacks. */
  intersect(that: BitSet): this {
    const words = this.#words
    const others = that.#words
    for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) & (others[at] ?? 0)
    return this
  }

  /** Adds the documents of `that`, a set of the same size. */
  unite(that: BitSet): this {
    const words = this.#words
    const others = that.#words
    for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) | (others[at] ?? 0)
    return this
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
