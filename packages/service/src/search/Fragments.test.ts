import { assert, describe, it } from "@effect/vitest"
import * as Fragments from "./Fragments.ts"

describe("fragments", () => {
  const places = (text: string, words: ReadonlyArray<string>) =>
    words.length === 0
      ? []
      : [...text.matchAll(new RegExp(words.map((word) => RegExp.escape(word)).join("|"), "giu"))].map(
          (match) => [match.index, match.index + match[0].length] as const
        )

  const holds = (text: string, words: ReadonlyArray<string>) => {
    const fragments = Fragments.make(text, places(text, words))
    for (const { fragment, matches } of fragments) {
      assert.include(text, fragment)
      for (const { indices, text } of matches) assert.strictEqual(fragment.slice(...indices), text)
    }
    return fragments
  }

  it("give whole lines with the indices of the matches", () => {
    const [only] = holds("before\nsay Hello, hello\nafter", ["hello"])
    assert.strictEqual(only?.fragment, "say Hello, hello")
    assert.deepStrictEqual(
      only?.matches.map(({ text }) => text),
      ["Hello", "hello"]
    )
  })

  it("prefer whole words, in the order of the text", () => {
    const fragments = holds("parsed\n1\n2\nreparse\n3\n4\nparse\n5\n6\n(parse)\n", ["parse"])
    assert.deepStrictEqual(
      fragments.map(({ fragment }) => fragment),
      ["parse", "(parse)"]
    )
  })

  it("exclude line endings and do not split surrogate pairs", () => {
    assert.strictEqual(holds("a\r\n\tneedle 𝒳\r\n", ["needle"])[0]?.fragment, "\tneedle 𝒳")
    for (const before of ["", "x", "xx"]) {
      const [only] = holds(`${before}${"😀".repeat(100)}needle${"😀".repeat(100)}`, ["needle"])
      assert.isTrue(only?.fragment.isWellFormed())
    }
  })

  it("limit the number of fragments and matches, and the length of a line", () => {
    assert.lengthOf(holds("x\n".repeat(100), ["x"]), 2)
    const [only] = holds(`${"a".repeat(10_000)}needle${"b".repeat(10_000)}`, ["needle"])
    assert.isBelow(only?.fragment.length ?? Infinity, 200)
    assert.isAtMost(holds("y".repeat(1000), ["y"])[0]?.matches.length ?? Infinity, 20)
  })

  it("are empty without matches", () => {
    assert.deepStrictEqual(holds("text", []), [])
    assert.deepStrictEqual(holds("", ["a"]), [])
  })
})
