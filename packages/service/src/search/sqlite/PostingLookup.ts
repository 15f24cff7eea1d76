import type { DatabaseSync } from "node:sqlite"
import type * as Prefilter from "@tongs/core/query/Prefilter"
import * as Terms from "../text/Terms.ts"
import { BitSet } from "./BitSet.ts"
import { readTerms } from "./Maintenance.ts"
import { addTo, PostingReader, type Segment } from "./Postings.ts"
import { segments } from "./Segments.ts"

/** Bytes of posting lists that take as long to read as the verification of a block. */
const BYTES_PER_BLOCK = 5_000

/** Number of documents that are verified as fast as one more term is read. */
const FEW_DOCUMENTS = 16

/**
 * Finds blocks that pass a prefilter, in the posting lists and among fresh blocks, which have no posting lists yet. The
 * terms of names and imports belong to the first block of a document.
 */
export class PostingLookup {
  readonly #database: DatabaseSync
  readonly #postings: PostingReader
  #segments: ReadonlyArray<Segment> = []
  readonly #fresh = new Map<number, Uint32Array>()
  /** Numbers of the documents, as far as `#size`. */
  #documents = new BitSet(0)
  #size = 0
  /** Documents without symbols by grammar, read on first use. */
  #imprecise: BitSet | undefined

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#postings = new PostingReader(database)
  }

  /** Reloads the segments and fresh blocks. Call `refresh` after each change of the index. */
  refresh(): void {
    const database = this.#database
    this.#imprecise = undefined
    this.#segments = segments(database)
    const last = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'documents'").get()
    const known = this.#size
    this.#size = Number(last?.seq ?? 0) + 1
    const documents = new BitSet(this.#size).unite(this.#documents)
    for (const { id } of database.prepare("SELECT id FROM documents WHERE id >= ?").iterate(known)) {
      documents.add(Number(id))
    }
    this.#documents = documents
    const { n, oldest } = database.prepare("SELECT count(*) AS n, min(block) AS oldest FROM fresh").get() ?? {}
    for (const block of this.#fresh.keys()) if (n === 0 || block < Number(oldest)) this.#fresh.delete(block)
    const newest = Math.max(0, ...this.#fresh.keys())
    for (const row of database.prepare("SELECT block, terms FROM fresh WHERE block > ?").iterate(newest)) {
      this.#fresh.set(Number(row.block), readTerms(row.terms))
    }
  }

  /** Returns the blocks that may have a match of a prefilter, or undefined if all blocks may. */
  blocks(prefilter: Prefilter.Prefilter): BitSet | undefined {
    return this.#find(prefilter, false)
  }

  /** Returns the documents that may define a symbol that passes a prefilter, or undefined if all documents may. */
  defined(prefilter: Prefilter.Prefilter): BitSet | undefined {
    return this.#find(prefilter, true)
  }

  /** Returns an empty set of blocks. */
  noBlocks(): BitSet {
    return new BitSet(this.#size)
  }

  /** Returns the documents of blocks. */
  documentsOf(blocks: BitSet): BitSet {
    return blocks.startsIn(this.#documents)
  }

  #find(prefilter: Prefilter.Prefilter, inDocument: boolean): BitSet | undefined {
    switch (prefilter._tag) {
      case "Anything":
        return undefined
      case "Part":
        return this.#part(prefilter.text, inDocument)
      case "Name":
        return this.defining(prefilter.name)
          .unite(this.#withTerm(Terms.ofSecondaryName(prefilter.name)))
          .unite(this.#mayDefine(prefilter.name))
      case "All":
        return prefilter.all
          .map((one) => this.#find(one, inDocument))
          .filter((found) => found !== undefined)
          .reduce<BitSet | undefined>((all, found) => all?.intersect(found) ?? found, undefined)
      case "Any": {
        const found = prefilter.any.map((one) => this.#find(one, inDocument))
        return found.includes(undefined)
          ? undefined
          : found.filter((one) => one !== undefined).reduce((any, one) => any.unite(one), new BitSet(this.#size))
      }
    }
  }

  /** Returns the documents that define a name, except as a field or by a declaration. */
  defining(name: string): BitSet {
    return this.#withTerm(Terms.ofName(name))
  }

  /** Returns the documents that import a file by a key. */
  importing(key: string): BitSet {
    return this.#withTerm(Terms.ofImport(key))
  }

  /** True if a document has only the symbols that patterns find. */
  isImprecise(document: number): boolean {
    return this.#impreciseDocuments().has(document)
  }

  #impreciseDocuments(): BitSet {
    if (this.#imprecise === undefined) {
      this.#imprecise = new BitSet(this.#size)
      for (const row of this.#database.prepare("SELECT document FROM imprecise").iterate())
        this.#imprecise.add(Number(row.document))
    }
    return this.#imprecise
  }

  /** Returns the documents that contain a name, and whose grammar may find a definition of the name. */
  #mayDefine(name: string): BitSet {
    const bits = new BitSet(this.#size).unite(this.#impreciseDocuments())
    const containing = bits.count === 0 ? undefined : this.#part(name, true)
    return containing === undefined ? bits : bits.intersect(containing)
  }

  /**
   * Returns the blocks with all terms of a text or, for `inDocument`, the documents with each term in some block: the
   * name of a symbol can have more parts than the text that defines it.
   */
  #part(text: string, inDocument: boolean): BitSet | undefined {
    const pair = Terms.ofPair(text)
    if (pair !== undefined) {
      const blocks = this.#between(...pair)
      return inDocument ? this.documentsOf(blocks) : blocks
    }
    const terms = Terms.ofPart(text)
    if (terms.length === 0) return undefined
    return inDocument ? this.#documentsWithAll(terms) : this.#withAll(terms)
  }

  /** Returns the documents with all the terms, and a few others. */
  #documentsWithAll(terms: ReadonlyArray<number>): BitSet | undefined {
    let found: BitSet | undefined
    for (const term of terms) {
      if (found !== undefined && found.count <= FEW_DOCUMENTS) break
      const documents = this.documentsOf(this.#withTerm(term))
      found = found?.intersect(documents) ?? documents
    }
    return found
  }

  /** Returns the blocks with all the terms, and others if posting lists are not worth reading. */
  #withAll(terms: ReadonlyArray<number>): BitSet {
    const found = new BitSet(this.#size)
    // Sorted by the sizes of the lists in the segments so far, so that few lists decide.
    const lists = terms.map((term) => ({ term, bytes: 0 }))
    for (const segment of this.#segments) {
      const blocks = this.#withAllIn(segment, lists)
      if (blocks !== undefined) found.uniteFrom(blocks, segment.first)
      lists.sort((one, other) => one.bytes - other.bytes)
    }
    return this.#addFresh(
      found,
      lists.map(({ term }) => term)
    )
  }

  /** Returns the blocks of a segment, counted from its first, with all terms. Notes the sizes of the lists. */
  #withAllIn(segment: Segment, lists: ReadonlyArray<TermSize>): BitSet | undefined {
    let found: BitSet | undefined
    for (const list of lists) {
      if (found !== undefined && found.count * BYTES_PER_BLOCK <= list.bytes) break
      const posting = this.#postings.find(segment, list.term)
      list.bytes = posting?.bytes.length ?? 0
      if (posting === undefined) return undefined
      const blocks = new BitSet(segment.count)
      addTo(blocks, posting, { ...segment, first: 0 })
      found = found?.intersect(blocks) ?? blocks
    }
    return found
  }

  #withTerm(term: number): BitSet {
    const blocks = new BitSet(this.#size)
    for (const segment of this.#segments) {
      const posting = this.#postings.find(segment, term)
      if (posting !== undefined) addTo(blocks, posting, segment)
    }
    return this.#addFresh(blocks, [term])
  }

  /** Adds the fresh blocks that have all the terms, which are tested in their order. */
  #addFresh(blocks: BitSet, terms: ReadonlyArray<number>): BitSet {
    for (const [block, own] of this.#fresh) {
      if (terms.every((term) => firstFrom(own, term) === term)) blocks.add(block)
    }
    return blocks
  }

  #between(from: number, to: number): BitSet {
    const bits = new BitSet(this.#size)
    for (const segment of this.#segments) {
      for (const posting of this.#postings.between(segment, from, to)) addTo(bits, posting, segment)
    }
    for (const [block, terms] of this.#fresh) if ((firstFrom(terms, from) ?? to + 1) <= to) bits.add(block)
    return bits
  }
}

/** A term with the size of the posting list that was read last. */
interface TermSize {
  readonly term: number
  bytes: number
}

/** Returns the first number of at least `least` in an ascending array, by binary search. */
const firstFrom = (numbers: Uint32Array, least: number): number | undefined => {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return numbers[low]
}
