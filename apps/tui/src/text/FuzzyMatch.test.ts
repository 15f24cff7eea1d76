import { assert, describe, it } from "@effect/vitest"
import * as FuzzyMatch from "./FuzzyMatch.ts"
import * as StyledLine from "./StyledLine.ts"

/** Returns the text with the matched characters in brackets. */
const marked = (pattern: string, text: string) => {
  const found = FuzzyMatch.match(pattern, text)
  if (found === undefined) return undefined
  const line = FuzzyMatch.highlight(StyledLine.line(text), found.positions)
  return line.map((span) => (span.role === "match" ? `[${span.text}]` : span.text)).join("")
}

const ranked = (pattern: string, ...texts: ReadonlyArray<string>) => FuzzyMatch.filter(texts, pattern, (text) => text)

describe("FuzzyMatch.match", () => {
  it("finds characters in order, and nothing otherwise", () => {
    assert.strictEqual(marked("abc", "a-b-c"), "[a]-[b]-[c]")
    assert.isUndefined(marked("abc", "acb"))
    assert.isUndefined(marked("abc", ""))
    assert.isUndefined(marked("aa", "a"))
    assert.deepStrictEqual(FuzzyMatch.match("", "text"), { score: 0, positions: [] })
  })

  it("prefers runs, starts of words and capitals to earlier characters", () => {
    assert.strictEqual(marked("log", "layout of the log"), "layout of the [log]")
    assert.strictEqual(marked("rh", "searches/repositoryHooks"), "searches/[r]epository[H]ooks")
    assert.strictEqual(marked("tui", "test/units/tui.ts"), "test/units/[tui].ts")
    assert.strictEqual(marked("gc", "git_log_git_commits"), "git_log_[g]it_[c]ommits")
    assert.strictEqual(marked("v2", "server v12 v2"), "server v12 [v2]")
  })

  it("matches all words in any order", () => {
    assert.strictEqual(marked("hook create", "create a hook"), "[create] a [hook]")
    assert.isUndefined(marked("hook delete", "create a hook"))
    assert.strictEqual(marked("  hook  ", "hook"), "[hook]")
  })

  it("ignores case unless the word has a capital", () => {
    assert.strictEqual(marked("readme", "README"), "[README]")
    assert.isUndefined(marked("README", "readme"))
    assert.strictEqual(marked("H", "hashHook"), "hash[H]ook")
    assert.strictEqual(marked("straße", "STRAße"), "[STRAße]")
    // The lower case of this capital is longer than the capital.
    assert.strictEqual(marked("x", "İİx"), "İİ[x]")
  })

  it("gives the score of a prefix as the search would", () => {
    const score = (text: string) => FuzzyMatch.match("ab", text)?.score
    assert.strictEqual((score("ab c") ?? 0) - 24, score(" ab c"))
  })

  it("searches only the start of a long text", () => {
    assert.strictEqual(FuzzyMatch.match("b", `${"a".repeat(1023)}b`)?.positions[0], 1023)
    assert.isUndefined(FuzzyMatch.match("b", `${"a".repeat(1024)}b`))
    assert.isUndefined(FuzzyMatch.match("a".repeat(5000), "a".repeat(100)))
  })
})

describe("FuzzyMatch.filterRuns", () => {
  const found = (pattern: string, ...texts: ReadonlyArray<string>) =>
    FuzzyMatch.filterRuns(texts, pattern, (text) => text)

  it("prefers texts that contain the words, in any order", () => {
    assert.deepStrictEqual(found("radio fix", "Fix the radio", "Relay all data in one fix", "radio: fixed"), [
      "Fix the radio",
      "radio: fixed"
    ])
  })

  it("finds abbreviations, but no scattered characters", () => {
    assert.deepStrictEqual(found("frb", "feature/radio-beacon", "from the harbor"), ["feature/radio-beacon"])
    assert.deepStrictEqual(found("lighthouse", "Let it go, they have our own useful seats"), [])
  })
})

describe("FuzzyMatch.filter", () => {
  it("ranks exact texts first, then prefixes, words and scattered characters", () => {
    const best = ["main", "main.ts", "src/main", "domain", "do-mxaxixn"]
    assert.deepStrictEqual(ranked("main", ...best.toReversed()), best)
    assert.deepStrictEqual(ranked("min", "my admin", "mxixn"), ["my admin", "mxixn"])
  })

  it("keeps the order of equal scores, and of all items without a pattern", () => {
    assert.deepStrictEqual(ranked("a", "b a", "c a", "d a"), ["b a", "c a", "d a"])
    assert.deepStrictEqual(ranked(" ", "b", "a"), ["b", "a"])
  })

  it("does not depend on earlier matches", () => {
    const first = FuzzyMatch.match("ts", "packages/core/src/text/Terminal.test.ts")
    FuzzyMatch.match("zzzzzzzz", "z".repeat(1024))
    assert.deepStrictEqual(FuzzyMatch.match("ts", "packages/core/src/text/Terminal.test.ts"), first)
  })
})

describe("FuzzyMatch.highlight", () => {
  it("keeps roles and backgrounds of the rest, across spans", () => {
    const line = StyledLine.withBackground([StyledLine.span("ab", "id"), StyledLine.span("cd")], "selected")
    assert.deepStrictEqual(FuzzyMatch.highlight(line, [1, 2]), [
      { text: "a", role: "id", background: "selected" },
      { text: "b", role: "match", background: "selected" },
      { text: "c", role: "match", background: "selected" },
      { text: "d", role: "plain", background: "selected" }
    ])
  })

  it("does not split a character of several code points", () => {
    assert.strictEqual(marked("👩", "a👩‍👩‍👧b"), "a[👩‍👩‍👧]b")
    assert.strictEqual(marked("e", "e\u0301"), "[e\u0301]")
  })
})
