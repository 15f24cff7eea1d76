import { assert, describe, it } from "@effect/vitest"
import { DatabaseSync } from "node:sqlite"
import * as Schema from "effect/Schema"
import * as Terms from "../text/Terms.ts"
import { forEach, PostingReader, type Segment } from "./Postings.ts"
import { SegmentBuilder } from "./SegmentBuilder.ts"

const Term = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Terms.COUNT - 1 }))
const Documents = Schema.Array(Schema.Array(Term))

/** Writes documents with the numbers 1, 3, 5 and so on. Returns the documents of each term. */
const write = (builder: SegmentBuilder, documents: ReadonlyArray<ReadonlyArray<number>>) => {
  for (const [at, terms] of documents.entries()) builder.add(at * 2 + 1, Uint32Array.from(new Set(terms)))
  return read(builder, { id: 1, first: 1, count: documents.length * 2 - 1 })
}

/** Writes the segment of a builder. Returns the documents of each term. */
const read = (builder: SegmentBuilder, segment: Segment) => {
  const database = new DatabaseSync(":memory:")
  database.exec(
    "CREATE TABLE segments (id INTEGER PRIMARY KEY, first, count); CREATE TABLE postings (id INTEGER PRIMARY KEY, lists)"
  )
  builder.write(database)
  const found = new Map<number, Array<number>>()
  for (const posting of new PostingReader(database).all(segment)) {
    const all: Array<number> = []
    forEach(posting, segment, (document) => all.push(document))
    found.set(posting.term, all)
  }
  database.close()
  return found
}

const expected = (documents: ReadonlyArray<ReadonlyArray<number>>) => {
  const found = new Map<number, Array<number>>()
  for (const [at, terms] of documents.entries()) {
    for (const term of new Set(terms)) found.set(term, [...(found.get(term) ?? []), at * 2 + 1])
  }
  return new Map([...found].sort(([a], [b]) => a - b))
}

describe("SegmentBuilder", () => {
  it.prop("writes the documents of each term, ascending", [Documents, Documents], ([first, second]) => {
    const builder = new SegmentBuilder(100_000)
    for (const documents of [first, second]) assert.deepStrictEqual(write(builder, documents), expected(documents))
  })

  it("writes frequent terms of many documents, also behind large gaps", () => {
    const random = (number: number) => (Math.imul(number, 0x9e3779b1) >>> 0) / 2 ** 32
    // Some terms are in nearly all blocks, others in a tenth, others in few, and one group of terms becomes frequent late.
    const blocks = Array.from({ length: 6_000 }, (_, at) => ({
      number: at + (at > 2_500 ? 333 : 0) + (at > 5_500 ? 3_000_000 : 0) + 1,
      terms: Uint32Array.from({ length: 200 }, (_, term) => term * 8_191).filter(
        (term, place) => random(at * 211 + term) < 1 / (1 + (at > 3_000 ? 199 - place : place))
      )
    }))
    const builder = new SegmentBuilder(500_000)
    for (const part of [blocks, blocks.slice(0, 3_000), blocks.slice(2_000)]) {
      const documents = new Map<number, Array<number>>()
      for (const { number, terms } of part) {
        assert.isTrue(builder.hasRoom(terms.length))
        builder.add(number, terms)
        for (const term of terms) documents.set(term, [...(documents.get(term) ?? []), number])
      }
      const first = part[0]?.number ?? 0
      const found = read(builder, { id: 1, first, count: (part.at(-1)?.number ?? 0) - first + 1 })
      assert.deepStrictEqual(found, new Map([...documents].sort(([a], [b]) => a - b)))
    }
  })

  it("writes terms of many documents", () => {
    const documents = Array.from({ length: 3_000 }, (_, at) => [at % 7, 8_191, 8_192, Terms.COUNT - 1 - (at % 3)])
    assert.deepStrictEqual(write(new SegmentBuilder(12_000), documents), expected(documents))
  })
})
