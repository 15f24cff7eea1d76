import { assert, describe, it } from "@effect/vitest"
import * as Suggestions from "./Suggestions.ts"

describe("Suggestions", () => {
  it("reads the blocks of a comment", () => {
    const body = [
      "Better:",
      "```suggestion",
      "one",
      "  two",
      "```",
      "```ts",
      "```suggestion",
      "```",
      "~~~~suggestion",
      "~~~",
      "```",
      "~~~~",
      "```suggestion",
      "```"
    ]
    assert.deepStrictEqual(Suggestions.parse(body.join("\r\n")), [["one", "  two"], ["~~~", "```"], []])
    assert.deepStrictEqual(Suggestions.parse("````suggestion\nlast"), [["last"]])
    assert.deepStrictEqual(Suggestions.parse("no ```suggestion``` here"), [])
  })

  it("replaces lines and keeps their ends", () => {
    const edit = (first: number, last: number, ...lines: ReadonlyArray<string>) => ({ first, last, lines })
    assert.strictEqual(Suggestions.apply("a\nb\nc\nd", [edit(4, 4, "x", "y"), edit(1, 2, "z")]), "z\nc\nx\ny")
    assert.strictEqual(Suggestions.apply("a\r\nb\r\nc\r\n", [edit(2, 2, "x", "y")]), "a\r\nx\r\ny\r\nc\r\n")
    assert.strictEqual(Suggestions.apply("a\nb\nc\n", [edit(2, 2)]), "a\nc\n")
    assert.isUndefined(Suggestions.apply("a\n", [edit(2, 2, "x")]))
    assert.isTrue(Suggestions.overlap([edit(3, 5), edit(1, 3)]))
    assert.isFalse(Suggestions.overlap([edit(3, 5), edit(1, 2)]))
  })
})
