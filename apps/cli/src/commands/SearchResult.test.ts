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

describe("formatForTerminal", () => {
  it("shows a file with its first line number, its lines, and the number of further matches", () => {
    const file = { name: "o/r:a\u202e.ts", lines: [line("\tx = 1", "x", 9), line("y(x)", "x", 10)], matches: 5 }
    assert.deepStrictEqual(SearchResult.formatForTerminal(file, paint, 40), [
      "<b>o/r:a<U+202E>.ts:9</b>",
      "<d>   9  </d>    <m>x</m> = 1",
      "<d>  10  </d>y(<m>x</m>)",
      "<d>  and 3 more matches</d>"
    ])
  })

  it("fits any characters into the terminal, and keeps the match visible", () => {
    for (const text of [
      `${"世".repeat(99)}needle${"界".repeat(99)}`,
      `\t${"x".repeat(300)}needle`,
      `needle${"y".repeat(99)}`
    ]) {
      const [, shown = ""] = SearchResult.formatForTerminal({ name: "a", lines: [line(text, "needle", 1)] }, bare, 60)
      assert.isAtMost(Terminal.width(shown), 60)
      assert.include(shown, "needle")
      assert.include(shown, "…")
    }
  })
})

describe("formatForPipe", () => {
  it("prints one record per line, of any length", () => {
    const long = `${"x".repeat(500)}\u0007needle`
    assert.deepStrictEqual(SearchResult.formatForPipe({ name: "o/r:a", lines: [line(long, "needle", 7)] }, bare), [
      `o/r:a:7:${"x".repeat(500)}␇needle`
    ])
    assert.deepStrictEqual(SearchResult.formatForPipe({ name: "o/r:a", lines: [line("a b", "b", undefined)] }, paint), [
      "o/r:a:a <m>b</m>"
    ])
    assert.deepStrictEqual(SearchResult.formatForPipe({ name: "o/r:a\n", lines: [] }, bare), ["o/r:a␊"])
  })
})

describe("formatCount", () => {
  it("names the numbers of files and matches, and the reasons for missing results", () => {
    const files = [{ name: "a", lines: [] }]
    assert.strictEqual(SearchResult.formatCount({ files, total: 1, matches: 1, incomplete: [] }), "1 file, 1 match")
    assert.strictEqual(
      SearchResult.formatCount({ files, total: 1234, incomplete: ["why"] }),
      "1,234 files, 1 shown; why"
    )
  })
})
