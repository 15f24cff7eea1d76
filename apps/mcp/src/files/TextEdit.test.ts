import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import * as Result from "effect/Result"
import * as FileText from "./FileText.ts"
import * as ReadMarks from "./ReadMarks.ts"
import { file, mask } from "./SampleFiles.test-support.ts"
import * as TextEdit from "./TextEdit.ts"
import * as TextFile from "./TextFile.ts"

const show = (text: string) => ReadMarks.show(text, mask)

const apply = (text: string, ...edits: ReadonlyArray<TextEdit.Edit>) =>
  Result.getOrElse(TextEdit.apply(text, edits, show), (reason) => `refused: ${reason}`)

/** Number of files. */
const FILES = 1_100

describe("a file that is read and edited", () => {
  it("differs only in the edited line, or is refused with a reason", () => {
    const outcomes = { edited: 0, refused: 0 }
    FastCheck.assert(
      FastCheck.property(file, FastCheck.nat(), (bytes, seed) => {
        const text = TextFile.decode(bytes)
        const lines = FileText.decode(bytes, false)?.lines ?? []
        const line = show(lines[seed % Math.max(1, lines.length)] ?? "")
        if (text === undefined || line === "") return
        const edited = TextEdit.apply(text.text, [{ old: line, new: `${line}!\nnext` }], show)
        if (Result.isFailure(edited)) {
          assert.isNotEmpty(edited.failure)
          outcomes.refused += 1
          return
        }
        outcomes.edited += 1
        const written = text.encode(edited.success) ?? assert.fail("not encoded")
        const at = text.text.indexOf(line) + line.length
        const before = text.encode(text.text.slice(0, at)) ?? assert.fail("not encoded")
        const end = /\r?\n/.exec(text.text.slice(at))?.[0] ?? /\r?\n/.exec(text.text)?.[0] ?? "\n"
        // All bytes before and after the edit are unchanged.
        assert.isTrue(Buffer.from(written).subarray(0, before.length).equals(bytes.subarray(0, before.length)))
        const rest = bytes.length - before.length
        assert.isTrue(
          Buffer.from(written)
            .subarray(written.length - rest)
            .equals(bytes.subarray(before.length))
        )
        assert.strictEqual(edited.success.slice(at, edited.success.length - (text.text.length - at)), `!${end}next`)
      }),
      { seed: 20_290, numRuns: FILES }
    )
    assert.isAbove(outcomes.edited, 300)
    assert.isAbove(outcomes.refused, 100)
  })

  it("has the same bytes without an edit, or is not text", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.uint8Array({ maxLength: 60 }), (bytes) => {
        const text = TextFile.decode(bytes)
        if (text !== undefined) assert.isTrue(Buffer.from(text.encode(text.text) ?? []).equals(bytes))
      }),
      { seed: 20_291, numRuns: 1_000 }
    )
  })
})

describe("an edit", () => {
  it("finds its place in the original text", () => {
    assert.strictEqual(apply("a\nb\nc\n", { old: "c", new: "a" }, { old: "a", new: "c" }), "c\nb\na\n")
    assert.strictEqual(apply("one", { old: "one", new: "" }), "")
    assert.match(apply("abcd", { old: "abc", new: "" }, { old: "cd", new: "" }), /two edits overlap on line 1/)
    assert.match(apply("aaa", { old: "aa", new: "b" }), /must occur once, but begins on lines 1, 1/)
    assert.match(apply("a", { old: "", new: "b" }), /old is empty/)
    assert.match(apply("a", { old: "a", new: "b" }, { old: "c", new: "b" }), /old of edit 2 does not occur/)
  })

  it("ends new lines like those that it replaces", () => {
    assert.strictEqual(apply("a\r\nb\r\n", { old: "a\nb", new: "x\ny\nz" }), "x\r\ny\r\nz\r\n")
    assert.strictEqual(apply("a\nb\r\nc", { old: "b\nc", new: "b\nd" }), "a\nb\r\nd")
    assert.strictEqual(apply("a\nb\r\n", { old: "a", new: "a\nx" }), "a\nx\nb\r\n")
    assert.strictEqual(apply("a\r\nb", { old: "b", new: "b\nc" }), "a\r\nb\r\nc")
    assert.strictEqual(apply("a\nb", { old: "a", new: "a\r\nx" }), "a\r\nx\nb")
    assert.match(apply("a\nb", { old: "a\r\nb", new: "" }), /does not occur/)
  })

  it("finds emoji, newlines at the start, and long texts once", () => {
    assert.strictEqual(apply("a\n🚀 b\n", { old: "🚀 b", new: "c" }), "a\nc\n")
    assert.strictEqual(apply("a\r\nb\r\nc\r\n", { old: "\nb\n", new: "\nd\n" }), "a\r\nd\r\nc\r\n")
    const long = "line\r\n".repeat(150_000)
    assert.strictEqual(apply(`a\n${long}b`, { old: `a\n${long.replaceAll("\r", "")}`, new: "" }), "b")
  })

  it("says where a text differs only in white space", () => {
    assert.match(apply("a\n  if (x)\n    y()\n", { old: "if (x)\n  y()", new: "" }), /Line 2 differs from it only/)
    assert.match(apply("a\nb", { old: "  2\tb", new: "" }), /Leave out the numbers of the lines/)
  })
})
