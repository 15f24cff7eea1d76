import type { DatabaseSync } from "node:sqlite"
import * as Terms from "../text/Terms.ts"
import { forEachBit, PostingWriter } from "./Postings.ts"

/** Maximum number of entries in a segment: of terms, counted per block, without the terms that have bits. */
const CAPACITY = 18_000_000

/**
 * Maximum number of terms with a bit for each block, and of such blocks. These terms are in at least one of 32 blocks,
 * so that the bits take less memory than entries: in source code, 3,000 terms make up two thirds of all.
 */
const MAX_DENSE = 4_096
const MAX_BITS = 96 * 1_024
const DENSE_SHARE = 32

/** Number of blocks after which the first dense terms are chosen. */
const SAMPLE = 2_048

/** Words of bits of a dense term. Not a power of two, because caches store such places in few lines. */
const BIT_WORDS = MAX_BITS / 32 + 16

/** Number of slots of the hash table of dense terms. */
const SLOTS = 1 << 15

/** Number of low bits of a term in an entry. The other bits are the index of the block. */
const TERM_BITS = 13
const TERM_MASK = (1 << TERM_BITS) - 1

/** Number of groups of terms with the same high bits. */
const groups = Math.ceil(Terms.COUNT / (1 << TERM_BITS))

/** Number of entries of a group in consecutive memory. */
const CHUNK = 128

/** Inverts blocks and terms to posting lists in memory, and writes the lists as segments. */
export class SegmentBuilder {
  readonly #capacity: number
  /** Entries in chunks, the next chunk of each chunk, and the first chunk and next place of each group. */
  readonly #entries: Uint32Array
  readonly #next: Uint32Array
  readonly #firsts = new Uint32Array(groups)
  readonly #places = new Uint32Array(groups)
  #chunks = 1
  #length = 0
  /** Numbers of the blocks. */
  #blocks: Array<number> = []
  /** Dense terms, ascending, and the row of a term plus one by hash. Terms with the same hash are not dense. */
  #dense = new Uint32Array()
  readonly #rows = new Uint16Array(SLOTS)
  /** A row of bits for each dense term, and the word of each row that changes. */
  #bits = new Uint32Array()
  readonly #words = new Uint32Array(MAX_DENSE)
  #word = 0
  #isSampled = false
  /** Entries of a group, and their blocks ordered by term. */
  #group = new Uint32Array(1 << 12)
  #sorted = new Uint32Array(1 << 12)

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity
    // The system provides the memory when it is written.
    this.#entries = new Uint32Array((Math.ceil(capacity / CHUNK) + groups + 1) * CHUNK)
    this.#next = new Uint32Array(this.#entries.length / CHUNK)
  }

  /** True if the builder has room for blocks with this number of terms together. Otherwise call `write` first. */
  hasRoom(terms: number, blocks = 1): boolean {
    const count = this.#blocks.length + blocks
    return this.#length + terms <= this.#capacity && (count <= MAX_BITS || this.#blocks.length === 0)
  }

  /** Adds a block with distinct terms. Block numbers must ascend from call to call. */
  add(block: number, terms: Uint32Array): void {
    if (this.#blocks.length === SAMPLE && !this.#isSampled) this.#sample()
    const index = this.#blocks.push(block) - 1
    const offset = block - (this.#blocks[0] ?? 0)
    if (offset >>> 5 !== this.#word) this.#flush(offset >>> 5)
    const dense = this.#dense
    // Blocks behind the bits have only entries.
    const rows = offset < MAX_BITS && dense.length > 0 ? this.#rows : none
    const mask = rows.length - 1
    const words = this.#words
    const places = this.#places
    const entries = this.#entries
    const bit = 1 << (offset & 31)
    const high = index << TERM_BITS
    let length = this.#length
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] ?? 0
      const row = (rows[slotOf(term) & mask] ?? 0) - 1
      if (row >= 0 && dense[row] === term) {
        words[row] = (words[row] ?? 0) | bit
        continue
      }
      const group = term >>> TERM_BITS
      let place = places[group] ?? 0
      if (place % CHUNK === 0) place = this.#addChunk(group, place)
      entries[place] = high | (term & TERM_MASK)
      places[group] = place + 1
      length++
    }
    this.#length = length
  }

  /** Writes the blocks as a segment and clears the builder. Requires a transaction. */
  write(database: DatabaseSync): void {
    const first = this.#blocks[0]
    const last = this.#blocks.at(-1)
    if (first === undefined || last === undefined) return
    this.#flush(0)
    const writer = new PostingWriter(database, first, last - first + 1)
    const dense = new DenseTerms(this.#blocks.length)
    const words = Math.min(BIT_WORDS, ((last - first) >>> 5) + 1)
    let row = 0
    const bitsOf = () => this.#bits.subarray(row * BIT_WORDS, row * BIT_WORDS + words)
    const addRows = (before: number) => {
      for (; row < this.#dense.length && (this.#dense[row] ?? 0) < before; row++) {
        dense.add(this.#dense[row] ?? 0, writer.addBits(this.#dense[row] ?? 0, bitsOf()))
      }
    }
    this.#forEach((term, blocks, from, to) => {
      addRows(term)
      if (this.#dense[row] === term) {
        // Blocks before the choice of the dense terms, or behind the bits.
        const all = [...blocks.subarray(from, to)]
        forEachBit(bitsOf(), (offset) => all.push(first + offset))
        row++
        writer.add(term, Uint32Array.from(all).sort())
        dense.add(term, all.length)
      } else {
        writer.add(term, blocks, from, to)
        dense.add(term, to - from)
      }
    })
    addRows(Terms.COUNT)
    writer.end()
    for (const at of this.#dense.keys()) this.#bits.fill(0, at * BIT_WORDS, at * BIT_WORDS + words)
    if (this.#blocks.length > SAMPLE) this.#choose(dense.terms)
    this.#firsts.fill(0)
    this.#places.fill(0)
    this.#chunks = 1
    this.#length = 0
    this.#blocks = []
  }

  /** Chooses the first dense terms. */
  #sample(): void {
    this.#isSampled = true
    const dense = new DenseTerms(this.#blocks.length)
    this.#forEach((term, _, from, to) => dense.add(term, to - from))
    this.#choose(dense.terms)
  }

  /** Chooses the dense terms of the following blocks. */
  #choose(dense: ReadonlyArray<number>): void {
    this.#isSampled = true
    this.#rows.fill(0)
    const chosen = dense.filter((term) => {
      const isFree = this.#rows[slotOf(term)] === 0
      if (isFree) this.#rows[slotOf(term)] = 1
      return isFree
    })
    this.#dense = Uint32Array.from(chosen)
    for (const [row, term] of chosen.entries()) this.#rows[slotOf(term)] = row + 1
    if (this.#bits.length === 0) this.#bits = new Uint32Array(MAX_DENSE * BIT_WORDS)
  }

  /** Stores the changing words, and continues with those at another place. */
  #flush(word: number): void {
    const words = this.#words
    const bits = this.#bits
    const count = this.#word < BIT_WORDS ? this.#dense.length : 0
    for (let row = 0, at = this.#word; row < count; row++, at += BIT_WORDS) {
      bits[at] = words[row] ?? 0
      words[row] = 0
    }
    this.#word = word
  }

  /** Adds a chunk to a group whose last chunk ends at `end`, or that has no chunk if `end` is 0. Returns its place. */
  #addChunk(group: number, end: number): number {
    const chunk = this.#chunks++
    if (end === 0) this.#firsts[group] = chunk
    else this.#next[end / CHUNK - 1] = chunk
    return chunk * CHUNK
  }

  /** Calls `each` for each term with entries, ascending, with the part of an array that has the blocks. */
  #forEach(each: (term: number, blocks: Uint32Array, from: number, to: number) => void): void {
    const starts = new Uint32Array(TERM_MASK + 3)
    for (let group = 0; group < groups; group++) {
      const length = this.#gather(group)
      if (length === 0) continue
      this.#sort(length, starts)
      for (let term = 0, from = 0; term <= TERM_MASK; term++) {
        const to = starts[term + 1] ?? 0
        if (from !== to) each(group * (TERM_MASK + 1) + term, this.#sorted, from, to)
        from = to
      }
    }
  }

  /** Copies the entries of a group into `#group`. Returns their number. */
  #gather(group: number): number {
    const end = this.#places[group] ?? 0
    if (end === 0) return 0
    let length = 0
    for (let chunk = this.#firsts[group] ?? 0; ; chunk = this.#next[chunk] ?? 0) {
      const from = chunk * CHUNK
      const isLast = end > from && end <= from + CHUNK
      if (length + CHUNK > this.#group.length) {
        const larger = new Uint32Array(this.#group.length * 2)
        larger.set(this.#group)
        this.#group = larger
        this.#sorted = new Uint32Array(larger.length)
      }
      this.#group.set(this.#entries.subarray(from, isLast ? end : from + CHUNK), length)
      length += isLast ? end - from : CHUNK
      if (isLast) return length
    }
  }

  /** Sorts the gathered entries by term with a stable counting sort: the blocks, and the start of each term. */
  #sort(length: number, starts: Uint32Array): void {
    const [blocks, entries, sorted] = [this.#blocks, this.#group, this.#sorted]
    starts.fill(0)
    for (let at = 0; at < length; at++) {
      const slot = ((entries[at] ?? 0) & TERM_MASK) + 2
      starts[slot] = (starts[slot] ?? 0) + 1
    }
    for (let at = 2; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
    for (let at = 0; at < length; at++) {
      const entry = entries[at] ?? 0
      const slot = (entry & TERM_MASK) + 1
      const place = starts[slot] ?? 0
      sorted[place] = blocks[entry >>> TERM_BITS] ?? 0
      starts[slot] = place + 1
    }
  }
}

const none = new Uint16Array(1)

const slotOf = (term: number): number => (Math.imul(term, 0x9e3779b1) >>> 8) & (SLOTS - 1)

/** Finds the terms that are in many of some blocks. */
class DenseTerms {
  readonly terms: Array<number> = []
  readonly #least: number

  constructor(blocks: number) {
    this.#least = blocks / DENSE_SHARE
  }

  add(term: number, blocks: number): void {
    if (blocks >= this.#least && this.terms.length < MAX_DENSE) this.terms.push(term)
  }
}
