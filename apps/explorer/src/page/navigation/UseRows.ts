/** The rows of a list of uses: the definitions, and the uses by file. */
import type { Definition, Reference } from "@tongs/core/contract/groups/CodeNavigation"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as Definitions from "./Definitions.ts"

/** A row of the list. */
export type UseRow =
  | { readonly _tag: "Heading"; readonly key: string; readonly title: string }
  | { readonly _tag: "Definition"; readonly key: string; readonly definition: Definition }
  | {
      readonly _tag: "File"
      readonly key: string
      /** Identifies the file among those of all repositories. */
      readonly file: string
      readonly path: string
      /** Full name of the repository, unless it is the one of the open file. */
      readonly repository: string | undefined
      /** The count of loaded lines of the file. */
      readonly count: number
      readonly isCollapsed: boolean
    }
  | { readonly _tag: "Use"; readonly key: string; readonly reference: Reference }

/** Options of the list. */
export interface Options {
  /** Keeps only files whose path contains the filter, in any case. */
  readonly filter: string
  /** The files whose uses are hidden. */
  readonly collapsed: ReadonlySet<string>
  /** The repository of the open file. */
  readonly repository: ExplorerApi.RepositoryName
}

/** Returns the rows in order: definitions first, then files in the order of the first use. */
export const make = (
  definitions: ReadonlyArray<Definition>,
  references: ReadonlyArray<Reference>,
  { collapsed, filter, repository }: Options
): ReadonlyArray<UseRow> => {
  const rows: Array<UseRow> = []
  const matches = pathIncludes(filter)
  const defined = definitions.filter(matches)
  if (defined.length > 0) {
    rows.push({ _tag: "Heading", key: "definitions", title: defined.length === 1 ? "Definition" : "Definitions" })
    for (const definition of defined) {
      rows.push({ _tag: "Definition", key: `definition ${Definitions.key(definition)}`, definition })
    }
  }
  const files = Map.groupBy(references.filter(matches), fileOf)
  if (files.size > 0) rows.push({ _tag: "Heading", key: "uses", title: "Uses" })
  for (const [file, uses] of files) {
    const [first] = uses
    if (first === undefined) continue
    const isCollapsed = collapsed.has(file)
    const isHere = Definitions.isInRepository(first, repository)
    rows.push({
      _tag: "File",
      key: `file ${file}`,
      file,
      path: first.path,
      repository: isHere ? undefined : `${first.owner}/${first.repo}`,
      count: uses.length,
      isCollapsed
    })
    if (isCollapsed) continue
    for (const reference of uses) rows.push({ _tag: "Use", key: `use ${file}:${reference.line}`, reference })
  }
  return rows
}

/** Identifies the file of a use among those of all repositories. */
export const fileOf = ({ owner, path, repo }: Omit<Place, "line">): string => `${owner}/${repo} ${path}`

/** A line of a file. */
interface Place extends ExplorerApi.RepositoryName {
  readonly path: string
  readonly line: number
}

/** Returns the next (1) or previous (-1) use from a place, in the order of the rows and with wraparound. */
export const next = (rows: ReadonlyArray<UseRow>, place: Place, by: 1 | -1): Reference | undefined => {
  const { line } = place
  const uses = rows.flatMap((row) => (row._tag === "Use" ? [row.reference] : []))
  if (uses.length === 0) return undefined
  const inFile = uses.filter((use) => fileOf(use) === fileOf(place))
  const near = by === 1 ? inFile.find((use) => use.line > line) : inFile.findLast((use) => use.line < line)
  if (near !== undefined) return near
  const edge = by === 1 ? inFile.at(-1) : inFile[0]
  const index = edge === undefined ? (by === 1 ? -1 : uses.length) : uses.indexOf(edge)
  return uses.at((index + by + uses.length) % uses.length)
}

/** UTF-16 units of a line that are shown. */
const MAX_LENGTH = 400

/** The length of the sign that marks a cut, and the minimum length of a cut. */
const MARK_LENGTH = 6

/** A part of a line with its matches. */
export interface Excerpt {
  readonly text: string
  readonly matches: ReadonlyArray<TextRange>
  /** True if text before the part is cut, except indentation. */
  readonly isCut: boolean
}

/**
 * Returns the part of a line that shows the first match: without indentation, and cut if more than `before` UTF-16
 * units come before the match.
 */
export const excerpt = ({ matches, text }: Pick<Reference, "matches" | "text">, before: number): Excerpt => {
  const indentation = text.length - text.trimStart().length
  const first = matches[0]?.[0] ?? 0
  const start = first - indentation > before + MARK_LENGTH ? first - before : indentation
  const shown = text.slice(start, start + MAX_LENGTH).trimEnd()
  return {
    text: shown,
    matches: matches
      .map(([from, to]): TextRange => [Math.max(0, from - start), Math.min(shown.length, to - start)])
      .filter(([from, to]) => from < to),
    isCut: start > indentation
  }
}

const pathIncludes = (filter: string) => {
  const lowerCase = filter.trim().toLowerCase()
  return ({ path }: { readonly path: string }) => path.toLowerCase().includes(lowerCase)
}
