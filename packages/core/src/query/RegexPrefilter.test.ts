import { assert, describe, it } from "@effect/vitest"
import type * as Prefilter from "./Prefilter.ts"
import * as RegexPrefilter from "./RegexPrefilter.ts"

/** Prints a prefilter as an expression. */
const print = (prefilter: Prefilter.Prefilter): string => {
  switch (prefilter._tag) {
    case "Anything":
      return "*"
    case "Part":
      return prefilter.text
    case "Name":
      return `@${prefilter.name}`
    case "All":
      return `(${prefilter.all.map(print).join(" & ")})`
    case "Any":
      return `(${prefilter.any.map(print).join(" | ")})`
  }
}

const prefilter = (source: string) => print(RegexPrefilter.make(source))

describe("RegexPrefilter", () => {
  it.each([
    ["kmalloc\\w+\\(sizeof", "(kmalloc & (sizeof)"],
    ["irq.*handler", "(irq & handler)"],
    ["foo|bar", "(foo | bar)"],
    ["(?:foo|bar)baz", "(foobaz | barbaz)"],
    ["(foo|b.r)baz", "((foo | (b & r)) & baz)"],
    ["colou?r", "(colour | color)"],
    ["ab+c", "(a & b & c)"],
    ["ab*c", "(a & c)"],
    ["ab{2,3}c", "(a & b & c)"],
    ["ab{0,3}c", "(a & c)"],
    ["[ab]cd", "(acd | bcd)"],
    ["[^a]cd", "cd"],
    ["[a-z]cd", "cd"],
    ["^\\s*import\\b", "import"],
    ["(?=abc)def", "def"],
    ["(?!abc)def", "def"],
    ["(?<!abc)def(?<name>ghi)", "defghi"],
    ["(?i:ABC)d", "ABCd"],
    ["(a)\\1b", "(a & b)"],
    ["\\u{1F600}\\x41\\u0042\\/", "😀AB/"],
    ["\\ud83d\\ude00x", "x"],
    [".*", "*"],
    ["(?:)", "*"],
    ["a||b", "*"],
    ["(a|)bc", "(abc | bc)"],
    ["[\\]x]y", "y"],
    ["a{2", "a{2"]
  ])("%s requires %s", (source, expected) => {
    assert.strictEqual(prefilter(source), expected)
  })

  it("bounds the size of the prefilter", () => {
    assert.isBelow(prefilter("[abc][abc][abc][abc][abc][abc][abc]").length, 2_000)
    assert.isBelow(prefilter(`(?:${"abcdefgh|".repeat(200)}x)`).length, 20_000)
  })
})
