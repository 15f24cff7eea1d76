import { assert, describe, it } from "@effect/vitest"
import * as Terminal from "@tongs/core/text/Terminal"
import * as SearchResult from "./SearchResult.ts"

const style = (name: string) => (text: string) => (text === "" ? "" : `<${name}>${text}</${name}>`)
const paint = { bold: style("b"), dim: style("d"), match: style("m"), good: style("g"), bad: style("e") }
const bare = { bold: String, dim: String, match: String, good: String, bad: String }

const line = (text: string, match: string, number?: number, isCut = false): SearchResult.Line => {
  const start = text.indexOf(match)
  return { number, text, matches: [[start, start + match.length]], isCut }
}

describe("forPeople", () => {
  it("shows a file with its first line's number, its lines, and how many more there are", () => {
    const file = { name: "o/r:a\u202e.ts", lines: [line("\tx = 1", "x", 9), line("y(x)", "x", 10)], matches: 5 }
    assert.deepStrictEqual(SearchResult.forPeople(file, paint, 40), [
      "<b>o/r:a<U+202E>.ts:9</b>",
      "<d>   9  </d>    <m>x</m> = 1",
      "<d>  10  </d>y(<m>x</m>)",
      "<d>  and 3 more matches</d>"
    ])
  })

  it("keeps to the terminal, with the match in it, whatever the characters", () => {
    for (const text of [
      `${"世".repeat(99)}needle${"界".repeat(99)}`,
      `\t${"x".repeat(300)}needle`,
      `needle${"y".repeat(99)}`
    ]) {
      const [, shown = ""] = SearchResult.forPeople({ name: "a", lines: [line(text, "needle", 1)] }, bare, 60)
      assert.isAtMost(Terminal.width(shown), 60)
      assert.include(shown, "needle")
      assert.include(shown, "…")
    }
  })
})

describe("forPrograms", () => {
  it("gives a record a line, of any length", () => {
    const long = `${"x".repeat(500)}\u0007needle`
    assert.deepStrictEqual(SearchResult.forPrograms({ name: "o/r:a", lines: [line(long, "needle", 7)] }, bare), [
      `o/r:a:7:${"x".repeat(500)}␇needle`
    ])
    assert.deepStrictEqual(SearchResult.forPrograms({ name: "o/r:a", lines: [line("a b", "b", undefined)] }, paint), [
      "o/r:a:a <m>b</m>"
    ])
    assert.deepStrictEqual(SearchResult.forPrograms({ name: "o/r:a\n", lines: [] }, bare), ["o/r:a␊"])
  })
})

describe("count", () => {
  it("says how much there is, and why there may be more", () => {
    const files = [{ name: "a", lines: [] }]
    assert.strictEqual(SearchResult.count({ files, total: 1, matches: 1, incomplete: [] }), "1 file, 1 match")
    assert.strictEqual(SearchResult.count({ files, total: 1234, incomplete: ["why"] }), "1,234 files, 1 shown; why")
  })
})
