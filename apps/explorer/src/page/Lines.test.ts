import { assert, describe, it } from "@effect/vitest"
import * as Lines from "./Lines.ts"

describe("split", () => {
  it("numbers lines and knows where they start", () => {
    assert.deepStrictEqual(Lines.split("a\r\nbc\n\nd\n", 7), [
      { number: 7, start: 0, text: "a" },
      { number: 8, start: 3, text: "bc" },
      { number: 9, start: 6, text: "" },
      { number: 10, start: 7, text: "d" }
    ])
  })

  it("gives every text at least one line", () => {
    assert.deepStrictEqual(Lines.split(""), [{ number: 1, start: 0, text: "" }])
    assert.deepStrictEqual(Lines.split("\n"), [{ number: 1, start: 0, text: "" }])
    assert.lengthOf(Lines.split("\n\n"), 2)
  })

  it("starts agree with the text, whatever ends the lines", () => {
    const text = "é\t1\r\n\u{1F600}漢字\nend"
    for (const { start, text: line } of Lines.split(text))
      assert.strictEqual(text.slice(start, start + line.length), line)
  })
})

describe("ofMatch", () => {
  it("counts the lines of the fragment before its first match", () => {
    const fragment = {
      text: "one\ntwo hit\nhit",
      line: 10,
      matches: [
        [12, 15],
        [8, 11]
      ]
    } as const // ranges are pairs
    assert.strictEqual(Lines.ofMatch(fragment), 11)
    assert.strictEqual(Lines.ofMatch({ ...fragment, matches: [] }), 10)
    assert.isUndefined(Lines.ofMatch({ ...fragment, line: null }))
  })
})
