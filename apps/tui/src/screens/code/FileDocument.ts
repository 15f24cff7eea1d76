/** A file: highlighted lines, the last commit of each line, and the names that the file defines. */
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { ContentEntry } from "@tongs/core/contract/groups/Contents"
import type { BlameRange } from "@tongs/core/contract/groups/History"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as Document from "../../content/Document.ts"
import type { Section } from "../../content/Document.ts"
import * as ShortAge from "../../text/ShortAge.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line, Role } from "../../text/StyledLine.ts"
import * as Syntax from "../../text/Syntax.ts"
import * as FileText from "./FileText.ts"
import * as Person from "./Person.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

/** A text file with the known details of its lines. */
export interface File {
  readonly entry: Pick<ContentEntry, "path" | "html_url">
  readonly content: string
  /** The highlighted text; undefined until the grammar has loaded. */
  readonly text?: Syntax.SyntaxText | undefined
  /** Ranges of lines, each with the last commit, in order. */
  readonly blame?: ReadonlyArray<BlameRange> | undefined
  /** The commit that has the uncommitted lines of the work tree. */
  readonly snapshot?: string | undefined
  readonly symbols?: ReadonlyArray<CodeSymbol> | undefined
}

/** The line to start at: a number from 1, or the text of the line. */
export interface Start {
  readonly line?: number | undefined
  readonly find?: string | undefined
}

/** Minimum width of the content in columns for the blame beside the lines. */
const MIN_BLAME_COLUMNS = 96

export const make = (self: File, at: RevisionArguments.Revision, start: Start = {}): Document.Document => {
  const { blame = [], content, entry, snapshot, symbols = [] } = self
  const raw = FileText.lines(content)
  const text = self.text ?? Syntax.plain(content)
  const digits = String(raw.length).length
  const found = indexOf(raw, start)
  const rangeOf = blameAt(blame)
  const sections = symbols.filter(({ line }) => line >= 1 && line <= raw.length).map(section)
  return Document.make(
    entry.path,
    (columns) => ({
      length: raw.length,
      sections,
      initialLine: Math.max(0, found),
      textAt: (index) => raw[index] ?? "",
      lineAt: (index, now) => {
        const range = rangeOf(index)
        const number = StyledLine.span(`${String(index + 1).padStart(digits)} `, index === found ? "accent" : "muted")
        const isBeside = blame.length > 0 && columns >= MIN_BLAME_COLUMNS
        return {
          gutter: isBeside ? [...blameGutter(range, index, now, snapshot), number] : [number],
          line: text.lineAt(index),
          copy: raw[index] ?? "",
          route: range === undefined ? undefined : RevisionArguments.commit(at, range.commit, entry.path),
          title: `${entry.path}:${index + 1}`,
          arguments: { path: entry.path }
        }
      }
    }),
    { webUrl: entry.html_url, value: entry }
  )
}

const indexOf = (lines: ReadonlyArray<string>, { find, line }: Start): number => {
  if (line !== undefined) return Math.min(line, lines.length) - 1
  return find === undefined ? -1 : lines.findIndex((text) => text.trimEnd() === find.trimEnd())
}

/** Returns a function that finds the range of a line by index, from 0. */
const blameAt = (ranges: ReadonlyArray<BlameRange>) => {
  const sorted = ranges.toSorted((a, b) => a.from - b.from)
  return (index: number): BlameRange | undefined => {
    let low = 0
    for (let high = sorted.length; high - low > 1;) {
      const middle = (low + high) >> 1
      if ((sorted[middle]?.from ?? 0) <= index + 1) low = middle
      else high = middle
    }
    const range = sorted[low]
    return range !== undefined && range.from <= index + 1 && index + 1 <= range.to ? range : undefined
  }
}

const AUTHOR_WIDTH = 12
const AGE_WIDTH = 5
const SHA_WIDTH = 7

/** The commit, author and age in the first line of a range, and a rule in all lines. */
const blameGutter = (range: BlameRange | undefined, index: number, now: number, snapshot: string | undefined): Line => {
  const rule = StyledLine.span("│", "muted")
  const isFirst = range?.from === index + 1
  if (!isFirst || range.commit === snapshot) {
    const text = isFirst ? "uncommitted" : ""
    return [StyledLine.span(text.padEnd(SHA_WIDTH + AUTHOR_WIDTH + AGE_WIDTH + 2), "warning"), rule]
  }
  return [
    ...StyledLine.fit(StyledLine.line(AbbreviatedId.of(range.commit), "id"), SHA_WIDTH),
    StyledLine.span(" "),
    ...StyledLine.fit(Person.line(range.author), AUTHOR_WIDTH),
    ...StyledLine.fit(StyledLine.line(ShortAge.format(Date.parse(range.date), now), "muted"), AGE_WIDTH, "right"),
    StyledLine.span(" "),
    rule
  ]
}

/** Roles of the kinds of names, as in code. Kinds without a role are plain. */
const kinds: Readonly<Record<string, Role>> = {
  function: "function",
  method: "function",
  macro: "function",
  class: "type",
  interface: "type",
  type: "type",
  struct: "type",
  enum: "type",
  constant: "property",
  variable: "property"
}

const section = ({ kind, line, name, scope }: CodeSymbol): Section => ({
  firstLine: line - 1,
  title: name,
  label: [
    StyledLine.span(scope === undefined ? "" : "  "),
    StyledLine.span(name, kinds[kind] ?? "plain"),
    StyledLine.span(`  ${kind}`, "muted")
  ]
})
