/** A file: highlighted lines, the last commit of each line, and the names that the file defines. */
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { ContentEntry } from "@tongs/core/contract/groups/Contents"
import type { BlameRange } from "@tongs/core/contract/groups/History"
import * as Identifier from "@tongs/syntax/Identifier"
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
  /** True if the forge has not read the last commits of all lines. */
  readonly isBlameIncomplete?: boolean | undefined
  /** The commit that has the uncommitted lines of the work tree. */
  readonly snapshot?: string | undefined
  readonly symbols?: ReadonlyArray<CodeSymbol> | undefined
  /** The revision of the text, if the file is in a repository at this path. */
  readonly revision?: RevisionArguments.Revision | undefined
}

/** The line to start at: a number from 1, or the text of the line. `column` is the column of a name, from 0. */
export interface Start {
  readonly line?: number | undefined
  readonly find?: string | undefined
  readonly column?: number | undefined
}

export interface Options {
  readonly start?: Start
  /** True to show the last commits also on narrow terminals. */
  readonly showsBlame?: boolean
}

/** Creates the document. Lines open their last commits in the repository of `at`. */
export const make = (self: File, at: RevisionArguments.Revision, options: Options = {}): Document.Document => {
  const { blame = [], content, entry, revision, snapshot, symbols = [] } = self
  const { showsBlame, start = {} } = options
  const raw = FileText.lines(content)
  const text = self.text ?? Syntax.plain(content)
  const digits = String(raw.length).length
  const found = indexOf(raw, start)
  const blameAt = ranges(blame)
  const sections = symbols.filter(({ line }) => line >= 1 && line <= raw.length).map(section)
  return Document.make(
    entry.path,
    () => ({
      length: raw.length,
      sections,
      initialLine: Math.max(0, found),
      textAt: (index) => raw[index] ?? "",
      lineAt: (index, now) => {
        const range = blameAt(index)
        return {
          margin: (columns) => blameLine(self, range, index, now, columns),
          gutter: [StyledLine.span(`${String(index + 1).padStart(digits)} `, index === found ? "accent" : "muted")],
          line: text.lineAt(index),
          copy: raw[index] ?? "",
          route: range === undefined ? undefined : RevisionArguments.commit(at, range.commit, range.path ?? entry.path),
          title: `${entry.path}:${index + 1}`,
          arguments: { path: entry.path },
          names: revision && {
            text: { ...revision, ref: revision.ref, path: entry.path },
            line: index + 1,
            names: () => (Identifier.isProse(entry.path) ? [] : text.namesAt(index)),
            lineWith: (marked) => text.lineAt(index, marked),
            initialColumn: index === Math.max(0, found) ? start.column : undefined
          }
        }
      }
    }),
    {
      webUrl: entry.html_url,
      value: entry,
      ...(blame.length === 0 ? {} : { marginColumns: MARGIN_WIDTH, showsMargin: showsBlame }),
      ...(revision === undefined
        ? {}
        : {
            code: {
              ...revision,
              ref: revision.ref,
              path: entry.path,
              snapshot,
              blameAt
            }
          })
    }
  )
}

const indexOf = (lines: ReadonlyArray<string>, { find, line }: Start): number => {
  if (line !== undefined) return Math.min(line, lines.length) - 1
  return find === undefined ? -1 : lines.findIndex((text) => text.trimEnd() === find.trimEnd())
}

/** Returns a function that finds the range of a line by index, from 0. */
const ranges = (all: ReadonlyArray<BlameRange>) => {
  const sorted = all.toSorted((a, b) => a.from - b.from)
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

const SHA_WIDTH = 7
const AUTHOR_WIDTH = 12
const MIN_AUTHOR_WIDTH = 4
const AGE_WIDTH = 5
const MARGIN_WIDTH = SHA_WIDTH + 1 + AUTHOR_WIDTH + AGE_WIDTH

/** The commit, author and age in the first line of a range, shortened to a width: the author first. */
const blameLine = (
  { isBlameIncomplete, snapshot }: File,
  range: BlameRange | undefined,
  index: number,
  now: number,
  columns: number
): Line => {
  if (range === undefined) return StyledLine.line(isBlameIncomplete === true ? "not read yet" : "", "muted")
  if (range.from !== index + 1) return StyledLine.empty
  if (range.commit === snapshot) return StyledLine.line("uncommitted", "warning")
  const id = StyledLine.line(AbbreviatedId.of(range.commit), "id")
  const age = StyledLine.line(ShortAge.format(Date.parse(range.date), now), "muted")
  const room = Math.max(0, Math.min(AUTHOR_WIDTH, columns - SHA_WIDTH - AGE_WIDTH - 1))
  const author = room < MIN_AUTHOR_WIDTH ? StyledLine.empty : Person.line(range.author)
  return [
    ...StyledLine.fit(id, SHA_WIDTH),
    StyledLine.span(" "),
    ...StyledLine.fit(author, room),
    ...StyledLine.fit(age, AGE_WIDTH, "right")
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
