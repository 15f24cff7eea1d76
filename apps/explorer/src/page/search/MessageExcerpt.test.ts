import { assert, describe, it } from "@effect/vitest"
import * as MessageExcerpt from "./MessageExcerpt.ts"

/** A message of `count` lines with `hit` in the lines with the given numbers, from 1, and the ranges of the hits. */
const message = (count: number, hits: ReadonlyArray<number>) => {
  const text = Array.from({ length: count }, (_, index) => `${hits.includes(index + 1) ? "hit" : "row"} ${index + 1}`)
  const matches = [...text.join("\n").matchAll(/hit/g)].map(({ index }) => [index, index + 3] as const)
  return MessageExcerpt.make(text.join("\n"), matches)
}

describe("MessageExcerpt", () => {
  it("shows a match far below the start of the message, with the lines around it", () => {
    const { hidden, lines } = message(40, [30])
    assert.deepStrictEqual(
      lines.map(({ isAfterGap, matches, text }) => ({ isAfterGap, matches, text })),
      [
        { isAfterGap: true, matches: [], text: "row 29" },
        { isAfterGap: false, matches: [[0, 3]], text: "hit 30" },
        { isAfterGap: false, matches: [], text: "row 31" }
      ]
    )
    assert.strictEqual(hidden, 0)
  })

  it("marks the gap between two matches, and none before the first line", () => {
    const { isCut, lines } = message(9, [1, 7])
    assert.isTrue(isCut)
    assert.isFalse(message(9, [8]).isCut)
    assert.deepStrictEqual(
      lines.map(({ isAfterGap, number }) => `${isAfterGap ? "… " : ""}${number}`),
      ["1", "2", "… 6", "7", "8"]
    )
  })

  it("counts the lines with matches that it leaves out", () => {
    const { hidden, lines } = message(
      30,
      Array.from({ length: 30 }, (_, index) => index + 1)
    )
    assert.strictEqual(hidden + lines.length, 30)
    assert.isAbove(hidden, 15)
  })
})
