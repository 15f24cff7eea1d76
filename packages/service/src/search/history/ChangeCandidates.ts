/** Finds the commits whose changes may match a query. */
import type { DatabaseSync } from "node:sqlite"
import type { Expression, Leaf } from "@tongs/core/query/CodeQuery"
import * as Prefilter from "@tongs/core/query/Prefilter"
import * as CommitQuery from "../commits/CommitQuery.ts"
import { BitSet } from "../sqlite/BitSet.ts"
import { addTo, PostingReader, type Segment } from "../sqlite/Postings.ts"
import * as LeafPrefilter from "../text/LeafPrefilter.ts"
import * as Terms from "../text/Terms.ts"

/** Reads the posting lists of one repository. */
export class ChangeCandidates {
  readonly #postings: PostingReader
  readonly #segments: ReadonlyArray<Segment>
  readonly #size: number

  /** `size` is the number of commits. */
  constructor(database: DatabaseSync, segments: ReadonlyArray<Segment>, size: number) {
    this.#postings = new PostingReader(database)
    this.#segments = segments
    this.#size = size
  }

  /** Returns the commits that may match, without the broad ones. Undefined if all commits may match. */
  find(self: Expression): BitSet | undefined {
    switch (self._tag) {
      case "And":
        return this.#all(self.all.map((one) => this.find(one)))
      case "Or":
        return this.#any(self.any.map((one) => this.find(one)))
      case "Not":
      case "Filter":
        return undefined
      default:
        return CommitQuery.levelOf(self) === "term" ? this.#prefiltered(prefilterOf(self)) : undefined
    }
  }

  #prefiltered(prefilter: Prefilter.Prefilter): BitSet | undefined {
    switch (prefilter._tag) {
      case "Anything":
      case "Name":
        return undefined
      case "Part":
        return this.#part(prefilter.text)
      case "All":
        return this.#all(prefilter.all.map((one) => this.#prefiltered(one)))
      case "Any":
        return this.#any(prefilter.any.map((one) => this.#prefiltered(one)))
    }
  }

  #all(parts: ReadonlyArray<BitSet | undefined>): BitSet | undefined {
    return parts.reduce((all, one) => (one === undefined ? all : (all?.intersect(one) ?? one)), undefined)
  }

  #any(parts: ReadonlyArray<BitSet | undefined>): BitSet | undefined {
    const any = new BitSet(this.#size)
    for (const one of parts) {
      if (one === undefined) return undefined
      any.unite(one)
    }
    return any
  }

  #part(text: string): BitSet | undefined {
    const pair = Terms.ofPair(text)
    if (pair !== undefined) return this.#between(...pair)
    let found: BitSet | undefined
    for (const term of Terms.ofPart(text)) {
      const bits = this.#withTerm(term)
      found = found?.intersect(bits) ?? bits
      if (found.count === 0) break
    }
    return found
  }

  #withTerm(term: number): BitSet {
    const bits = new BitSet(this.#size)
    for (const segment of this.#segments) {
      const posting = this.#postings.find(segment, term)
      if (posting !== undefined) addTo(bits, posting, segment)
    }
    return bits
  }

  #between(from: number, to: number): BitSet {
    const bits = new BitSet(this.#size)
    for (const segment of this.#segments) {
      for (const posting of this.#postings.between(segment, from, to)) addTo(bits, posting, segment)
    }
    return bits
  }
}

/** Returns the prefilter of a term. A symbol is searched as text, because commits have no definitions. */
const prefilterOf = (leaf: Leaf): Prefilter.Prefilter =>
  leaf._tag === "Symbol" ? Prefilter.substring(leaf.name) : LeafPrefilter.make(leaf)
