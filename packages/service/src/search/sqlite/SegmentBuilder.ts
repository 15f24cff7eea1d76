import type { DatabaseSync } from "node:sqlite"
import * as Terms from "../text/Terms.ts"
import { PostingWriter } from "./Postings.ts"

/** Maximum number of terms in a segment, counted per block. A term takes 8 bytes (128 MB in total). */
const CAPACITY = 16_000_000

/**
 * Number of low bits of a term in a packed entry. The other bits are the document, counted from the segment's first.
 */
const TERM_BITS = 13
const TERM_MASK = (1 << TERM_BITS) - 1
const MAX_DOCUMENTS = 1 << (32 - TERM_BITS)

/** Number of groups of terms with the same high bits. */
const groups = Math.ceil(Terms.COUNT / (1 << TERM_BITS))

/** Inverts documents and terms to posting lists in memory, and writes the lists as segments. */
export class SegmentBuilder {
  readonly #terms: Uint32Array
  /** Terms and documents by group. All segments reuse this array, because the runtime does not free memory at once. */
  readonly #packed: Uint32Array
  #sorted = new Uint32Array(1 << 16)
  #length = 0
  /** Numbers of the documents, and for each document the end of the document's terms in `#terms`. */
  #documents: Array<number> = []
  #ends: Array<number> = []

  constructor(size = CAPACITY) {
    this.#terms = new Uint32Array(size)
    this.#packed = new Uint32Array(size)
  }

  /** True if the builder has room for documents with this number of terms together. Otherwise call `write` first. */
  hasRoom(terms: number, documents = 1): boolean {
    return this.#length + terms <= this.#terms.length && this.#documents.length + documents <= MAX_DOCUMENTS
  }

  /** Adds a document. Document numbers must ascend from call to call. */
  add(document: number, terms: Uint32Array): void {
    this.#terms.set(terms, this.#length)
    this.#length += terms.length
    this.#documents.push(document)
    this.#ends.push(this.#length)
  }

  /** Writes the documents as a segment and clears the builder. Requires a transaction. */
  write(database: DatabaseSync): void {
    const first = this.#documents[0]
    const last = this.#documents.at(-1)
    if (first === undefined || last === undefined) return
    const writer = new PostingWriter(database, first, last - first + 1)
    const ends = this.#group()
    const starts = new Uint32Array(TERM_MASK + 3)
    for (let group = 0; group < groups; group++) {
      const from = ends[group - 1] ?? 0
      const to = ends[group] ?? 0
      if (from === to) continue
      const documents = this.#sort(this.#packed.subarray(from, to), starts)
      for (let term = 0; term <= TERM_MASK; term++) {
        const [start = 0, end = 0] = [starts[term], starts[term + 1]]
        if (start === end) continue
        writer.add(group * (TERM_MASK + 1) + term, documents.subarray(start, end))
      }
    }
    writer.end()
    this.#length = 0
    this.#documents = []
    this.#ends = []
  }

  /** Packs the documents of each group of terms next to each other. Returns the end of each group. */
  #group(): Uint32Array {
    const terms = this.#terms.subarray(0, this.#length)
    const packed = this.#packed
    const places = new Uint32Array(groups + 1)
    for (const term of terms) places[(term >>> TERM_BITS) + 1] = (places[(term >>> TERM_BITS) + 1] ?? 0) + 1
    for (let at = 1; at < places.length; at++) places[at] = (places[at] ?? 0) + (places[at - 1] ?? 0)
    let at = 0
    for (const [index, end] of this.#ends.entries()) {
      const document = index << TERM_BITS
      for (; at < end; at++) {
        const term = terms[at] ?? 0
        const group = term >>> TERM_BITS
        const place = places[group] ?? 0
        packed[place] = document | (term & TERM_MASK)
        places[group] = place + 1
      }
    }
    return places
  }

  /**
   * Sorts a group by term with a stable counting sort. Returns the documents, with the start of each term in `starts`.
   */
  #sort(entries: Uint32Array, starts: Uint32Array): Uint32Array {
    starts.fill(0)
    for (const entry of entries) starts[(entry & TERM_MASK) + 2] = (starts[(entry & TERM_MASK) + 2] ?? 0) + 1
    for (let at = 2; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
    if (this.#sorted.length < entries.length) this.#sorted = new Uint32Array(entries.length * 2)
    const documents = this.#sorted
    for (const entry of entries) {
      const slot = (entry & TERM_MASK) + 1
      const place = starts[slot] ?? 0
      documents[place] = this.#documents[entry >>> TERM_BITS] ?? 0
      starts[slot] = place + 1
    }
    return documents
  }
}
