import { assert, describe, it } from "@effect/vitest"
import * as QueryRefinements from "./QueryRefinements.ts"

const language = (value: string, not = false): QueryRefinements.Refinement => ({ name: "language", value, not })

describe("QueryRefinements", () => {
  it("adds and removes a qualifier", () => {
    const q = QueryRefinements.add("parse  error", language("C++"))
    assert.strictEqual(q, "parse  error language:C++")
    assert.deepStrictEqual(QueryRefinements.all(q), [language("C++")])
    assert.strictEqual(QueryRefinements.remove(q, language("c++")), "parse  error")
  })

  it("quotes values with special characters", () => {
    const q = QueryRefinements.add("x", { name: "path", value: "my docs/(old)", not: false })
    assert.strictEqual(q, 'x path:"my docs/(old)"')
    assert.strictEqual(QueryRefinements.remove(q, { name: "path", value: "my docs/(old)", not: false }), "x")
  })

  it("replaces the opposite", () => {
    assert.strictEqual(QueryRefinements.add("a language:go b", language("go", true)), "a b -language:go")
  })

  it("applies to both sides of OR", () => {
    assert.strictEqual(QueryRefinements.add("a OR b", language("go")), "(a OR b) language:go")
    assert.strictEqual(QueryRefinements.add("a OR b rev:v1", language("go")), "(a OR b) rev:v1 language:go")
  })

  it("narrows a query that has the qualifier", () => {
    assert.strictEqual(QueryRefinements.add("a language:go", language("ts")), "(a language:go) language:ts")
    const folder = (value: string, not = false): QueryRefinements.Refinement => ({ name: "path", value, not })
    assert.strictEqual(QueryRefinements.add("a path:src", folder("src/page")), "a path:src/page")
    assert.strictEqual(QueryRefinements.add("a path:/src/", folder("src/page")), "a path:src/page")
    assert.strictEqual(QueryRefinements.add("a path:src", folder("src/page", true)), "a path:src -path:src/page")
    assert.strictEqual(QueryRefinements.add("a path:*.c rev:v1", folder("src")), "(a path:*.c) rev:v1 path:src")
  })

  it("has one kind of symbols, outside of parentheses", () => {
    const kind = (value: string): QueryRefinements.Refinement => ({ name: "kind", value, not: false })
    assert.strictEqual(QueryRefinements.add("a OR b", kind("field")), "a OR b kind:field")
    assert.strictEqual(QueryRefinements.add("a kind:enum_member", kind("field")), "a kind:field")
    assert.deepStrictEqual(QueryRefinements.all("a kind:func"), [kind("function")])
    assert.strictEqual(QueryRefinements.remove("a kind:func", kind("function")), "a")
  })

  it("keeps lookalikes in phrases and words", () => {
    const q = '"language:go" std::language:go'
    assert.deepStrictEqual(QueryRefinements.all(q), [])
    assert.strictEqual(QueryRefinements.remove(q, language("go")), q)
  })
})
