import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as GrepArguments from "./GrepArguments.ts"
import * as GrepCommandLine from "./GrepCommandLine.ts"
import * as GrepFlags from "./GrepFlags.ts"
import * as GrepOptions from "./GrepOptions.ts"

const options = (...args: ReadonlyArray<string>) => {
  const parsed = Result.getOrThrow(GrepArguments.parse(args))
  assert(parsed._tag === "Search")
  return parsed.options
}

const problem = (...args: ReadonlyArray<string>) => {
  const parsed = GrepArguments.parse(args)
  return Result.isFailure(parsed) ? parsed.failure.message : "valid"
}

describe("GrepArguments", () => {
  it("reads clusters, attached values and repeated flags", () => {
    const { after, before, caseMode, lineNumber, maxCount, mode, paths, patterns } = options(
      ..."-inc -A3 -B=2 -m 5 -ea -e b --context=4 -A1 src -- -x".split(" ")
    )
    assert.deepStrictEqual([caseMode, lineNumber, mode, maxCount], ["insensitive", true, "count", 5])
    assert.deepStrictEqual([before, after], [4, 1])
    assert.deepStrictEqual(
      [patterns, paths],
      [
        ["a", "b"],
        ["src", "-x"]
      ]
    )
    assert.deepStrictEqual(options("--", "-v").patterns, ["-v"])
  })

  it("counts -u, and reads the flags that select a forge", () => {
    assert.deepInclude(options("-u", "x"), { noIgnore: true, hidden: false })
    assert.deepInclude(options("-uu", "x"), { noIgnore: true, hidden: true })
    const { forge, patterns } = options("--repos", "a", "--data=b", "x", "--repos", "c")
    assert.deepStrictEqual([forge.repos, forge.values, patterns], [["a", "c"], { data: "b" }, ["x"]])
  })

  it("refuses unknown, unsupported and incomplete flags with what to do", () => {
    assert.strictEqual(problem("--zork", "x"), "Unknown flag --zork.\nRun `tongs grep --help` for the flags.")
    assert.strictEqual(problem("--max-depth", "2", "x"), "--max-depth is not supported.\nName the folders as PATH.")
    assert.strictEqual(problem("--match", "x"), "Unknown flag --match.\nDid you mean --files-with-matches?")
    assert.include(problem("-v", "x"), "-v is not supported.\n")
    assert.include(problem("--pcre2", "x"), "tongs search")
    assert.include(problem("-A", "x"), 'Invalid value for -A: "x"')
    assert.include(problem("-A"), "-A needs a value")
    assert.include(problem("--count=3", "x"), "--count has no value")
    assert.include(problem("-C", "1001", "x"), "up to 1000")
    assert.include(problem("--json", "-l", "x"), "cannot be combined")
    assert.include(problem(), "No pattern")
  })

  it("applies every flag of the list", () => {
    const values: Readonly<Record<string, string>> = { N: "7", WHEN: "always", ORDER: "path" }
    for (const { name, value } of GrepFlags.flags as ReadonlyArray<GrepFlags.GrepFlag>) {
      if (["type-list", "case-sensitive", "no-hidden"].includes(name)) continue
      const changed = options("--" + name, ...(value === undefined ? [] : [values[value] ?? "v"]), "-e", "x")
      const usual = { ...GrepOptions.initial(), patterns: ["x"], paths: [] }
      assert.notDeepEqual({ ...changed }, usual, name)
    }
  })

  it("finds the command behind global flags", () => {
    assert.deepStrictEqual(GrepCommandLine.locate(["--data", "grep", "--no-color", "grep", "x"]), [
      "--data",
      "grep",
      "--no-color",
      "x"
    ])
    assert.deepStrictEqual(GrepCommandLine.locate(["--json", "--color", "--log-level=info", "grep", "x"]), [
      "--json",
      "--color=always",
      "--log-level=info",
      "x"
    ])
    assert.isUndefined(GrepCommandLine.locate(["search", "grep"]))
    assert.isUndefined(GrepCommandLine.locate([]))
    assert.isTrue(GrepCommandLine.wantsHelp(["-h"]))
    assert.isFalse(GrepCommandLine.wantsHelp(["--", "-h"]))
  })
})
