import { assert, describe, it } from "@effect/vitest"
import * as Fragments from "./Fragments.ts"

describe("fragments", () => {
  const holds = (text: string, words: ReadonlyArray<string>) => {
    const fragments = Fragments.make(text, words)
    for (const { fragment, matches } of fragments) {
      assert.include(text, fragment)
      for (const { indices, text } of matches) assert.strictEqual(fragment.slice(...indices), text)
    }
    return fragments
  }

  it("are whole lines around the matches, whose indices lead to them", () => {
    const [only] = holds("before\nsay Hello, hello\nafter", ["hello"])
    assert.strictEqual(only?.fragment, "say Hello, hello")
    assert.deepStrictEqual(
      only?.matches.map(({ text }) => text),
      ["Hello", "hello"]
    )
  })

  it("take the longest of words that overlap, and words for themselves, not as patterns", () => {
    const [only] = holds("parser.ts or parserXts", ["parser", "parser.ts"])
    assert.deepStrictEqual(
      only?.matches.map(({ text }) => text),
      ["parser.ts", "parser"]
    )
  })

  it("are bounded: in number, and on lines without end", () => {
    assert.lengthOf(holds("x\n".repeat(100), ["x"]), 2)
    const [only] = holds(`${"a".repeat(10_000)}needle${"b".repeat(10_000)}`, ["needle"])
    assert.isBelow(only?.fragment.length ?? Infinity, 200)
    assert.isAtMost(holds("y".repeat(1000), ["y"])[0]?.matches.length ?? Infinity, 20)
  })

  it("of nothing are none", () => {
    assert.deepStrictEqual(holds("text", []), [])
    assert.deepStrictEqual(holds("text", [""]), [])
    assert.deepStrictEqual(holds("", ["a"]), [])
  })
})
