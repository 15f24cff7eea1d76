import { assert, describe, it } from "@effect/vitest"
import * as TextRanges from "./TextRanges.ts"

const ranges = Uint32Array.of(2, 5, 9, 12, 13, 16)
const part = (from: number, to = from): TextRanges.TextRange => ({ from, to })

describe("TextRanges", () => {
  it("steps from the selection, with wraparound", () => {
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

  it("steps through adjacent ranges", () => {
    const touching = Uint32Array.of(0, 1, 1, 2, 2, 3)
    assert.strictEqual(TextRanges.next(touching, part(0, 1), 1), 1)
    assert.strictEqual(TextRanges.next(touching, part(1, 2), 1), 2)
    assert.strictEqual(TextRanges.next(touching, part(2, 3), -1), 1)
  })

  it("finds the selected range", () => {
    assert.strictEqual(TextRanges.current(ranges, part(13, 16)), 2)
    assert.isUndefined(TextRanges.current(ranges, part(13)))
    assert.isUndefined(TextRanges.current(ranges, part(12, 16)))
    assert.isUndefined(TextRanges.current(TextRanges.empty, part(0)))
  })

  it("decorates the ranges that overlap the viewport", () => {
    const added: Array<readonly [number, number, string]> = []
    TextRanges.addDecorations(ranges, part(13, 16), part(4, 14), "match", (...one) => added.push(one))
    assert.deepStrictEqual(added, [
      [2, 5, "match"],
      [9, 12, "match"],
      [13, 16, "match current"]
    ])
  })
})
