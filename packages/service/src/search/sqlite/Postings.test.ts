import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Postings from "./Postings.ts"

const Gaps = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 400 })))

const decode = (posting: Postings.Posting, segment: Postings.Segment) => {
  const found: Array<number> = []
  Postings.forEach(posting, segment, (document) => found.push(document))
  return found
}

describe("postings", () => {
  it.prop("decode to the encoded documents", [Gaps, Schema.Literals([0, 1, 70_000])], ([gaps, first]) => {
    if (gaps.length === 0) return
    let last = first - 1
    const documents = Uint32Array.from(gaps, (gap) => (last += gap))
    const segment = { id: 1, first, count: last - first + 1 }
    const posting = Postings.encode(documents, segment)
    assert.deepStrictEqual(decode(Postings.read(posting), segment), [...documents])
    if (typeof posting !== "number") assert.isAtMost(posting.length, 2 + ((segment.count + 7) >> 3))
  })

  it("encode one document as its number, and dense lists as bits", () => {
    const segment = { id: 1, first: 10, count: 800 }
    assert.strictEqual(Postings.encode(Uint32Array.of(42), segment), 42)
    const all = Uint32Array.from({ length: 800 }, (_, at) => at + 10)
    assert.lengthOf(Postings.encode(all, segment) as Uint8Array, 101) // oxlint-disable-line typescript/no-unsafe-type-assertion -- the length is the test
    assert.deepStrictEqual(decode(Postings.encode(all, segment), segment), [...all])
  })
})
