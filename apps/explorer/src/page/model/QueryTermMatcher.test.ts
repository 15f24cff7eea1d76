import { assert, describe, it } from "@effect/vitest"
import * as QueryTermMatcher from "./QueryTermMatcher.ts"

const matches = (q: string, text: string) =>
  QueryTermMatcher.make(q)(text).map(([start, end]) => text.slice(start, end))

describe("QueryTermMatcher", () => {
  it("finds words and phrases case-insensitively", () => {
    assert.deepStrictEqual(matches('Parse "not found" repo:a/b', "parse it: NOT FOUND in a/b, not here"), [
      "parse",
      "NOT FOUND"
    ])
    assert.deepStrictEqual(matches("a OR b", "b a c"), ["b", "a"])
  })

  it("ignores negated terms", () => {
    assert.deepStrictEqual(matches("hit NOT miss", "hit miss"), ["hit"])
  })

  it("escapes special characters", () => {
    for (const word of ["a.b", "f(x)", "[0]", "$x^", "a|b", "x*", "\\d", "a/b-c", "{1}"]) {
      assert.deepStrictEqual(matches(word, `axb ${word} 11`), [word])
    }
  })

  it("prefers the longer of two terms at one position", () => {
    assert.deepStrictEqual(matches("in index", "index"), ["index"])
  })

  it("finds nothing for an invalid or empty query", () => {
    assert.deepStrictEqual(matches('"open', "open"), [])
    assert.deepStrictEqual(matches("", "anything"), [])
  })
})
