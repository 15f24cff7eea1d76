import { assert, describe, it } from "@effect/vitest"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as Result from "effect/Result"
import * as QueryToggles from "./QueryToggles.ts"

const flip = (q: string, toggle: QueryToggles.Toggle) => QueryToggles.flip(q, toggle).text

describe("QueryToggles", () => {
  it("adds and removes case:yes and word:yes, with the caret before them", () => {
    assert.deepStrictEqual(QueryToggles.flip("a b", "case"), { text: "a b case:yes", caret: 3 })
    assert.strictEqual(flip("a case:yes b", "case"), "a b")
    assert.strictEqual(flip("a case:no", "case"), "a case:yes")
    assert.strictEqual(flip("case:yes a word:yes", "word"), "case:yes a")
    assert.deepStrictEqual(QueryToggles.flip("", "word"), { text: " word:yes", caret: 0 })
    // Quoted text is not an option.
    assert.strictEqual(flip('"case:yes"', "case"), '"case:yes" case:yes')
  })

  it("says what is on", () => {
    assert.isTrue(QueryToggles.isOn("a case:yes", "case"))
    assert.isFalse(QueryToggles.isOn("a case:no", "case"))
    assert.isTrue(QueryToggles.isOn("/a/ -/b/ path:src", "regex"))
    assert.isFalse(QueryToggles.isOn("/a/ b", "regex"))
    assert.isFalse(QueryToggles.isOn("path:src", "regex"))
  })

  it("makes terms regular expressions and back", () => {
    const pairs = [
      ["foo.*bar", "/foo.*bar/"],
      ["foo bar", "/foo/ /bar/"],
      ["a/b", "/a\\/b/"],
      ['"f(x)"', "/f\\(x\\)/"],
      ["(a OR b) -c path:src", "(/a/ OR /b/) -/c/ path:src"]
    ] as const // pairs
    for (const [text, regex] of pairs) {
      assert.strictEqual(flip(text, "regex"), regex)
      assert.isTrue(QueryToggles.isOn(regex, "regex"))
    }
    for (const [text, regex] of pairs.filter(([text]) => !text.startsWith('"'))) {
      assert.strictEqual(flip(regex, "regex"), text)
    }
    // The conversion removes unnecessary quotation marks.
    assert.strictEqual(flip("/f\\(x\\)/", "regex"), "f(x)")
    assert.strictEqual(flip("/a b/", "regex"), '"a b"')
  })

  it("joins words with special characters, and escapes what is no expression", () => {
    assert.strictEqual(flip("int \\w+ path:src", "regex"), "/int \\w+/ path:src")
    assert.strictEqual(flip("f(", "regex"), "/f\\(/")
    assert.strictEqual(flip("/x", "regex"), "/\\/x/")
  })

  it("begins an expression without terms, with the caret inside", () => {
    assert.deepStrictEqual(QueryToggles.flip("path:src", "regex"), { text: "path:src //", caret: 10 })
    assert.strictEqual(flip("path:src //", "regex"), "path:src")
  })

  it("gives valid queries", () => {
    for (const q of ["a", "a.b(c)", "x[", "**", "$a", "?", '"a \\" b"', "a{1", "a OR b c", "-a b", "std::vector<T*>"]) {
      for (const toggle of ["case", "word", "regex"] as const) {
        // the names of toggles
        const once = flip(q, toggle)
        assert.isTrue(Result.isSuccess(CodeQueryParser.parse(once)), once)
        assert.isTrue(Result.isSuccess(CodeQueryParser.parse(flip(once, toggle))), flip(once, toggle))
      }
    }
  })
})
