/** The changes to files as the lines of a document: a list of the files, then the diff of each. */
import * as Terminal from "@tongs/core/text/Terminal"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { FileChange } from "@tongs/core/contract/groups/Commits"
import * as Identifier from "@tongs/syntax/Identifier"
import type { SyntaxHighlighter } from "@tongs/syntax/SyntaxHighlighter"
import type { LineNames } from "../../content/CodeFile.ts"
import type { DocumentLine, Layout, LineAtTime, Section } from "../../content/Document.ts"
import type { Route } from "../../content/Route.ts"
import * as Diff from "../../text/Diff.ts"
import * as PatchLines from "@tongs/core/text/PatchLines"
import * as DiffPatch from "../../text/DiffPatch.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line, Role } from "../../text/StyledLine.ts"
import * as ChangeCounts from "./ChangeCounts.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

/** The changed files of a commit or comparison. */
export interface FileDiffs {
  readonly files: ReadonlyArray<FileChange>
  /** The revision of added and unchanged lines. */
  readonly head: RevisionArguments.Revision
  /** The commit with the text of added and unchanged lines, if `head` is the work tree. */
  readonly snapshot?: string | undefined
  /** The revision of removed lines; undefined for the first commit. */
  readonly base: RevisionArguments.Revision | undefined
  /** Returns the route of the same document at a file. */
  readonly fileRoute: (path: string) => Route
  /** Returns the highlighter of a file; undefined until the grammar is loaded. */
  readonly highlighterOf: (path: string) => SyntaxHighlighter | undefined
  /** A sentence about missing files. */
  readonly note?: string | undefined
}

/** Lines of a file besides the diff: an empty line and the name. */
const HEAD_LINES = 2

/** Parsed diffs by file: each diff is parsed only once for all widths, and once more after a grammar has loaded. */
const diffs = new WeakMap<FileChange, { patch: DiffPatch.DiffPatch; highlighter: unknown; diff: Diff.Diff }>()

const diffOf = (file: FileChange, highlighter: SyntaxHighlighter | undefined): Diff.Diff => {
  const known = diffs.get(file)
  if (known !== undefined && known.highlighter === highlighter) return known.diff
  const patch = known?.patch ?? DiffPatch.parse(file.patch ?? "")
  const diff = Diff.make(patch, highlighter)
  diffs.set(file, { patch, highlighter, diff })
  return diff
}

/**
 * Creates the layout of the lines `head`, the list of files and the diffs. Formats the lines of a diff only for
 * display. Starts at the file with the path `path`.
 */
export const layout = (
  self: FileDiffs,
  head: ReadonlyArray<DocumentLine | LineAtTime>,
  columns: number,
  path?: string
): Layout => {
  const { files } = self
  const before: ReadonlyArray<DocumentLine | LineAtTime> = [...head, ...fileList(self, columns)]
  const starts = [before.length]
  for (const file of files) starts.push((starts.at(-1) ?? 0) + HEAD_LINES + bodyLength(file))
  const fileAt = (line: number): number => {
    let low = 0
    for (let high = files.length; high - low > 1;) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= line) low = middle
      else high = middle
    }
    return low
  }
  const firstLine = (index: number) => (starts[index] ?? 0) + 1
  const sections = files.map((file, index): Section => ({
    firstLine: firstLine(index),
    title: file.filename,
    label: sectionLabel(file, 30),
    labelAt: (columns) => sectionLabel(file, columns)
  }))
  const start = path === undefined ? -1 : files.findIndex(({ filename }) => filename === path)
  const inFile = <A>(line: number, of: (file: FileChange, offset: number) => A): A | undefined => {
    const index = fileAt(line)
    const file = files[index]
    return file === undefined ? undefined : of(file, line - (starts[index] ?? 0))
  }
  return {
    length: starts.at(-1) ?? before.length,
    sections,
    initialLine: start < 0 ? 0 : firstLine(start),
    textAt: (index) => {
      const line = before[index]
      if (line !== undefined) return StyledLine.text((typeof line === "function" ? line(0) : line).line)
      return (
        inFile(index, (file, offset) => {
          if (offset < HEAD_LINES) return offset === 0 ? "" : file.filename
          return file.patch === undefined
            ? ""
            : diffOf(file, highlighterIn(self, file)).detailsAt(offset - HEAD_LINES).text
        }) ?? ""
      )
    },
    lineAt: (index, now) => {
      const line = before[index]
      if (line !== undefined) return typeof line === "function" ? line(now) : line
      return inFile(index, (file, offset) => fileLine(self, file, offset, columns)) ?? blank
    }
  }
}

const blank: DocumentLine = { line: StyledLine.empty }

const highlighterIn = (self: FileDiffs, file: FileChange) => self.highlighterOf(file.filename)

const bodyLength = ({ patch }: FileChange): number => (patch === undefined ? 1 : PatchLines.count(patch))

const fileLine = (self: FileDiffs, file: FileChange, offset: number, columns: number): DocumentLine => {
  if (offset === 0) return blank
  const target = { title: file.filename, arguments: { path: file.filename } }
  if (offset === 1)
    return { ...target, line: fileHead(file, columns), route: fileRoute(self, file), copy: file.filename }
  if (file.patch === undefined)
    return { ...target, line: StyledLine.line(missingPatch(file), "muted"), route: fileRoute(self, file) }
  const index = offset - HEAD_LINES
  const diff = diffOf(file, highlighterIn(self, file))
  const { background, gutter, line } = diff.rowAt(index, columns)
  const { text } = diff.detailsAt(index)
  return {
    line,
    gutter,
    background,
    copy: text,
    route: lineRoute(self, file, diff, index),
    title: `${file.filename}:${diff.numbersAt(index).newNumber ?? diff.numbersAt(index).oldNumber ?? index}`,
    // The position in a diff counts from the line below the first hunk header.
    arguments: { path: file.filename, position: Math.max(1, index) },
    names: lineNames(self, file, diff, index, columns)
  }
}

/** Returns the names of a line: of the old revision if the line was removed, otherwise of the new one. */
const lineNames = (
  { base, head, snapshot }: FileDiffs,
  file: FileChange,
  diff: Diff.Diff,
  index: number,
  columns: number
): LineNames | undefined => {
  const { newNumber, oldNumber } = diff.numbersAt(index)
  const line = newNumber ?? oldNumber
  const shown = newNumber === undefined ? base : head
  if (line === undefined || shown === undefined) return undefined
  const path = newNumber === undefined ? (file.previous_filename ?? file.filename) : file.filename
  const ref = newNumber === undefined ? shown.ref : (snapshot ?? shown.ref)
  return {
    text: { owner: shown.owner, repo: shown.repo, path, ref },
    shown: { ...shown, ref: shown.ref },
    line,
    names: () => (Identifier.isProse(path) ? [] : diff.namesAt(index)),
    lineWith: (marked) => diff.rowAt(index, columns, marked).line
  }
}

/** Returns the route of a changed file at the new revision, or at the old revision if the file was removed. */
const fileRoute = (self: FileDiffs, file: FileChange): Route | undefined =>
  file.status === "removed" ? oldFile(self, file) : RevisionArguments.content(self.head, file.filename)

const oldFile = ({ base }: FileDiffs, file: FileChange, line?: number): Route | undefined =>
  base === undefined
    ? undefined
    : RevisionArguments.content(base, file.previous_filename ?? file.filename, line === undefined ? {} : { line })

/** Returns the route from a line of a diff to the line of the file. A hunk header and a note open the next line. */
const lineRoute = (self: FileDiffs, file: FileChange, diff: Diff.Diff, index: number): Route | undefined => {
  const numbers = diff.numbersAt(index)
  const { newNumber, oldNumber } =
    numbers.newNumber === undefined && numbers.oldNumber === undefined && index + 1 < diff.length
      ? diff.numbersAt(index + 1)
      : numbers
  if (newNumber !== undefined && file.status !== "removed")
    return RevisionArguments.content(self.head, file.filename, { line: newNumber })
  return oldNumber === undefined ? fileRoute(self, file) : oldFile(self, file, oldNumber)
}

const missingPatch = (file: FileChange): string => {
  if (file.status === "renamed" && file.changes === 0) return "Renamed without changes"
  if (file.status === "copied" && file.changes === 0) return "Copied without changes"
  if (file.changes === 0) return "No text changed: a binary file, an empty file, or another mode"
  return `No diff of ${NumberFormat.quantity(file.changes, "line")}: it is too large for the API`
}

const signs: Readonly<Record<string, readonly [sign: string, role: Role]>> = {
  added: ["A", "added"],
  removed: ["D", "removed"],
  renamed: ["R", "accent"],
  copied: ["C", "accent"],
  modified: ["M", "warning"]
}

/** Returns the letter of a status, as in `git status`, and its role. */
export const signOf = ({ status }: Pick<FileChange, "status">) => signs[status] ?? (["M", "warning"] as const) // a pair

const nameOf = ({ filename, previous_filename: previous }: FileChange) =>
  previous === undefined ? filename : `${previous} → ${filename}`

/** The line above a diff: the status, name and counts of the file, and a rule. */
const fileHead = (file: FileChange, columns: number): Line => {
  const [sign, role] = signOf(file)
  const counts = ChangeCounts.line(file.additions, file.deletions)
  const name = [StyledLine.span(nameOf(file), "title")]
  const room = Math.max(8, columns - StyledLine.width(counts) - 8)
  const shown = StyledLine.width(name) > room ? StyledLine.fitFromEnd(name, room) : name
  const head: Line = [
    StyledLine.span(`${sign} `, role),
    ...shown,
    StyledLine.span("  "),
    ...counts,
    StyledLine.span(" ")
  ]
  return [...head, StyledLine.span("─".repeat(Math.max(0, columns - StyledLine.width(head))), "muted")]
}

const sectionLabel = (file: FileChange, columns: number): Line => {
  const [sign, role] = signOf(file)
  const counts = ChangeCounts.line(file.additions, file.deletions)
  const room = Math.max(1, columns - StyledLine.width(counts) - 3)
  return [
    StyledLine.span(`${sign} `, role),
    ...StyledLine.fitFromEnd(StyledLine.line(file.filename), room),
    StyledLine.span(" "),
    ...counts
  ]
}

/** Maximum width of the name of a file in the list of files. */
const MAX_NAME_WIDTH = 72

/** Creates the list of files with a bar for each. Enter opens the same document at the file. */
const fileList = (self: FileDiffs, columns: number): ReadonlyArray<DocumentLine | LineAtTime> => {
  const { files, note } = self
  const notes = note === undefined ? [] : [{ line: StyledLine.line(note, "warning") }]
  if (files.length < 2) return notes
  const largest = files.reduce((most, { additions, deletions }) => Math.max(most, additions + deletions), 0)
  const numbers = files.reduce(
    (most, file) => Math.max(most, StyledLine.width(ChangeCounts.line(file.additions, file.deletions))),
    0
  )
  const longest = files.reduce((most, file) => Math.max(most, Terminal.width(Terminal.escape(nameOf(file)))), 0)
  const width = Math.max(8, Math.min(longest, MAX_NAME_WIDTH, columns - numbers - ChangeCounts.BAR_WIDTH - 6))
  return [
    blank,
    ...files.map((file): LineAtTime => () => {
      const [sign, role] = signOf(file)
      const counts = ChangeCounts.line(file.additions, file.deletions)
      return {
        line: [
          StyledLine.span(`${sign} `, role),
          ...StyledLine.fitFromEnd(StyledLine.line(nameOf(file)), width),
          StyledLine.span("  "),
          ...StyledLine.fit(counts, numbers, "right"),
          StyledLine.span("  "),
          ...ChangeCounts.bar(file.additions, file.deletions, largest)
        ],
        route: self.fileRoute(file.filename),
        copy: file.filename,
        title: file.filename,
        arguments: { path: file.filename }
      }
    }),
    ...notes
  ]
}
