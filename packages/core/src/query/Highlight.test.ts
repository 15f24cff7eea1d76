import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Highlight from "./Highlight.ts"

const parts = (text: string) =>
  Highlight.classify(text).map(({ kind, span }) => [kind, text.slice(span.start, span.start + span.length)])

describe("classify", () => {
  it("classifies every part of a query", () => {
    assert.deepStrictEqual(parts('foo -"a b" OR (/x y/ AND -repo:a/b) path:"c d" symbol:'), [
      ["word", "foo"],
      ["minus", "-"],
      ["phrase", '"a b"'],
      ["operator", "OR"],
      ["parenthesis", "("],
      ["regex", "/x y/"],
      ["operator", "AND"],
      ["minus", "-"],
      ["qualifier", "repo:"],
      ["value", "a/b"],
      ["parenthesis", ")"],
      ["qualifier", "path:"],
      ["value", '"c d"'],
      ["qualifier", "symbol:"]
    ])
  })

  it.prop("covers any text except white space", [Schema.String], ([text]) => {
    let at = 0
    for (const { span } of Highlight.classify(text)) {
      assert.isTrue(span.length > 0 && span.start >= at)
      assert.strictEqual(text.slice(at, span.start).trim(), "")
      at = span.start + span.length
    }
    assert.strictEqual(text.slice(at).trim(), "")
  })
})
