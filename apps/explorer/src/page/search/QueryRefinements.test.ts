import { assert, describe, it } from "@effect/vitest"
import * as QueryRefinements from "./QueryRefinements.ts"

const language = (value: string, not = false): QueryRefinements.Refinement => ({ name: "language", value, not })

describe("Refine", () => {
  it("puts a qualifier in, and takes it out again", () => {
    const q = QueryRefinements.add("parse  error", language("C++"))
    assert.strictEqual(q, "parse  error language:C++")
    assert.deepStrictEqual(QueryRefinements.all(q), [language("C++")])
    assert.strictEqual(QueryRefinements.remove(q, language("c++")), "parse  error")
  })

  it("quotes what has to be", () => {
    const q = QueryRefinements.add("x", { name: "path", value: "my docs/(old)", not: false })
    assert.strictEqual(q, 'x path:"my docs/(old)"')
    assert.strictEqual(QueryRefinements.remove(q, { name: "path", value: "my docs/(old)", not: false }), "x")
  })

  it("takes the opposite's place", () => {
    assert.strictEqual(QueryRefinements.add("a language:go b", language("go", true)), "a b -language:go")
  })

  it("holds for everything that OR joins", () => {
    assert.strictEqual(QueryRefinements.add("a OR b", language("go")), "(a OR b) language:go")
    assert.strictEqual(QueryRefinements.add("(a OR b) language:go", language("ts")), "(a OR b) language:go language:ts")
  })

  it("leaves alone what only looks like it", () => {
    const q = '"language:go" std::language:go'
    assert.deepStrictEqual(QueryRefinements.all(q), [])
    assert.strictEqual(QueryRefinements.remove(q, language("go")), q)
  })
})
