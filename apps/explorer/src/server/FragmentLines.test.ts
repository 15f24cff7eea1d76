import { assert, describe, it } from "@effect/vitest"
import type * as ExplorerApi from "../ExplorerApi.ts"
import * as FragmentLines from "./FragmentLines.ts"

const piece = (text: string, matches: ExplorerApi.Fragment["matches"] = []): ExplorerApi.Fragment => ({
  text,
  line: null,
  matches
})

const lines = (text: string, ...pieces: ReadonlyArray<string>) =>
  FragmentLines.locateInText(
    text,
    pieces.map((text) => piece(text))
  ).map(({ line }) => line)

describe("located", () => {
  it("finds the line on which a piece begins", () => {
    assert.deepStrictEqual(lines("one\r\ntwo\r\nthree", "one", "two\r\nthr", "ree"), [1, 2, 3])
  })

  it("takes equal pieces for one after the other", () => {
    assert.deepStrictEqual(lines("x\ny\nx\nx", "x", "x", "x"), [1, 3, 4])
  })

  it("grows a piece to whole lines, and its matches with it", () => {
    assert.deepStrictEqual(FragmentLines.locateInText("first\nthe second line\nlast", [piece("second", [[0, 3]])]), [
      { text: "the second line", line: 2, matches: [[4, 7]] }
    ])
    assert.deepStrictEqual(FragmentLines.locateInText("hit it", [piece("hit", [[0, 3]])]), [
      { text: "hit it", line: 1, matches: [[0, 3]] }
    ])
  })

  it("joins two pieces of one line", () => {
    assert.deepStrictEqual(
      FragmentLines.locateInText("a hit, a miss", [piece("hit", [[0, 3]]), piece("miss", [[0, 4]])]),
      [
        {
          text: "a hit, a miss",
          line: 1,
          matches: [
            [2, 5],
            [9, 13]
          ]
        }
      ]
    )
  })

  it("does not grow without bound", () => {
    const [found] = FragmentLines.locateInText(`${"a".repeat(9_000)}hit${"b".repeat(9_000)}`, [piece("hit", [[0, 3]])])
    assert.deepStrictEqual(found?.matches, [[0, 3]])
    assert.isBelow(found?.text.length ?? 0, 1_000)
  })

  it("leaves what it does not find", () => {
    assert.deepStrictEqual(FragmentLines.locateInText("one", [piece("two"), piece("")]), [piece("two"), piece("")])
  })
})
