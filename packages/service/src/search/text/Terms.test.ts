import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Terms from "./Terms.ts"

const collector = new Terms.Collector()
const collect = (text: string, names: ReadonlyArray<string> = []) =>
  new Set(collector.collect(text, names.map(Terms.ofName)))

describe("terms", () => {
  it("include the terms of every substring, ignoring case", () => {
    const terms = collect("Export const WEIGHTS = 1\r\n\tſtop 搜索代码\n")
    for (const part of ["export", "EXPORT CONST", "ights", "stop", "搜索", "代"]) {
      assert.isTrue(
        Terms.ofPart(part).every((term) => terms.has(term)),
        part
      )
    }
    assert.isFalse(Terms.ofPart("absent").every((term) => terms.has(term)))
  })

  it("end with the line, and include the last two letters of a line", () => {
    const terms = collect("ab\ncd\r\nfi")
    assert.deepStrictEqual(
      [...terms].map((term) => Buffer.from([term >> 16, (term >> 8) & 0xff, term & 0xff]).toString()).toSorted(),
      ["ab\n", "cd\n", "fi\n"]
    )
    for (const pair of ["ab", "CD", "fi"]) {
      const [from, to] = Terms.ofPair(pair) ?? [0, 0]
      assert.isTrue([...terms].some((term) => term >= from && term <= to))
    }
    assert.isUndefined(Terms.ofPair("a"))
    assert.isUndefined(Terms.ofPair("abc"))
  })

  it("separate texts that share all trigrams", () => {
    const names = ["register_fixed_factor", "unregister_fixed_rate", "factor_parent", "fixed_parents_factory"]
    const terms = collect(names.join(" "))
    const isThere = (part: string) => Terms.ofPart(part).every((term) => terms.has(term))
    for (const name of names) assert.isTrue(isThere(name))
    const wrong = ["register_fixed_rate_fixed_factor_parents", "factor_parents_factor_parent_fixed_rate"]
    for (const name of wrong) assert.isFalse(isThere(name), name)
  })

  it("use a separate range for defined names", () => {
    const terms = collect("", ["CodeIndex"])
    assert.deepStrictEqual([...terms], [Terms.ofName("codeindex")])
    assert.isAtLeast(Terms.ofName("x"), 1 << 24)
    assert.isBelow(Terms.ofName("x"), Terms.COUNT)
  })

  it("start afresh for each text", () => {
    const { size } = collect("abcabcabc")
    assert.isAbove(collect("another text").size, size)
    assert.strictEqual(collect("abcabcabc").size, size)
  })

  it("include the terms of large texts", () => {
    // Lines that differ, with more terms in total than the first arrays can hold.
    const lines = Array.from({ length: 200_000 }, (_, at) => `${(at * 2_654_435_761).toString(36)} word_${at}`)
    const terms = collect(lines.join("\n"))
    assert.isAbove(terms.size, 150_000)
    for (const line of lines.filter((_, at) => at % 997 === 0)) {
      assert.isTrue(
        Terms.ofPart(line).every((term) => terms.has(term)),
        line
      )
    }
    assert.deepStrictEqual(collect("abc"), new Set([...Terms.ofPart("abc"), ...Terms.ofPart("bc\n"), 0x62630a]))
  })

  it.prop(
    "include the terms of any substring of any text",
    [Schema.String, Schema.String, Schema.String],
    ([before, part, behind]) => {
      // Lone surrogates of adjacent parts could combine to another character.
      if (![before, part, behind].every((text) => text.isWellFormed())) return
      const terms = collect(before + part + behind)
      assert.isTrue(Terms.ofPart(part).every((term) => terms.has(term)))
    }
  )
})
