import type { DatabaseSync } from "node:sqlite"
import * as Terms from "../text/Terms.ts"
import * as Postings from "./Postings.ts"

/**
 * Maximum number of terms in a segment, counted per document. They take 8 bytes each (64 MB), in addition to 100 MB for
 * the offsets of all possible terms.
 */
const capacity = 8_000_000

/** Inverts documents with their terms to posting lists in memory, and writes them as segments. */
export class SegmentBuilder {
  readonly #terms: Uint32Array
  /** Buffer that all segments reuse, because the runtime does not free memory at once. */
  readonly #inverted: Uint32Array
  readonly #starts = new Uint32Array(Terms.count + 2)
  #length = 0
  /** Numbers of the documents, and for each document the end of its terms in `#terms`. */
  #documents: Array<number> = []
  #ends: Array<number> = []

  constructor(size = capacity) {
    this.#terms = new Uint32Array(size)
    this.#inverted = new Uint32Array(size)
  }

  /** True if the builder has room for a document with these terms. Otherwise call `write` first. */
  hasRoom(terms: Uint32Array): boolean {
    return this.#length + terms.length <= this.#terms.length
  }

  /** Adds a document. Document numbers must ascend from call to call. */
  add(document: number, terms: Uint32Array): void {
    this.#terms.set(terms, this.#length)
    this.#length += terms.length
    this.#documents.push(document)
    this.#ends.push(this.#length)
  }

  /** Writes the documents as a segment and clears the builder. Call it in a transaction. */
  write(database: DatabaseSync): void {
    const first = this.#documents[0]
    const last = this.#documents.at(-1)
    if (first === undefined || last === undefined) return
    const count = last - first + 1
    const { lastInsertRowid } = database.prepare("INSERT INTO segments (first, count) VALUES (?, ?)").run(first, count)
    const segment: Postings.Segment = { id: Number(lastInsertRowid), first, count }
    const insert = database.prepare("INSERT INTO postings (segment, term, documents) VALUES (?, ?, ?)")
    const { documents, starts } = this.#invert()
    for (let term = 0; term < Terms.count; term++) {
      const from = starts[term] ?? 0
      const to = starts[term + 1] ?? 0
      if (from !== to) insert.run(segment.id, term, Postings.encode(documents.subarray(from, to), segment))
    }
    this.#length = 0
    this.#documents = []
    this.#ends = []
  }

  /** Sorts the documents by term with a stable counting sort. */
  #invert() {
    const terms = this.#terms.subarray(0, this.#length)
    const starts = this.#starts.fill(0)
    for (const term of terms) starts[term + 2] = (starts[term + 2] ?? 0) + 1
    for (let at = 2; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
    const documents = this.#inverted
    let at = 0
    for (const [index, end] of this.#ends.entries()) {
      const document = this.#documents[index] ?? 0
      for (; at < end; at++) {
        const slot = (terms[at] ?? 0) + 1
        const place = starts[slot] ?? 0
        documents[place] = document
        starts[slot] = place + 1
      }
    }
    // `starts[term]` is now the start of the term's documents, and `starts[term + 1]` their end.
    return { documents, starts }
  }
}
