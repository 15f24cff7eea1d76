import { assert, describe, it } from "@effect/vitest"
import * as Patch from "./Patch.ts"

const file = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`)

/** Changes line 10 and adds a line after line 60. */
const PATCH = `@@ -7,7 +7,7 @@ function first() {
 line 7
 line 8
 line 9
-old 10
+line 10
 line 11
 line 12
 line 13
@@ -57,6 +57,7 @@
 line 57
 line 58
 line 59
+line 60
 line 61
 line 62
 line 63`

describe("Patch", () => {
  it("numbers the lines of both sides", () => {
    const [first, second] = Patch.parse(PATCH)
    assert.strictEqual(first?.section, "function first() {")
    assert.deepStrictEqual(
      first?.lines.map(({ kind, new: line, old }) => [kind, old, line]),
      [
        ["context", 7, 7],
        ["context", 8, 8],
        ["context", 9, 9],
        ["removed", 10, undefined],
        ["added", undefined, 10],
        ["context", 11, 11],
        ["context", 12, 12],
        ["context", 13, 13]
      ]
    )
    assert.deepInclude(second?.lines.at(-1), { old: 62, new: 63 })
  })

  it("reads a missing line feed at the end, and lines that look like headers", () => {
    const [hunk] = Patch.parse("@@ -1,2 +1,2 @@\n--- a/x\n+@@ -1 +1 @@\n same\n\\ No newline at end of file\n")
    assert.deepStrictEqual(
      hunk?.lines.map(({ hasNoNewline, kind, text }) => [kind, text, hasNoNewline]),
      [
        ["removed", "-- a/x", false],
        ["added", "@@ -1 +1 @@", false],
        ["context", "same", true]
      ]
    )
  })

  it("ignores text that is no diff", () => {
    assert.deepStrictEqual(Patch.parse(""), [])
    assert.deepStrictEqual(Patch.parse("<script>\n+x\n@@ nonsense @@"), [])
    assert.deepStrictEqual(Patch.parse("@@ -1 +1 @@\n-a\n+b\n+c\nd")[0]?.lines.length, 2)
  })

  it("hides carriage returns only if every line has one", () => {
    assert.deepStrictEqual(
      Patch.parse("@@ -1 +1 @@\n-a\r\n+b\r")[0]?.lines.map(({ text }) => text),
      ["a", "b"]
    )
    assert.deepStrictEqual(
      Patch.parse("@@ -1 +1 @@\n-a\n+a\r")[0]?.lines.map(({ text }) => text),
      ["a", "a\r"]
    )
  })

  it("finds the gaps, and none around an added file", () => {
    assert.deepStrictEqual(Patch.gaps(Patch.parse(PATCH)), [
      { index: 0, first: 1, last: 6 },
      { index: 1, first: 14, last: 56 },
      { index: 2, first: 64, last: undefined }
    ])
    assert.deepStrictEqual(Patch.gaps(Patch.parse(PATCH), 63).length, 2)
    assert.deepStrictEqual(Patch.gaps(Patch.parse("@@ -0,0 +1,2 @@\n+a\n+b")), [])
    assert.deepStrictEqual(Patch.gaps(Patch.parse("@@ -1,2 +0,0 @@\n-a\n-b")), [])
    // Less context than usual: the file ends there.
    assert.deepStrictEqual(Patch.gaps(Patch.parse("@@ -1,2 +1,2 @@\n-a\n+b\n c")), [])
  })

  it("shows lines from the start or the end of a gap, or all, and joins hunks", () => {
    const hunks = Patch.parse(PATCH)
    const gap = Patch.gaps(hunks)[1]
    assert.isDefined(gap)
    const numbers = (expansion: Patch.Expansion) =>
      Patch.expand(hunks, file, gap, expansion).map(({ lines }) => [
        lines[0]?.new,
        lines.at(-1)?.new,
        lines.at(-1)?.old
      ])
    assert.deepStrictEqual(numbers("start"), [
      [7, 33, 33],
      [57, 63, 62]
    ])
    assert.deepStrictEqual(numbers("end"), [
      [7, 13, 13],
      [37, 63, 62]
    ])
    assert.deepStrictEqual(numbers("all"), [[7, 63, 62]])
    const whole = Patch.expand(hunks, file, { index: 2, first: 64, last: undefined }, "all")
    assert.deepInclude(whole[1]?.lines.at(-1), { text: "line 100", new: 100, old: 99 })
    assert.deepStrictEqual(
      Patch.gaps(whole, 100).map(({ index }) => index),
      [0, 1]
    )
  })
})
