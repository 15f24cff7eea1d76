/** The page and the terminal mark the same words of the same commits. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { changedWords } from "../../apps/explorer/src/page/compare/ChangedWords.ts"
import * as DiffRows from "../../apps/explorer/src/page/compare/DiffRows.ts"
import * as Patch from "../../apps/explorer/src/page/compare/Patch.ts"
import * as Diff from "../../apps/tui/src/text/Diff.ts"
import * as DiffPatch from "../../apps/tui/src/text/DiffPatch.ts"

const COMMITS = 100

const folder = mkdtempSync(join(tmpdir(), "tongs-words-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-c", "user.name=Mona", "-c", "user.email=mona@example.com", ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    maxBuffer: 1 << 28
  })

/** Returns numbers below `limit`, the same in each run. */
const random = (() => {
  let state = 20_261_124
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
})()

const words = [
  "const",
  "read",
  "(file)",
  "=",
  "größe",
  "広い名前",
  "👩‍👩‍👧",
  "e\u0301",
  "a_b",
  "\t",
  "  ",
  "{",
  "}",
  "10",
  "ahoy"
]
const word = () => words[random(words.length)] ?? ""
const line = (): string => {
  const length = random(40) === 0 ? 100 + random(2_000) : random(12)
  return Array.from({ length }, word).join(random(4) === 0 ? "" : " ")
}

/** Changes a line: words, white space, the end, or everything. */
const edited = (text: string): string => {
  const parts = text.split(" ")
  switch (random(6)) {
    case 0:
      return `  ${text}`
    case 1:
      return `${text} `
    case 2:
      return text.endsWith("\r") ? text.slice(0, -1) : `${text}\r`
    case 3:
      return line()
    default:
      return parts.with(random(parts.length), word()).join(" ")
  }
}

/** Changes, removes and adds lines; sometimes a run that is too long to compare. */
const next = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const from = random(lines.length + 1)
  const run = random(25) === 0 ? 1_200 : 1 + random(8)
  const changed = lines.slice(from, from + run).flatMap((text) => {
    const kind = random(8)
    return kind === 0 ? [] : kind === 1 ? [edited(text), line()] : [edited(text)]
  })
  const added = Array.from({ length: random(25) === 0 ? 600 : random(4) }, line)
  return [...lines.slice(0, from), ...changed, ...added, ...lines.slice(from + run)]
}

/** Commits changes of four files, with renames. Returns the patch of each file of each commit. */
const history = (): ReadonlyArray<string> => {
  git("init", "-q")
  const names = ["a.ts", "b.c", "c.md", "d.txt"]
  const texts = names.map((): ReadonlyArray<string> => Array.from({ length: 60 }, line))
  for (let commit = 0; commit < COMMITS; commit++) {
    for (const [index, name] of names.entries()) {
      if (commit > 0 && random(2) === 0) continue
      texts[index] = commit === 0 ? (texts[index] ?? []) : next(texts[index] ?? [])
      if (commit > 0 && random(10) === 0) {
        names[index] = `${commit}-${name}`
        renameSync(join(folder, name), join(folder, `${commit}-${name}`))
      }
      writeFileSync(join(folder, names[index] ?? ""), texts[index].join("\n") + (random(3) === 0 ? "" : "\n"))
    }
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", `Change ${commit}`)
  }
  return git("log", "-p", "-M", "--format=")
    .split(/^diff --git .*$/m)
    .flatMap((file) => {
      const start = file.indexOf("\n@@")
      return start === -1 ? [] : [file.slice(start + 1)]
    })
}

/** The marks of each changed line: side, number, text without a carriage return, ranges. */
type Marks = ReadonlyArray<readonly [string, number | undefined, string, ReadonlyArray<readonly [number, number]>]>

const withoutReturn = (text: string) => text.replace(/\r$/, "")

const inTerminal = (patch: string): Marks => {
  const diff = Diff.make(DiffPatch.parse(patch))
  return Array.from({ length: diff.length }, (_, index) => diff.detailsAt(index))
    .filter(({ kind }) => kind === "added" || kind === "removed")
    .map(({ changes, kind, newNumber, oldNumber, text }) => [
      kind,
      kind === "added" ? newNumber : oldNumber,
      withoutReturn(text),
      changes.map(({ end, start }) => [start, end])
    ])
}

const inPage = (patch: string): Marks => {
  const { blocks, parts } = DiffRows.make(Patch.parse(patch), "unified")
  return parts
    .flatMap((part) => (part._tag === "Chunk" ? part.rows : []))
    .flatMap(({ left, right }) => {
      const line = left ?? right
      if (line === undefined || line.kind === "context") return []
      const block = blocks.get(line)
      const ranges = block === undefined ? [] : changedWords(line, block)
      return [[line.kind, line.kind === "added" ? line.new : line.old, withoutReturn(line.text), ranges] as const]
    })
}

it(`marks the words of ${COMMITS} commits alike in the page and in the terminal`, () => {
  const patches = history()
  expect(patches.length).toBeGreaterThan(COMMITS)
  let marked = 0
  for (const patch of patches) {
    const marks = inTerminal(patch)
    expect(inPage(patch)).toEqual(marks)
    marked += marks.filter(([, , , ranges]) => ranges.length > 0).length
  }
  expect(marked).toBeGreaterThan(500)
})
