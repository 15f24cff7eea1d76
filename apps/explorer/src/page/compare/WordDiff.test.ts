import { assert, describe, it } from "@effect/vitest"
import * as WordDiff from "./WordDiff.ts"

const changes = (old: string, next: string) => {
  const found = WordDiff.compare(old, next)
  return [found.old.map(([from, to]) => old.slice(from, to)), found.new.map(([from, to]) => next.slice(from, to))]
}

describe("WordDiff", () => {
  it("marks whole words", () => {
    assert.deepStrictEqual(changes("const a = first(1)", "const a = second(1)"), [["first"], ["second"]])
    assert.deepStrictEqual(changes("f(a)", "f(a, b)"), [[], [", b"]])
    assert.deepStrictEqual(changes("größe = 1", "größe = 2"), [["1"], ["2"]])
  })

  it("joins words with one space between them", () => {
    assert.deepStrictEqual(changes("see the old text here, please", "see the new words here, please"), [
      ["old text"],
      ["new words"]
    ])
  })

  it("marks nothing in lines with little in common, or without a change", () => {
    assert.deepStrictEqual(changes("return value", "}"), [[], []])
    assert.deepStrictEqual(changes("same", "same"), [[], []])
    assert.deepStrictEqual(changes("", ""), [[], []])
  })

  it("finds only the common ends of very long lines", () => {
    const long = (word: string) => `start ${`${word} `.repeat(2_000)}end`
    assert.deepStrictEqual(changes(`${"x".repeat(9_000)} ${long("a")}`, `${"x".repeat(9_000)} ${long("b")}`), [
      [`${"a ".repeat(1_999)}a`],
      [`${"b ".repeat(1_999)}b`]
    ])
  })
})
