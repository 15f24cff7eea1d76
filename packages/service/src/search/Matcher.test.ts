import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as Matcher from "./Matcher.ts"
import { PartialText } from "./text/PartialText.ts"

const regex = (source: string): CodeQuery.Expression => ({
  _tag: "Regex",
  source,
  span: { start: 0, length: source.length }
})

/** Gives the matches of a regular expression in the content of a file, or undefined if the file does not match. */
const find = (source: string, text: string) => findAll(regex(source), text)

const findAll = (expression: CodeQuery.Expression, text: string): ReadonlyArray<string> | undefined =>
  Matcher.make({
    ...CodeQuery.defaultOptions,
    expression,
    caseSensitive: true,
    inPath: false
  })({
    fullName: "o/r",
    path: "a.txt",
    content: PartialText.ofWhole(text),
    size: text.length,
    definitions: []
  })?.inContent.map(([start, end]) => text.slice(start, end))

describe("Matcher", () => {
  it("restricts by a term on the path without showing it, and searches content: in the content only", () => {
    const matches = (query: string) =>
      Matcher.make(Result.getOrThrow(CodeQueryParser.parse(query)))({
        fullName: "o/r",
        path: "src/word.ts",
        content: PartialText.ofWhole("a word"),
        size: 6,
        definitions: []
      })
    assert.deepStrictEqual(matches("file:src"), { inContent: [], inPath: [], isCut: false })
    assert.deepStrictEqual(matches("word file:SRC/.*ts$ case:yes"), {
      inContent: [[2, 6]],
      inPath: [[4, 8]],
      isCut: false
    })
    assert.deepStrictEqual(matches("content:word"), { inContent: [[2, 6]], inPath: [], isCut: false })
    assert.deepStrictEqual(matches("content:/w../ in:path"), { inContent: [[2, 5]], inPath: [], isCut: false })
    for (const query of ["word file:test", "word -file:word.ts", "content:src", "NOT content:a file:src"])
      assert.isUndefined(matches(query), query)
  })

  it("matches names of definitions of a kind", () => {
    const text = "class Word {\n  word = 1\n  words() {\n    return this.word // a word\n  }\n}\nenum E { A }\n"
    const definition = (name: string, kind: string, line: number, column: number) => ({ name, kind, line, column })
    const matches = (query: string) =>
      Matcher.make(Result.getOrThrow(CodeQueryParser.parse(query)))({
        fullName: "o/r",
        path: "src/word.ts",
        content: PartialText.ofWhole(text),
        size: text.length,
        definitions: [
          definition("Word", "class", 1, 6),
          definition("word", "field", 2, 2),
          definition("words", "method", 3, 2),
          definition("E", "enum", 7, 5)
        ]
      })?.inContent.map(([start, end]) => `${text.slice(0, start).split("\n").length}:${text.slice(start, end)}`)
    assert.deepStrictEqual(matches("word kind:field"), ["2:word"])
    assert.deepStrictEqual(matches("word return kind:field kind:class"), ["1:Word", "2:word"])
    assert.deepStrictEqual(matches("/w.r/ kind:method"), ["3:wor"])
    assert.deepStrictEqual(matches("symbol:word kind:method"), ["3:words"])
    assert.deepStrictEqual(matches("path:src kind:class kind:enum"), ["1:Word", "7:E"])
    for (const query of ["word kind:function", "this kind:field", "absent kind:class", "path:lib kind:class"])
      assert.isUndefined(matches(query), query)
  })

  it("terminates on an empty match beside a surrogate pair", () => {
    assert.deepStrictEqual(find("a|", "\u{1F600}a\u{1F600}\u{1F600}\n"), ["a"])
    assert.deepStrictEqual(find("x*", "\u{1F600}xx"), ["xx"])
    assert.deepStrictEqual(find("\\b", "b\u{1F600}"), [])
    assert.deepStrictEqual(find("(?=\u{1F600})", "\u{1F600}"), [])
  })

  it("matches line by line, without an empty line after the last line feed", () => {
    for (const text of ["one\n", "one\r\ntwo\r\n", "one"]) assert.isUndefined(find("^$", text), JSON.stringify(text))
    for (const text of ["one\n\n", "one\r\n\r\n", "\n"])
      assert.deepStrictEqual(find("^$", text), [], JSON.stringify(text))
    assert.deepStrictEqual(find("o*$", "foo\r\nbar\n"), ["oo"])
  })

  it("searches for every part after another one reached the limit of matches", () => {
    const text = `${"a".repeat(Matcher.MAX_MATCHES + 1)}\nlast\n`
    const both = (source: string) =>
      findAll({ _tag: "And", all: [regex("a"), regex(source)], span: { start: 0, length: 1 } }, text)
    assert.isDefined(both("^last$"))
    assert.isUndefined(both("^absent$"))
  })

  it("reports a bounded number of matches even if all are wanted, and that they are cut", () => {
    const matcher = Matcher.make({ ...CodeQuery.defaultOptions, expression: regex("a") }, { all: true })
    const matches = (text: string) =>
      matcher({ fullName: "o/r", path: "x", content: PartialText.ofWhole(text), size: 1, definitions: [] })
    const cut = matches("a\n".repeat(Matcher.MAX_ALL_MATCHES))
    assert.isTrue(cut?.isCut)
    assert.strictEqual(cut?.inContent.length, Matcher.MAX_ALL_MATCHES)
    assert.isFalse(matches("a\n".repeat(9))?.isCut)
  })
})
