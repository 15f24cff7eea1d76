import { assert, describe, it } from "@effect/vitest"
import { type CodeQuery, defaultOptions, type Expression, type Filter } from "@tongs/core/query/CodeQuery"
import * as LogMatching from "./LogMatching.ts"
import type { LogContent } from "./LogParser.ts"

const span = { start: 0, length: 0 }
const text = (text: string): Expression => ({ _tag: "Text", text, span })
const regex = (source: string): Expression => ({ _tag: "Regex", source, span })
const filter = (filter: Filter): Expression => ({ _tag: "Filter", filter, span })
const path = (value: string) => filter({ name: "path", value, glob: false })
const not = (not: Expression): Expression => ({ _tag: "Not", not, span })
const and = (...all: ReadonlyArray<Expression>): Expression => ({ _tag: "And", all, span })
const or = (...any: ReadonlyArray<Expression>): Expression => ({ _tag: "Or", any, span })

interface Patch {
  readonly path: string
  readonly hunks: string
}

const sha = "1".repeat(40)

const commit = (message: string, patches: ReadonlyArray<Patch> = [], id = sha, author = "Ann Lee") =>
  `\0${[id, author, "ann@example.org", "1700000000", "Bob", "bob@example.org", "1700000100", message].join("\0")}\n\0\n` +
  (patches.length === 0 ? "" : "\n") +
  patches.map(({ hunks, path }) => `diff --git a/${path} b/${path}\nindex 1..2 100644\n${hunks}`).join("")

const changed = (removed: ReadonlyArray<string>, added: ReadonlyArray<string>, at = 1) =>
  `--- a/x\n+++ b/x\n@@ -${at},${removed.length} +${at},${added.length} @@ f()\n` +
  removed.map((line) => `-${line}\n`).join("") +
  added.map((line) => `+${line}\n`).join("")

interface Options extends Partial<CodeQuery> {
  readonly content?: LogContent
  readonly chunkSize?: number
  readonly dates?: Readonly<Record<string, number>>
}

const match = (
  expression: Expression,
  log: string | Buffer,
  { chunkSize = 1e6, content = "patches", dates = {}, ...query }: Options = {}
) => {
  const logs = LogMatching.makeLogs()
  logs.begin({
    log: 1,
    fullName: "octo/hello",
    content,
    query: { query: { ...defaultOptions, kind: "diff", ...query, expression }, dates }
  })
  const bytes = Buffer.from(log)
  const results = []
  for (let at = 0; at < bytes.length; at += chunkSize) {
    results.push(logs.push({ log: 1, bytes: bytes.subarray(at, at + chunkSize), isLast: false }))
  }
  const before = results.flatMap(({ matches }) => matches).length
  results.push(logs.push({ log: 1, bytes: new Uint8Array(), isLast: true }))
  return {
    matches: results.flatMap(({ matches }) => matches),
    /** Number of matches before the end of the log. */
    before,
    isCut: results.some(({ isCut }) => isCut)
  }
}

const matches = (expression: Expression, log: string, options: Options = {}) =>
  match(expression, log, options).matches.length === 1

describe("a diff", () => {
  const log = commit("Fix a leak\n\nLong text", [
    { path: "src/a.c", hunks: changed(["free(old);"], ["free(new);", "return 1;"], 7) },
    { path: "test/b.c", hunks: changed([], ["check(new);"]) }
  ])

  it("gives the matching lines with their numbers", () => {
    const [hit] = match(text("free"), log).matches
    assert.deepStrictEqual(hit?.files, [
      {
        path: "src/a.c",
        lines: [
          { change: "removed", number: 7, text: "free(old);", matches: [[0, 4]] },
          { change: "added", number: 7, text: "free(new);", matches: [[0, 4]] }
        ]
      }
    ])
    assert.deepStrictEqual(hit?.author, { name: "Ann Lee", email: "ann@example.org", date: "2023-11-14T22:13:20Z" })
    assert.strictEqual(hit?.message, "Fix a leak\n\nLong text")
  })

  it("is the same in chunks of any size", () => {
    const expected = match(text("new"), log).matches
    assert.strictEqual(expected.length, 1)
    for (const chunkSize of [1, 2, 3, 7, 64])
      assert.deepStrictEqual(match(text("new"), log, { chunkSize }).matches, expected)
  })

  it("finds every term in the changed lines of the same commit", () => {
    assert.isTrue(matches(and(text("free"), text("check")), log))
    assert.isFalse(matches(and(text("free"), text("absent")), log))
    assert.isTrue(matches(or(text("absent"), regex("^ret\\w+ \\d;$")), log))
    assert.isFalse(matches(and(text("free"), not(text("check"))), log))
    assert.isFalse(matches(text("index"), log))
    assert.isFalse(matches(text("leak"), log))
  })

  it("restricts the files by path, also within parentheses", () => {
    assert.isTrue(matches(and(text("free"), path("src")), log))
    assert.isFalse(matches(and(text("free"), path("test")), log))
    assert.isFalse(matches(and(text("check"), not(path("test"))), log))
    assert.isTrue(matches(and(text("free"), not(text("check")), path("src")), log))
    assert.isTrue(matches(or(and(text("free"), path("test")), and(text("check"), path("test"))), log))
    assert.isFalse(matches(and(not(text("free")), path("docs")), log))
    assert.isTrue(matches(filter({ name: "extension", value: "c" }), log))
  })

  it("respects case and words", () => {
    assert.isTrue(matches(text("FREE"), log))
    assert.isFalse(matches(text("FREE"), log, { caseSensitive: true }))
    assert.isFalse(matches(text("fre"), log, { wholeWord: true }))
  })

  it("tests the properties of the commit", () => {
    const is = (one: Filter) => matches(and(text("free"), filter(one)), log, { dates: { early: 1, late: 2e9 } })
    assert.isTrue(is({ name: "author", value: "ann lee <ANN@" }))
    assert.isTrue(is({ name: "author", value: "/^ann .*org>$/" }))
    assert.isFalse(is({ name: "author", value: "bob" }))
    assert.isTrue(is({ name: "committer", value: "bob" }))
    assert.isTrue(is({ name: "message", value: "LEAK" }))
    assert.isTrue(is({ name: "after", value: "early" }))
    assert.isFalse(is({ name: "after", value: "late" }))
    assert.isTrue(is({ name: "before", value: "late" }))
    assert.isFalse(is({ name: "repo", value: "octo/other" }))
  })

  it("ends with its last line if git announced the number of lines", () => {
    const [head = "", patches = ""] = log.split("\ndiff --git a/src")
    const counted = `${head}1\t2\tsrc/a.c\n1\t0\ttest/b.c\n\ndiff --git a/src${patches}`
    assert.strictEqual(match(text("free"), counted, { content: "counted patches" }).before, 1)
    assert.strictEqual(match(text("free"), log).before, 0)
  })

  it("cuts long lines around the first match", () => {
    const long = commit("m", [{ path: "a", hunks: changed([], [`${"😀".repeat(2_001)}needle${"x".repeat(2_000)}`]) }])
    const line = match(text("needle"), long).matches[0]?.files[0]?.lines[0]
    assert.isAtMost(line?.text.length ?? 0, 1_001)
    const [start = 0, end = 0] = line?.matches[0] ?? []
    assert.strictEqual(line?.text.slice(start, end), "needle")
    assert.isTrue(line?.text.isWellFormed())
  })

  it("bounds the files of a commit and the lines of a file", () => {
    const patches = Array.from({ length: 80 }, (_, at) => ({
      path: `f${at}`,
      hunks: changed([], Array<string>(40).fill("needle"))
    }))
    const [hit] = match(text("needle"), commit("m", patches)).matches
    assert.strictEqual(hit?.files.length, 50)
    assert.isTrue(hit?.files.every(({ lines }) => lines.length === 20))
  })

  it("reports a commit that is too large to match in full", () => {
    const line = `+${"x".repeat(1_000_000)}\n`
    const hunks = `@@ -0,0 +1,70 @@\n${line.repeat(69)}+needle\n`
    const result = match(text("needle"), commit("m", [{ path: "a", hunks }]))
    assert.deepStrictEqual([result.matches.length, result.isCut], [0, true])
    assert.deepStrictEqual(match(text("xxx"), commit("m", [{ path: "a", hunks }])).isCut, false)
  })
})

describe("changed lines", () => {
  it("can look like anything else in a log", () => {
    const fake = ["diff --git a/fake b/fake", "@@ -1 +1 @@", `\0${sha}\0x`, "-- a/fake", "", "needle\r"]
    const log = commit("m", [{ path: "real", hunks: changed(fake, fake) }]) + commit("next", [], "2".repeat(40))
    const { matches } = match(text("needle"), log)
    assert.deepStrictEqual(
      matches.map(({ files, sha }) => [sha, files.map(({ lines, path }) => [path, lines.length])]),
      [[sha, [["real", 2]]]]
    )
    assert.strictEqual(matches[0]?.files[0]?.lines[0]?.text, "needle")
    assert.strictEqual(match(text("fake"), log).matches[0]?.files[0]?.path, "real")
  })

  it("can have no line feed at the end, or invalid UTF-8", () => {
    const hunks = "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+caf\xe9\n\\ No newline at end of file\n"
    const log = Buffer.concat([
      Buffer.from(commit("m", [{ path: "a", hunks: "" }])),
      Buffer.from(hunks, "latin1"),
      Buffer.from(commit("next", [{ path: "b", hunks: changed([], ["café"]) }]))
    ])
    assert.strictEqual(match(text("café"), log).matches.length, 2)
  })

  it("can be in files with unusual names", () => {
    const names = ['"a/new\\nline" "b/new\\nline"', "a/b/ b/ b/b/ b/", '"a/t\\001\\"\\\\" "b/t\\001\\"\\\\"', "a/ü b/ü"]
    const log = names.map((name) => `diff --git ${name}\n${changed([], ["needle"])}`).join("")
    assert.deepStrictEqual(
      match(text("needle"), `${commit("m")}\n${log}`).matches[0]?.files.map(({ path }) => path),
      ["new\nline", "b/ b/", 't\x01"\\', "ü"]
    )
  })
})

describe("a commit message", () => {
  const options = { kind: "commit", content: "messages" } as const
  const log = commit("Fix a leak\n\nAnd another: leak") + commit("Feature", [], "2".repeat(40), "")

  it("is matched line by line", () => {
    const { before, matches } = match(text("leak"), log, options)
    assert.deepStrictEqual(
      matches.map(({ in_message }) => in_message),
      [
        [
          [6, 10],
          [25, 29]
        ]
      ]
    )
    assert.strictEqual(before, 1)
    assert.strictEqual(match(regex("leak.+another"), log, options).matches.length, 0)
    assert.strictEqual(match(regex("^and"), log, options).matches.length, 1)
    assert.strictEqual(match(not(text("leak")), log, options).matches.length, 1)
  })

  it("can be of a commit without an author or date", () => {
    const broken = `\0${[sha, "", "", "", "", "", "1e400", "text"].join("\0")}\0\n`
    const [hit] = match(text("text"), broken, options).matches
    assert.deepStrictEqual(hit?.author, { name: "", email: "", date: "1970-01-01T00:00:00Z" })
    assert.strictEqual(hit?.seconds, 0)
  })

  it("is matched together with the files of the commit", () => {
    const files = `${commit("Fix")}\nsrc/a.c\n"new\\nline"\n`
    const isMatch = (expression: Expression) => matches(expression, files, { kind: "commit", content: "paths" })
    assert.isTrue(isMatch(and(text("fix"), path("src"))))
    assert.isFalse(isMatch(and(text("fix"), path("docs"))))
    assert.isTrue(isMatch(and(text("fix"), not(path("src")))))
    assert.isTrue(isMatch(filter({ name: "filename", value: "new\nline" })))
    assert.isTrue(isMatch(and(text("fix"), { _tag: "Regex", source: "a\\.c$", place: "path", span })))
  })
})
