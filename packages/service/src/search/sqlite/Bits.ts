/** A set of documents, by number. */
export class Bits {
  readonly #words: Uint32Array

  constructor(size: number, words = new Uint32Array((size + 31) >>> 5)) {
    this.#words = words
  }

  add(document: number): void {
    const at = document >>> 5
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (document & 31))
  }

  has(document: number): boolean {
    return (((this.#words[document >>> 5] ?? 0) >>> (document & 31)) & 1) === 1
  }

  /** Keeps what is in both. */
  intersect(that: Bits): this {
    const words = this.#words
    const others = that.#words
    for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) & (others[at] ?? 0)
    return this
  }

  /** Adds what is in the other. */
  unite(that: Bits): this {
    const words = this.#words
    const others = that.#words
    for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) | (others[at] ?? 0)
    return this
  }

  get isEmpty(): boolean {
    return this.#words.every((word) => word === 0)
  }
}
