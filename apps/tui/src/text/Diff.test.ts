import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Diff from "./Diff.ts"
import * as DiffPatch from "./DiffPatch.ts"
import * as StyledLine from "./StyledLine.ts"
import * as Syntax from "./Syntax.ts"

const patch = [
  "@@ -8,5 +8,6 @@ export const make = () => {",
  " first",
  "-const a = 1",
  "-removed",
  "+const a = 2",
  "\\ No newline at end of file",
  "+\tadded",
  " last",
  "@@ -100 +101,0 @@",
  "-gone",
  ""
].join("\n")

const textOf = (patch: string, columns: number) =>
  Diff.lines(DiffPatch.parse(patch), { columns }).map((line) => StyledLine.text(line).trimEnd())

const details = (patch: string) => {
  const diff = Diff.make(DiffPatch.parse(patch))
  return Array.from({ length: diff.length }, (_, index) => diff.detailsAt(index))
}

describe("Diff", () => {
  it("shows the numbers before and after the change", () => {
    assert.deepStrictEqual(textOf(patch, 80), [
      "        @@ -8,5 +8,6 @@ export const make = () => {",
      "  8   8  first",
      "  9     -const a = 1",
      " 10     -removed",
      "      9 +const a = 2",
      "        No newline at end of file",
      "     10 +    added",
      " 11  11  last",
      "        @@ -100 +101,0 @@",
      "100     -gone"
    ])
  })

  it("shows one number on a narrow screen", () => {
    assert.deepStrictEqual(textOf(patch, 40).slice(2, 5), ["  9 -const a = 1", " 10 -removed", "  9 +const a = 2"])
    assert.deepStrictEqual(textOf(patch, 12).slice(2, 3), ["  9 -const …"])
  })

  it("scrolls the text but not the numbers", () => {
    const line = Diff.make(DiffPatch.parse(patch)).lineAt(2, 12, 6)
    assert.strictEqual(StyledLine.text(line), "  9 -a = 1  ")
  })

  it("marks whole rows and changed words by their background", () => {
    const diff = Diff.make(DiffPatch.parse(patch))
    assert.deepStrictEqual(diff.lineAt(4, 20), [
      { text: "  9 ", role: "muted", background: "addedLine" },
      { text: "+", role: "added", background: "addedLine" },
      { text: "const a = ", role: "added", background: "addedLine" },
      { text: "2", role: "added", background: "addedWord" },
      { text: "    ", role: "plain", background: "addedLine" }
    ])
    assert.deepStrictEqual(
      diff.lineAt(2, 20).map(({ background }) => background),
      ["removedLine", "removedLine", "removedLine", "removedWord", "removedLine"]
    )
  })

  it("gives structured lines", () => {
    const all = details(patch)
    assert.deepStrictEqual(all[1], { kind: "context", oldNumber: 8, newNumber: 8, text: "first", changes: [] })
    assert.deepStrictEqual(all[2], {
      kind: "removed",
      oldNumber: 9,
      text: "const a = 1",
      changes: [{ start: 10, end: 11 }]
    })
    assert.deepStrictEqual(all[6], { kind: "added", newNumber: 10, text: "\tadded", changes: [] })
    assert.strictEqual(all[5]?.kind, "note")
    assert.deepStrictEqual(Diff.make(DiffPatch.parse(patch)).numbersAt(7), { oldNumber: 11, newNumber: 11 })
  })

  it("does not compare removed lines with the added lines before them", () => {
    const all = details("@@ -1,2 +1,2 @@\n+const a = 1\n-const a = 2\n context\n")
    assert.deepStrictEqual(
      all.flatMap(({ changes }) => changes),
      []
    )
  })

  it.effect("highlights the old and the new text separately", () =>
    Effect.gen(function* () {
      const highlighter = yield* Syntax.load("ts")
      // The comment ends in the old text only, so the context line is code in one text and a comment in the other.
      const diff = Diff.make(
        DiffPatch.parse("@@ -1,3 +1,3 @@ function f() {\n /* one\n-two */ const a\n+two\n three */\n"),
        highlighter
      )
      const roles = (index: number) => diff.lineAt(index, 80).map(({ role, text }) => [role, text.trim()])
      assert.deepInclude(roles(0), ["keyword", "function"])
      assert.deepInclude(roles(2), ["keyword", "const"])
      assert.deepInclude(roles(3), ["comment", "two"])
      assert.deepInclude(roles(4), ["comment", "three */"])
    })
  )

  it.effect("finds the tokens of every part of a large hunk", () =>
    Effect.gen(function* () {
      const limited = yield* Syntax.load("ts")
      assert.isDefined(limited)
      // A busy machine may exceed the limit of time, after which the rest of a part has no tokens.
      const highlighter = { ...limited, highlight: (text: string) => limited.highlight(text, { timeout: Infinity }) }
      const body = "+/**\n+ * Doc.\n+ */\n+export const f = () => {\n+  return `a\n+b`\n+}\n+\n".repeat(500)
      const parsed = DiffPatch.parse(`@@ -0,0 +1,4000 @@\n${body}`)
      const diff = Diff.make(parsed, highlighter)
      assert.isBelow(parsed.sectionAt(3_990).end - parsed.sectionAt(3_990).start, 301)
      const expected = ["comment", "comment", "comment", "keyword", "keyword", "string", "plain", "plain"]
      for (const first of [1, 145, 297, 1_601, 3_993])
        for (const [offset, role] of expected.entries())
          assert.strictEqual(diff.lineAt(first + offset, 90)[2]?.role, role, `line ${first + offset}`)
    })
  )

  it("hides the carriage returns of a file that has only such lines", () => {
    assert.deepStrictEqual(
      details("@@ -1 +1 @@\r\n-a\r\n+b\r\n").map(({ text }) => text),
      ["@@ -1 +1 @@\r", "a", "b"]
    )
    assert.deepStrictEqual(textOf("@@ -1 +1 @@\n-a\r\n+a\n", 80).slice(1), [" 1    -a␍", "    1 +a"])
  })

  it("shows malformed patches as lines", () => {
    assert.deepStrictEqual(textOf("", 80), [])
    assert.deepStrictEqual(textOf("Binary files differ\n", 80), ["      Binary files differ"])
    assert.deepStrictEqual(textOf("+a\n-b\n c", 80), ["      +a", "      -b", "       c"])
    assert.deepStrictEqual(textOf("--- a/x\n+++ b/x\n@@ -x +y @@\n+a\n?", 80), [
      "   --- a/x",
      "   +++ b/x",
      "   @@ -x +y @@",
      "   +a",
      "   ?"
    ])
    assert.deepStrictEqual(
      details("@@ -99999999999999 +1 @@\n a\n@@@ -1 -1 +1 @@@\n+ b").map(({ kind }) => kind),
      ["hunk", "context", "hunk", "added"]
    )
  })

  it.effect("keeps hostile lines within their width and without control characters", () =>
    Effect.gen(function* () {
      const highlighter = yield* Syntax.load("ts")
      const texts = [
        "\0\u001b]0;title\u0007\u001b[2J",
        "\u202e\u2028\u0085\ufeff",
        "\ud800\udfff\udc00",
        "e\u0301".repeat(5_000),
        "\u0301".repeat(5_000),
        "👩‍👩‍👧‍👦🇩🇪".repeat(100),
        "漢字\t".repeat(200),
        "x".repeat(1_000_000),
        "(".repeat(9_000)
      ]
      const hostile = DiffPatch.parse(
        `@@ -1 +1 @@ ${texts[0]}\n${texts.flatMap((text) => [`-${text}`, `+${text}a`, ` ${text}`]).join("\n")}`
      )
      for (const diff of [Diff.make(hostile), Diff.make(hostile, highlighter)]) {
        for (let index = -1; index <= diff.length; index++) {
          for (const [columns, left] of [
            [80, 0],
            [41, 7],
            [3, 0],
            [0, 0]
          ] as const) {
            const line = diff.lineAt(index, columns, left)
            assert.strictEqual(StyledLine.width(line), columns, `line ${index}`)
            assert.notMatch(StyledLine.text(line), /[\p{Cc}\p{Cs}\u2028\u202e]/u)
          }
        }
      }
    })
  )

  it.prop("shows one row per line of any patch", [Schema.Array(Schema.String)], ([rows]) => {
    const text = rows.map((row) => row.replaceAll("\n", "")).join("\n")
    const diff = Diff.make(DiffPatch.parse(text))
    assert.strictEqual(diff.length, text === "" ? 0 : text.replace(/\n$/, "").split("\n").length)
    for (let index = 0; index < diff.length; index++) assert.strictEqual(StyledLine.width(diff.lineAt(index, 30)), 30)
  })
})
