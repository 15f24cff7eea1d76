/** The results as the rows of one long list: for each repository its name, then its files. */
import * as SearchResults from "./SearchResults.ts"

export type Row =
  | { readonly _tag: "Group"; readonly key: string; readonly name: string }
  /** `number` counts the files, from 0. */
  | { readonly _tag: "File"; readonly key: string; readonly found: SearchResults.FileResult; readonly number: number }

export interface Group {
  readonly name: string
  readonly files: number
  /** Where its name and its last file are among the rows. */
  readonly row: number
  readonly lastRow: number
}

export interface ResultRows {
  readonly all: ReadonlyArray<Row>
  readonly groups: ReadonlyArray<Group>
  /** The row of the file with this number. */
  readonly ofFile: (number: number) => number
  /** The number of the file at a row, or of the first one below it. */
  readonly fileAt: (row: number) => number
  /** How many files there are up to a row. */
  readonly filesUntil: (row: number) => number
}

/** `files` are in order: those of one repository together. */
export const make = (files: ReadonlyArray<SearchResults.FileResult>): ResultRows => {
  const all: Array<Row> = []
  const groups: Array<Group> = []
  const rowOf: Array<number> = []
  for (const [number, found] of files.entries()) {
    const name = SearchResults.repositoryName(found)
    const group = groups.at(-1)
    if (group?.name === name) {
      groups[groups.length - 1] = { ...group, files: group.files + 1, lastRow: all.length }
    } else {
      groups.push({ name, files: 1, row: all.length, lastRow: all.length + 1 })
      all.push({ _tag: "Group", key: `${name} `, name })
    }
    rowOf.push(all.length)
    all.push({ _tag: "File", key: SearchResults.key(found), found, number })
  }
  const fileAt = (row: number): number => {
    const at = all[row]
    const below = at?._tag === "Group" ? all[row + 1] : at
    return below?._tag === "File" ? below.number : 0
  }
  return {
    all,
    groups,
    ofFile: (number) => rowOf[number] ?? 0,
    fileAt,
    filesUntil: (row) => fileAt(row) + (all[row]?._tag === "File" ? 1 : 0)
  }
}

/** About how high a row is, in pixels, before it is drawn. `rem` is what the style sheet's unit is. */
export const height = (row: Row | undefined, rem: number): number => {
  if (row?._tag !== "File") return GROUP * rem
  const { chunks, matchCount } = row.found
  const lines = chunks.reduce((sum, chunk) => sum + chunk.lines.length, 0)
  const footer = (matchCount ?? 0) > shownMatches(row.found) ? FOOTER : 0
  return (HEAD + footer + lines * LINE + chunks.length * CHUNK) * rem + BORDERS + chunks.length * BORDER
}

/** Matches that the chunks show. */
export const shownMatches = ({ chunks }: SearchResults.FileResult): number =>
  chunks.reduce((sum, { lines }) => sum + lines.reduce((sum, { matches }) => sum + matches.length, 0), 0)

// As in `styles/results.css` and `styles/code.css`, in their units.
const GROUP = 2.75
const HEAD = 3.25
const LINE = 1.4
const CHUNK = 0.75
const FOOTER = 2

// In pixels.
const BORDERS = 2
const BORDER = 1
