import { assert, describe, it } from "@effect/vitest"
import * as QueryTermMatcher from "./QueryTermMatcher.ts"

const places = (q: string, text: string) => QueryTermMatcher.make(q)(text).map(([start, end]) => text.slice(start, end))

describe("Occurrences", () => {
  it("finds the words and phrases of a query in any case", () => {
    assert.deepStrictEqual(places('Parse "not found" repo:a/b', "parse it: NOT FOUND in a/b, not here"), [
      "parse",
      "NOT FOUND"
    ])
    assert.deepStrictEqual(places("a OR b", "b a c"), ["b", "a"])
  })

  it("does not mark what the query keeps out", () => {
    assert.deepStrictEqual(places("hit NOT miss", "hit miss"), ["hit"])
  })

  it("takes every character for itself", () => {
    for (const word of ["a.b", "f(x)", "[0]", "$x^", "a|b", "x*", "\\d", "a/b-c", "{1}"]) {
      assert.deepStrictEqual(places(word, `axb ${word} 11`), [word])
    }
  })

  it("marks the longer of two words at one place", () => {
    assert.deepStrictEqual(places("in index", "index"), ["index"])
  })

  it("finds nothing for a query that is wrong or empty", () => {
    assert.deepStrictEqual(places('"open', "open"), [])
    assert.deepStrictEqual(places("", "anything"), [])
  })
})
