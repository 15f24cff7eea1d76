import { assert, describe, it } from "@effect/vitest"
import * as DiffPositions from "./DiffPositions.ts"

const patch = [
  "@@ -1,3 +1,4 @@",
  " one",
  "-two",
  "+zwei",
  "+drei",
  " three",
  "@@ -20,2 +21,2 @@ function f() {",
  " twenty",
  "-last",
  "\\ No newline at end of file",
  "+letzte"
].join("\n")

const { hunkTo, isInOneHunk, lineAt, positionOf } = DiffPositions.make(patch)

describe("DiffPositions", () => {
  it("counts positions across hunk headers", () => {
    assert.strictEqual(positionOf({ side: "RIGHT", line: 1 }), 1)
    assert.strictEqual(positionOf({ side: "LEFT", line: 1 }), 1)
    assert.strictEqual(positionOf({ side: "LEFT", line: 2 }), 2)
    assert.strictEqual(positionOf({ side: "RIGHT", line: 3 }), 4)
    assert.strictEqual(positionOf({ side: "RIGHT", line: 21 }), 7)
    assert.strictEqual(positionOf({ side: "RIGHT", line: 22 }), 10)
    assert.strictEqual(positionOf({ side: "RIGHT", line: 5 }), undefined)
    assert.strictEqual(positionOf({ side: "LEFT", line: 4 }), undefined)
  })

  it("finds the line of each position", () => {
    assert.deepStrictEqual(lineAt(2), { side: "LEFT", line: 2 })
    assert.deepStrictEqual(lineAt(5), { side: "RIGHT", line: 4 })
    for (const position of [-1, 0, 6, 9, 11]) assert.strictEqual(lineAt(position), undefined, String(position))
    for (const position of [1, 2, 3, 4, 5, 7, 8, 10]) {
      const line = lineAt(position)
      assert.strictEqual(line && positionOf(line), position)
    }
  })

  it("cuts the hunk after the line", () => {
    assert.strictEqual(hunkTo(2), "@@ -1,3 +1,4 @@\n one\n-two")
    assert.strictEqual(hunkTo(7), "@@ -20,2 +21,2 @@ function f() {\n twenty")
    assert.strictEqual(hunkTo(11), undefined)
    assert.isTrue(isInOneHunk(1, 5))
    assert.isFalse(isInOneHunk(5, 7))
  })
})
