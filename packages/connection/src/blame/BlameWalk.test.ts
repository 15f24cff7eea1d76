import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Sha, Timestamp } from "@tongs/core/contract/Scalars"
import { onTestFinished } from "vitest"
import * as BlameWalk from "./BlameWalk.ts"

const date = Schema.decodeSync(Timestamp)("2026-01-02T03:04:05Z")

const PATH = "file.txt"

/** Commits the versions, oldest first. Returns the commits. */
const commitAll = (versions: ReadonlyArray<string>) => {
  const folder = mkdtempSync(join(tmpdir(), "tongs-blame-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const git = (args: ReadonlyArray<string>, input = ""): string =>
    execFileSync("git", args, { cwd: folder, input, env: { PATH: process.env["PATH"], HOME: folder } }).toString()
  git(["init", "--quiet", "--bare", "--initial-branch=main"])
  const commits = versions.map(
    (text, at) =>
      `commit refs/heads/main\ncommitter A <a@b.c> ${1_700_000_000 + at} +0000\ndata 1\nx\n` +
      `M 644 inline ${PATH}\ndata ${Buffer.byteLength(text)}\n${text}\n`
  )
  git(["fast-import", "--quiet"], commits.join(""))
  const shas = git(["rev-list", "main"])
    .trim()
    .split("\n")
    .map((sha) => Schema.decodeSync(Sha)(sha))
  return { git, shas }
}

/** The blame of the newest version, as `commit line` for each line: by git, and by this package. */
const bothBlames = (versions: ReadonlyArray<string>) => {
  const { git, shas } = commitAll(versions)
  const expected = git(["blame", "--porcelain", "main", "--", PATH])
    .split("\n")
    .flatMap((line) => /^([0-9a-f]{40}) (\d+) \d+/.exec(line)?.slice(1, 3).join(" ") ?? [])
  let walk: BlameWalk.BlameWalk | undefined
  for (const [at, commit] of shas.entries()) {
    const text = versions[versions.length - 1 - at] ?? ""
    const blamed = { commit, author: "A", date, summary: "x" }
    if (walk === undefined) walk = BlameWalk.make(PATH, blamed, text)
    else BlameWalk.addOlder(walk, blamed, text)
  }
  assert(walk !== undefined)
  BlameWalk.end(walk)
  assert.strictEqual(walk.pending, 0)
  const found = BlameWalk.ranges(walk).flatMap(({ commit, from, line = 0, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => `${commit} ${line + index}`)
  )
  return { expected, found }
}

/** Pseudo-random numbers from 0 to 1, the same in each run. */
const random = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

/** A history of edits. The share `repeats` of the lines comes from three frequent lines; all other lines are unique. */
const history = (seed: number, repeats: number): ReadonlyArray<string> => {
  const next = random(seed)
  let count = 0
  const line = () => (next() < repeats ? ["", "}", "  end"][Math.floor(next() * 3)] : `line ${count++}`) ?? ""
  let lines = Array.from({ length: 60 }, line)
  return Array.from({ length: 25 }, () => {
    for (let edits = 1 + Math.floor(next() * 4); edits > 0; edits--) {
      const at = Math.floor(next() * lines.length)
      const removed = Math.floor(next() * 3)
      const added = Array.from({ length: 1 + Math.floor(next() * 4) }, line)
      lines = lines.toSpliced(at, removed, ...added)
    }
    return `${lines.join("\n")}${next() < 0.8 ? "\n" : ""}`
  })
}

describe("blame from versions", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("equals that of git for history %d", (seed) => {
    const { expected, found } = bothBlames(history(seed, 0))
    assert.isAbove(expected.length, 40)
    assert.deepStrictEqual(found, expected)
  })

  it("equals that of git for added blocks whose lines repeat", () => {
    const block = (name: string) => `function ${name}() {\n  return 1\n}\n\n`
    const versions = ["a", "ab", "acb", "acbd", "cbd", "cebd"].map((names) => Array.from(names, block).join(""))
    const { expected, found } = bothBlames(versions)
    assert.deepStrictEqual(found, expected)
  })

  it("differs from git in few lines where many lines repeat", () => {
    const all = [11, 12, 13, 14].map((seed) => bothBlames(history(seed, 0.4)))
    const lines = all.flatMap(({ expected }) => expected)
    const found = all.flatMap(({ found }) => found)
    assert.strictEqual(found.length, lines.length)
    const different = lines.filter((line, at) => line !== found[at]).length
    assert.isBelow(different / lines.length, 0.05)
  })

  it("gives the line in the commit, and the version before it", () => {
    const commit = (digit: string) => ({
      commit: Schema.decodeSync(Sha)(digit.repeat(40)),
      author: "A",
      date,
      summary: digit
    })
    const walk = BlameWalk.make(PATH, commit("c"), "new\none\ntwo\n")
    assert.deepStrictEqual(BlameWalk.ranges(walk), [])
    BlameWalk.addOlder(walk, commit("b"), "one\ntwo\n")
    assert.strictEqual(walk.pending, 2)
    const previous = { commit: commit("b").commit, path: PATH }
    const added = { from: 1, to: 1, ...commit("c"), path: PATH, line: 1, previous }
    assert.deepStrictEqual(BlameWalk.ranges(walk), [added])
    BlameWalk.end(walk)
    assert.deepStrictEqual(BlameWalk.ranges(walk), [added, { from: 2, to: 3, ...commit("b"), path: PATH, line: 1 }])
  })

  it("has no ranges for an empty file", () => {
    const walk = BlameWalk.make(
      PATH,
      { commit: Schema.decodeSync(Sha)("c".repeat(40)), author: "", date, summary: "" },
      ""
    )
    assert.deepStrictEqual([walk.pending, BlameWalk.ranges(walk)], [0, []])
  })
})
