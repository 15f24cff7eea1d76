import { assert, describe, it } from "@effect/vitest"
import * as TextLines from "./TextLines.ts"

describe("split", () => {
  it("gives the number and start of each line", () => {
    assert.deepStrictEqual(TextLines.split("a\r\nbc\n\nd\n", 7), [
      { number: 7, start: 0, text: "a" },
      { number: 8, start: 3, text: "bc" },
      { number: 9, start: 6, text: "" },
      { number: 10, start: 7, text: "d" }
    ])
  })

  it("gives every text at least one line", () => {
    assert.deepStrictEqual(TextLines.split(""), [{ number: 1, start: 0, text: "" }])
    assert.deepStrictEqual(TextLines.split("\n"), [{ number: 1, start: 0, text: "" }])
    assert.lengthOf(TextLines.split("\n\n"), 2)
  })

  it("gives starts that agree with the text for any line ending", () => {
    const text = "é\t1\r\n\u{1F600}漢字\nend"
    for (const { start, text: line } of TextLines.split(text))
      assert.strictEqual(text.slice(start, start + line.length), line)
  })
})
