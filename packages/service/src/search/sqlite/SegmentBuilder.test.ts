import { assert, describe, it } from "@effect/vitest"
import { DatabaseSync } from "node:sqlite"
import * as Schema from "effect/Schema"
import * as Terms from "../text/Terms.ts"
import { forEach, PostingReader } from "./Postings.ts"
import { SegmentBuilder } from "./SegmentBuilder.ts"

const Term = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Terms.COUNT - 1 }))
const Documents = Schema.Array(Schema.Array(Term))

/** Writes documents with the numbers 1, 3, 5 and so on. Returns the documents of each term. */
const write = (builder: SegmentBuilder, documents: ReadonlyArray<ReadonlyArray<number>>) => {
  const database = new DatabaseSync(":memory:")
  database.exec(
    "CREATE TABLE segments (id INTEGER PRIMARY KEY, first, count); CREATE TABLE postings (id INTEGER PRIMARY KEY, lists)"
  )
  for (const [at, terms] of documents.entries()) builder.add(at * 2 + 1, Uint32Array.from(new Set(terms)))
  builder.write(database)
  const segment = { id: 1, first: 1, count: documents.length * 2 - 1 }
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

  it("writes terms of many documents", () => {
    const documents = Array.from({ length: 3_000 }, (_, at) => [at % 7, 8_191, 8_192, Terms.COUNT - 1 - (at % 3)])
    assert.deepStrictEqual(write(new SegmentBuilder(12_000), documents), expected(documents))
  })
})
