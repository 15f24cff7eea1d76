/** An independent model of the lines of a pull request: reads `git diff` line by line, with all its context. */
import { git } from "../git/Fixture.test-support.ts"

/** A line of a diff of one file. */
export interface ModelLine {
  readonly sign: string
  readonly old: number
  readonly new: number
  /** Number of lines below the first header. */
  readonly position: number
}

export interface ModelFile {
  readonly before: string | undefined
  readonly after: string | undefined
  readonly lines: ReadonlyArray<ModelLine>
}

/** Reads the differences between two commits, with `context` unchanged lines. */
export const diff = (path: string, from: string, to: string, context: number): ReadonlyArray<ModelFile> => {
  const args = ["-c", "core.quotePath=false", "diff", "-M", `-U${context}`, "--no-prefix", from, to]
  const files: Array<{ before: string | undefined; after: string | undefined; lines: Array<ModelLine> }> = []
  const name = (text: string) => (text === "/dev/null" ? undefined : text.replace(/\t$/, ""))
  let [old, next, position, oldLeft, newLeft] = [0, 0, -1, 0, 0]
  for (const text of git(path, args).split("\n")) {
    const file = files.at(-1)
    if (oldLeft > 0 || newLeft > 0 || text.startsWith("\\")) {
      position++
      const sign = text[0] ?? " "
      if (sign === "\\") continue
      file?.lines.push({ sign, old, new: next, position })
      if (sign !== "+") [old, oldLeft] = [old + 1, oldLeft - 1]
      if (sign !== "-") [next, newLeft] = [next + 1, newLeft - 1]
    } else if (text.startsWith("diff --git ")) {
      files.push({ before: undefined, after: undefined, lines: [] })
      position = -1
    } else if (text.startsWith("@@ ")) {
      position++
      const [oldStart = 0, oldCount = 1, newStart = 0, newCount = 1] =
        /-(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?/
          .exec(text)
          ?.slice(1)
          .map((digits) => (digits === undefined ? undefined : Number(digits))) ?? []
      ;[old, oldLeft, next, newLeft] = [oldStart, oldCount, newStart, newCount]
    } else if (file !== undefined) {
      if (text.startsWith("--- ")) file.before = name(text.slice(4))
      else if (text.startsWith("+++ ")) file.after = name(text.slice(4))
      else if (text.startsWith("rename from ")) file.before = text.slice(12)
      else if (text.startsWith("rename to ")) file.after = text.slice(10)
    }
  }
  return files
}

/** The differences with all lines, to follow lines. */
export const wholeDiff = (path: string, from: string, to: string) => diff(path, from, to, 1_000_000)

/** Where a line of a file is after the differences. */
export const follow = (files: ReadonlyArray<ModelFile>, path: string, line: number) => {
  const file = files.find(({ before }) => before === path)
  if (file === undefined) return { path, line }
  const found = file.lines.find((one) => one.sign === " " && one.old === line)
  if (file.lines.length === 0 && file.after !== undefined) return { path: file.after, line }
  return found === undefined || file.after === undefined ? undefined : { path: file.after, line: found.new }
}
