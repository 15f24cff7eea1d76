import { assert, describe, it } from "@effect/vitest"
import { DatabaseSync } from "node:sqlite"
import * as Schema from "effect/Schema"
import { forEach, PostingReader, PostingWriter, remove } from "./Postings.ts"

const Gaps = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 400 })))

const make = () => {
  const database = new DatabaseSync(":memory:")
  database.exec(
    "CREATE TABLE segments (id INTEGER PRIMARY KEY, first, count); CREATE TABLE postings (id INTEGER PRIMARY KEY, lists)"
  )
  return database
}

/** Blocks from the distances between them. */
const blocksOf = (gaps: ReadonlyArray<number>, first: number): Uint32Array => {
  let last = first - 1
  return Uint32Array.from(gaps, (gap) => (last += gap))
}

const read = (database: DatabaseSync, segment: { id: number; first: number; count: number }, term: number) => {
  const found: Array<number> = []
  const posting = new PostingReader(database).find(segment, term)
  if (posting !== undefined) forEach(posting, segment, (block) => found.push(block))
  return found
}

describe("Postings", () => {
  it.prop(
    "reads the written blocks of each term",
    [Schema.Array(Gaps), Schema.Literals([1, 70_000])],
    ([lists, first]) => {
      const database = make()
      const count = 400 * Math.max(1, ...lists.map((gaps) => gaps.length))
      const writer = new PostingWriter(database, first, count)
      const written = lists.map((gaps) => blocksOf(gaps, first))
      for (const [at, blocks] of written.entries()) writer.add(at * 1_000, blocks)
      writer.end()
      const segment = { id: 1, first, count }
      for (const [at, blocks] of written.entries()) {
        assert.deepStrictEqual(read(database, segment, at * 1_000), [...blocks])
        assert.deepStrictEqual(read(database, segment, at * 1_000 + 1), [])
      }
      assert.lengthOf([...new PostingReader(database).all(segment)], lists.length)
      database.close()
    }
  )

  it("keeps segments apart, in rows of many terms, with long lists as bits", () => {
    const database = make()
    const all = Uint32Array.from({ length: 8_000 }, (_, at) => at + 10)
    for (const [number, first] of [10, 20_000].entries()) {
      const writer = new PostingWriter(database, first, 8_000)
      for (let term = 0; term < 5_000; term++) writer.add(term * 3, Uint32Array.of(first + term))
      writer.add(
        15_000,
        all.map((block) => block - 10 + first)
      )
      writer.end()
      assert.deepStrictEqual(read(database, { id: number + 1, first, count: 8_000 }, 3_000), [first + 1_000])
    }
    assert.isBelow(Number(database.prepare("SELECT count(*) AS n FROM postings").get()?.n), 20)
    const first = { id: 1, first: 10, count: 8_000 }
    const reader = new PostingReader(database)
    assert.deepStrictEqual(read(database, first, 15_000), [...all])
    assert.deepStrictEqual(
      [...reader.between(first, 1, 9)].map(({ term }) => term),
      [3, 6, 9]
    )
    assert.deepStrictEqual([...reader.between(first, 15_001, 20_000)], [])
    const [bits] = reader.between(first, 15_000, 15_000)
    assert.strictEqual(bits?.hasBits, true)
    remove(database, [first])
    assert.deepStrictEqual(read(database, first, 3_000), [])
    assert.deepStrictEqual(read(database, { id: 2, first: 20_000, count: 8_000 }, 3_000), [21_000])
    const found: Array<number> = []
    for (const posting of reader.between({ id: 2, first: 20_000, count: 8_000 }, 6, 6)) {
      forEach(posting, { id: 2, first: 20_000, count: 8_000 }, (block) => found.push(block))
    }
    assert.deepStrictEqual(found, [20_002])
  })

  it("writes no bits of other terms for a segment of more numbers than the bits have", () => {
    const database = make()
    const first = 1
    const count = 3 * 32 * 100
    // The bits of two terms one after the other. The segment has more numbers, because files without text have some, too.
    const bits = new Uint32Array(200).fill(0, 0, 100).fill(0xffff_ffff, 100)
    bits.fill(0xffff_ffff, 0, 99)
    const writer = new PostingWriter(database, first, count)
    writer.addBits(7, bits.subarray(0, 100))
    writer.end()
    const blocks = read(database, { id: 1, first, count }, 7)
    assert.deepStrictEqual(
      blocks,
      Array.from({ length: 99 * 32 }, (_, at) => first + at)
    )
  })
})
