import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Terms from "./Terms.ts"

const collector = new Terms.Collector()
const collect = (text: string, names: ReadonlyArray<string> = []) => new Set(collector.collect(text, names))

describe("terms", () => {
  it("of a text are those of its parts, in any case", () => {
    const terms = collect("Export const WEIGHTS = 1\r\n\tſtop 搜索代码\n")
    for (const part of ["export", "EXPORT CONST", "ights", "stop", "搜索", "代"]) {
      assert.isTrue(
        Terms.ofPart(part).every((term) => terms.has(term)),
        part
      )
    }
    assert.isFalse(Terms.ofPart("absent").every((term) => terms.has(term)))
  })

  it("do not go over the end of a line, but tell the last two letters of one", () => {
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

  it("tell apart what three letters do not", () => {
    const names = ["register_fixed_factor", "unregister_fixed_rate", "factor_parent", "fixed_parents_factory"]
    const terms = collect(names.join(" "))
    const isThere = (part: string) => Terms.ofPart(part).every((term) => terms.has(term))
    for (const name of names) assert.isTrue(isThere(name))
    const wrong = ["register_fixed_rate_fixed_factor_parents", "factor_parents_factor_parent_fixed_rate"]
    for (const name of wrong) assert.isFalse(isThere(name), name)
  })

  it("of names are their own", () => {
    const terms = collect("", ["CodeIndex"])
    assert.deepStrictEqual([...terms], [Terms.ofName("codeindex")])
    assert.isAtLeast(Terms.ofName("x"), 1 << 24)
    assert.isBelow(Terms.ofName("x"), Terms.count)
  })

  it("are new for every text, however many there were", () => {
    const { size } = collect("abcabcabc")
    for (let at = 0; at < 600; at++) assert.strictEqual(collect("abcabcabc").size, size)
  })

  it.prop("hold for any part of any text", [Schema.String, Schema.String, Schema.String], ([before, part, behind]) => {
    // Half of a pair is no part of a text: with the other half it would become another character.
    if (![before, part, behind].every((text) => text.isWellFormed())) return
    const terms = collect(before + part + behind)
    assert.isTrue(Terms.ofPart(part).every((term) => terms.has(term)))
  })
})
