import type { DatabaseSync, StatementSync } from "node:sqlite"
import type * as Prefilter from "@tongs/core/query/Prefilter"
import * as Terms from "../text/Terms.ts"
import { BitSet } from "./BitSet.ts"
import * as DocumentParts from "./DocumentParts.ts"
import { readTerms, segments } from "./Maintenance.ts"
import * as Postings from "./Postings.ts"

/** Number of documents at which verification is cheaper than reading further posting lists. */
const FEW_ENOUGH = 16

/**
 * Finds documents that pass a prefilter, in the posting lists and among fresh documents, which have no posting lists
 * yet.
 */
export class PostingLookup {
  readonly #database: DatabaseSync
  readonly #one: StatementSync
  readonly #range: StatementSync
  #segments: ReadonlyArray<Postings.Segment> = []
  readonly #fresh = new Map<number, Uint32Array>()
  #size = 0
  /** Documents without symbols by grammar, read on first use. */
  #imprecise: BitSet | undefined
  /** Documents with several parts. */
  #large: ReadonlyArray<{ readonly id: number; readonly parts: number }> = []

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#one = database.prepare("SELECT documents FROM postings WHERE segment = ? AND term = ?")
    this.#range = database.prepare("SELECT documents FROM postings WHERE segment = ? AND term BETWEEN ? AND ?")
  }

  /** Reloads the segments and fresh documents. Call `refresh` after each change of the index. */
  refresh(): void {
    const database = this.#database
    this.#imprecise = undefined
    this.#segments = segments(database)
    const last = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'documents'").get()
    this.#size = Number(last?.seq ?? 0) + 1
    this.#large = database
      .prepare("SELECT id, size FROM documents WHERE size > ? AND reason IS NULL")
      .all(DocumentParts.MAX_BYTES)
      .map(({ id, size }) => ({ id: Number(id), parts: DocumentParts.count(Number(size)) }))
    const { n, oldest } = database.prepare("SELECT count(*) AS n, min(document) AS oldest FROM fresh").get() ?? {}
    for (const document of this.#fresh.keys()) if (n === 0 || document < Number(oldest)) this.#fresh.delete(document)
    const known = Math.max(0, ...this.#fresh.keys())
    for (const row of database.prepare("SELECT document, terms FROM fresh WHERE document > ?").iterate(known)) {
      this.#fresh.set(Number(row.document), readTerms(row.terms))
    }
  }

  /**
   * Returns the documents with a part that may pass a prefilter, or undefined if all documents may pass. A match is
   * within one line, and therefore within one part.
   */
  find(prefilter: Prefilter.Prefilter): BitSet | undefined {
    const bits = this.#find(prefilter)
    if (bits === undefined) return undefined
    for (const { id, parts } of this.#large) {
      for (let part = 1; part < parts && !bits.has(id); part++) if (bits.has(id + part)) bits.add(id)
    }
    return bits
  }

  #find(prefilter: Prefilter.Prefilter): BitSet | undefined {
    switch (prefilter._tag) {
      case "Anything":
        return undefined
      case "Part":
        return this.#part(prefilter.text)
      case "Name":
        return this.defining(prefilter.name)
          .unite(this.#withTerm(Terms.ofSecondaryName(prefilter.name)))
          .unite(this.#mayDefine(prefilter.name))
      case "All":
        return prefilter.all
          .map((one) => this.#find(one))
          .filter((found) => found !== undefined)
          .reduce<BitSet | undefined>((all, found) => all?.intersect(found) ?? found, undefined)
      case "Any": {
        const found = prefilter.any.map((one) => this.#find(one))
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
    const containing = bits.count === 0 ? undefined : this.#part(name)
    return containing === undefined ? bits : bits.intersect(containing)
  }

  /** Returns the number of documents with a term. */
  count(term: number): number {
    let count = 0
    for (const segment of this.#segments) {
      const row = this.#one.get(segment.id, term)
      if (row !== undefined) Postings.forEach(Postings.read(row.documents), segment, () => count++)
    }
    for (const terms of this.#fresh.values()) if (firstFrom(terms, term) === term) count++
    return count
  }

  #part(text: string): BitSet | undefined {
    const pair = Terms.ofPair(text)
    if (pair !== undefined) return this.#between(...pair)
    let found: BitSet | undefined
    for (const term of Terms.ofPart(text)) {
      const bits = this.#withTerm(term)
      found = found?.intersect(bits) ?? bits
      if (found.count <= FEW_ENOUGH) break
    }
    return found
  }

  #withTerm(term: number): BitSet {
    const bits = new BitSet(this.#size)
    for (const segment of this.#segments) {
      const row = this.#one.get(segment.id, term)
      if (row !== undefined) Postings.forEach(Postings.read(row.documents), segment, (document) => bits.add(document))
    }
    for (const [document, terms] of this.#fresh) if (firstFrom(terms, term) === term) bits.add(document)
    return bits
  }

  #between(from: number, to: number): BitSet {
    const bits = new BitSet(this.#size)
    for (const segment of this.#segments) {
      for (const row of this.#range.iterate(segment.id, from, to)) {
        Postings.forEach(Postings.read(row.documents), segment, (document) => bits.add(document))
      }
    }
    for (const [document, terms] of this.#fresh) if ((firstFrom(terms, from) ?? to + 1) <= to) bits.add(document)
    return bits
  }
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
