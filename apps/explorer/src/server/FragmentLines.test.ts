import { assert, describe, it } from "@effect/vitest"
import type * as ExplorerApi from "../ExplorerApi.ts"
import * as FragmentLines from "./FragmentLines.ts"

const fragment = (text: string, matches: ExplorerApi.Fragment["matches"] = []): ExplorerApi.Fragment => ({
  text,
  line: null,
  matches
})

const lines = (text: string, ...fragments: ReadonlyArray<string>) =>
  FragmentLines.locateInText(
    text,
    fragments.map((text) => fragment(text))
  ).map(({ line }) => line)

describe("locateInText", () => {
  it("finds the first line of a fragment", () => {
    assert.deepStrictEqual(lines("one\r\ntwo\r\nthree", "one", "two\r\nthr", "ree"), [1, 2, 3])
  })

  it("counts equal fragments as consecutive occurrences", () => {
    assert.deepStrictEqual(lines("x\ny\nx\nx", "x", "x", "x"), [1, 3, 4])
  })

  it("extends a fragment to whole lines, and moves its matches", () => {
    assert.deepStrictEqual(FragmentLines.locateInText("first\nthe second line\nlast", [fragment("second", [[0, 3]])]), [
      { text: "the second line", line: 2, matches: [[4, 7]] }
    ])
    assert.deepStrictEqual(FragmentLines.locateInText("hit it", [fragment("hit", [[0, 3]])]), [
      { text: "hit it", line: 1, matches: [[0, 3]] }
    ])
  })

  it("merges two fragments of one line", () => {
    assert.deepStrictEqual(
      FragmentLines.locateInText("a hit, a miss", [fragment("hit", [[0, 3]]), fragment("miss", [[0, 4]])]),
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

  it("limits the extension", () => {
    const [found] = FragmentLines.locateInText(`${"a".repeat(9_000)}hit${"b".repeat(9_000)}`, [
      fragment("hit", [[0, 3]])
    ])
    assert.deepStrictEqual(found?.matches, [[0, 3]])
    assert.isBelow(found?.text.length ?? 0, 1_000)
  })

  it("does not change a fragment that does not occur", () => {
    assert.deepStrictEqual(FragmentLines.locateInText("one", [fragment("two"), fragment("")]), [
      fragment("two"),
      fragment("")
    ])
  })
})
