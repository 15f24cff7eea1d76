import { assert, describe, it } from "@effect/vitest"
import * as FindPattern from "./FindPattern.ts"

const query = (text: string, more: Partial<FindPattern.FindQuery> = {}): FindPattern.FindQuery => ({
  text,
  matchCase: false,
  wholeWord: false,
  isRegex: false,
  ...more
})

/** The matched texts. */
const texts = (text: string, query: FindPattern.FindQuery): ReadonlyArray<string> => {
  const pattern = FindPattern.compile(query)
  assert(pattern !== undefined)
  const { ranges } = FindPattern.find(text, pattern)
  return Array.from({ length: ranges.length / 2 }, (_, at) => text.slice(ranges[2 * at], ranges[2 * at + 1]))
}

describe("FindPattern", () => {
  it("escapes special characters", () => {
    for (const text of ["a.b", "f(x)", "[0]", "$x^", "a|b", "x*", "\\d", "a/b-c", "{1}"]) {
      assert.deepStrictEqual(texts(`axb ${text} 11`, query(text)), [text])
    }
  })

  it("ignores case, or matches it", () => {
    assert.deepStrictEqual(texts("Point point ÄÖ", query("point")), ["Point", "point"])
    assert.deepStrictEqual(texts("Point point ÄÖ", query("äö")), ["ÄÖ"])
    assert.deepStrictEqual(texts("Point point", query("Point", { matchCase: true })), ["Point"])
  })

  it("matches composed and decomposed accents", () => {
    assert.lengthOf(texts("caf\u00e9 cafe\u0301 cafe", query("caf\u00e9")), 2)
    assert.lengthOf(texts("caf\u00e9 cafe\u0301 cafe", query("cafe\u0301")), 2)
  })

  it("finds whole words of any script, and punctuation beside them", () => {
    assert.deepStrictEqual(texts("in index größe größer $in in_", query("in", { wholeWord: true })), ["in"])
    assert.deepStrictEqual(texts("größe größer", query("größe", { wholeWord: true })), ["größe"])
    assert.deepStrictEqual(texts("a(b) a(bc)", query("(b", { wholeWord: true })), ["(b"])
  })

  it("matches regular expressions with line anchors", () => {
    const isRegex = true
    assert.deepStrictEqual(texts("one\ntwo\nthree", query("^t.*$", { isRegex })), ["two", "three"])
    assert.deepStrictEqual(texts("one two", query("o|t", { isRegex, wholeWord: true })), [])
    assert.deepStrictEqual(texts("aaa", query("b*", { isRegex })), [])
    assert.isUndefined(FindPattern.compile(query("(", { isRegex })))
    assert.isUndefined(FindPattern.compile(query(")|(", { isRegex, wholeWord: true })))
  })

  it("stops at the limit", () => {
    const found = FindPattern.find("aaaa", /a/g, 3)
    assert.deepStrictEqual([Array.from(found.ranges), found.isTruncated], [[0, 1, 1, 2, 2, 3], true])
    assert.isFalse(FindPattern.find("aaa", /a/g, 3).isTruncated)
  })
})
