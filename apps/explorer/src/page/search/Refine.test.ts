import { assert, describe, it } from "@effect/vitest"
import * as Refine from "./Refine.ts"

const language = (value: string, not = false): Refine.Refinement => ({ name: "language", value, not })

describe("Refine", () => {
  it("puts a qualifier in, and takes it out again", () => {
    const q = Refine.add("parse  error", language("C++"))
    assert.strictEqual(q, "parse  error language:C++")
    assert.deepStrictEqual(Refine.all(q), [language("C++")])
    assert.strictEqual(Refine.remove(q, language("c++")), "parse  error")
  })

  it("quotes what has to be", () => {
    const q = Refine.add("x", { name: "path", value: "my docs/(old)", not: false })
    assert.strictEqual(q, 'x path:"my docs/(old)"')
    assert.strictEqual(Refine.remove(q, { name: "path", value: "my docs/(old)", not: false }), "x")
  })

  it("takes the opposite's place", () => {
    assert.strictEqual(Refine.add("a language:go b", language("go", true)), "a b -language:go")
  })

  it("holds for everything that OR joins", () => {
    assert.strictEqual(Refine.add("a OR b", language("go")), "(a OR b) language:go")
    assert.strictEqual(Refine.add("(a OR b) language:go", language("ts")), "(a OR b) language:go language:ts")
  })

  it("leaves alone what only looks like it", () => {
    const q = '"language:go" std::language:go'
    assert.deepStrictEqual(Refine.all(q), [])
    assert.strictEqual(Refine.remove(q, language("go")), q)
  })
})
