import { assert, describe, it } from "@effect/vitest"
import * as TextRanges from "./TextRanges.ts"

const ranges = Uint32Array.of(2, 5, 9, 12, 13, 16)
const part = (from: number, to = from): TextRanges.TextRange => ({ from, to })

describe("Ranges", () => {
  it("goes from where the reader is to the next, and round", () => {
    assert.strictEqual(TextRanges.next(ranges, part(0), 1), 0)
    assert.strictEqual(TextRanges.next(ranges, part(2), 1), 0)
    assert.strictEqual(TextRanges.next(ranges, part(2, 5), 1), 1)
    assert.strictEqual(TextRanges.next(ranges, part(9, 12), 1), 2)
    assert.strictEqual(TextRanges.next(ranges, part(13, 16), 1), 0)
    assert.strictEqual(TextRanges.next(ranges, part(7), 1), 1)
    assert.strictEqual(TextRanges.next(ranges, part(7), -1), 0)
    assert.strictEqual(TextRanges.next(ranges, part(5), -1), 2)
    assert.strictEqual(TextRanges.next(ranges, part(2, 5), -1), 2)
    assert.strictEqual(TextRanges.next(ranges, part(13, 16), -1), 1)
    assert.isUndefined(TextRanges.next(TextRanges.empty, part(0), 1))
  })

  it("goes through ranges that touch", () => {
    const touching = Uint32Array.of(0, 1, 1, 2, 2, 3)
    assert.strictEqual(TextRanges.next(touching, part(0, 1), 1), 1)
    assert.strictEqual(TextRanges.next(touching, part(1, 2), 1), 2)
    assert.strictEqual(TextRanges.next(touching, part(2, 3), -1), 1)
  })

  it("knows the one that is selected", () => {
    assert.strictEqual(TextRanges.current(ranges, part(13, 16)), 2)
    assert.isUndefined(TextRanges.current(ranges, part(13)))
    assert.isUndefined(TextRanges.current(ranges, part(12, 16)))
    assert.isUndefined(TextRanges.current(TextRanges.empty, part(0)))
  })

  it("draws what a stretch of the text has, and of what it cuts all", () => {
    const drawn: Array<readonly [number, number, string]> = []
    TextRanges.addDecorations(ranges, part(13, 16), part(4, 14), "mark", (...one) => drawn.push(one))
    assert.deepStrictEqual(drawn, [
      [2, 5, "mark"],
      [9, 12, "mark"],
      [13, 16, "mark current"]
    ])
  })
})
