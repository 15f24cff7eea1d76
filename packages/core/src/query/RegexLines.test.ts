import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as CodeQueryParser from "./CodeQueryParser.ts"
import * as RegexLines from "./RegexLines.ts"

describe("RegexLines", () => {
  it.each([
    "static int\\n",
    "a\\nb",
    "\\n",
    "(a|b)\\n+c",
    "a\\n|b\\n",
    "\\s*\\n\\s*",
    "\\u000a",
    "a\\x0A",
    "(\\n){2}",
    "a[\\n]b"
  ])("%s needs a line feed", (source) => {
    assert.isTrue(RegexLines.needsLineFeed(source))
  })

  it.each(["[^\\n]", "(\\n)?", "a\\n*b", "a\\n{0}", "a|b\\n", "a\\\\n", "(?!\\n)a", "[\\r\\n]", "a\\s+b", "\\r"])(
    "%s can match within a line",
    (source) => {
      assert.isFalse(RegexLines.needsLineFeed(source))
    }
  )

  it("splits an expression into its lines", () => {
    assert.deepStrictEqual(RegexLines.split("static int\\n"), ["static int$"])
    assert.deepStrictEqual(RegexLines.split("a\\\\\\n^b$\\n\\nc"), ["a\\\\$", "^b$", "^c"])
    assert.deepStrictEqual(RegexLines.split("(a\\nb)"), ["(ab)"])
    assert.deepStrictEqual(RegexLines.split("a\\n|b\\n"), ["a|b"])
    assert.isUndefined(RegexLines.split("\\n"))
  })

  it("rejects such an expression with a valid query", () => {
    const [problem] = Result.match(CodeQueryParser.parse("x -/static int\\nf/"), {
      onFailure: (all) => all,
      onSuccess: () => []
    })
    assert.deepStrictEqual(problem, {
      start: 2,
      length: 16,
      message: "A regular expression matches within one line. Remove \\n: write (/static int$/ /^f/).",
      replacement: "-(/static int$/ /^f/)"
    })
    assert.isTrue(Result.isSuccess(CodeQueryParser.parse("x -(/static int$/ /^f/) /[^\\n]/ /(\\n)?y/")))
  })
})
