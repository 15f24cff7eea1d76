import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as CodeQueryParser from "./CodeQueryParser.ts"
import type { Diagnostic } from "./Diagnostic.ts"
import * as QueryCorrection from "./QueryCorrection.ts"
import * as SearchQuery from "./SearchQuery.ts"

const code = (text: string) => QueryCorrection.correct(text, CodeQueryParser.parse)

describe("correct", () => {
  it("applies every replacement", () => {
    assert.strictEqual(code("author:me fix"), "author:me type:commit fix")
    assert.strictEqual(code("a count:many b type:nonsense"), "a count:100 b type:file")
    assert.strictEqual(
      QueryCorrection.correct("parse case:yes language:go word:yes", SearchQuery.parse),
      "parse language:go"
    )
  })

  it("returns nothing for a valid query, and for an error without a correction", () => {
    assert.isUndefined(code("parse"))
    assert.isUndefined(code("(parse"))
    assert.isUndefined(code("(count:many"))
  })

  it("ends if corrections never lead to a valid query", () => {
    const problems: ReadonlyArray<Diagnostic> = [{ start: 0, length: 1, message: "", replacement: "aa" }]
    assert.isUndefined(QueryCorrection.correct("a", () => Result.fail(problems)))
    const overlapping = [0, 1].map((start) => ({ start, length: 3, message: "", replacement: "x" }))
    let calls = 0
    assert.strictEqual(
      QueryCorrection.correct("abcd", () => (calls++ === 0 ? Result.fail(overlapping) : Result.succeed(""))),
      "ax"
    )
  })
})
