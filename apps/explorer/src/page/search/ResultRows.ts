/** The results as rows of a virtual list: for each repository a heading, then the files. */
import * as ContextLines from "./ContextLines.ts"
import * as SearchResults from "./SearchResults.ts"

/** A row of the list. */
export type Row =
  | { readonly _tag: "Group"; readonly key: string; readonly name: string }
  /** `number` is the index of the file among all files. */
  | { readonly _tag: "File"; readonly key: string; readonly result: SearchResults.FileResult; readonly number: number }

/** A repository in the list. */
export interface Group {
  readonly name: string
  /** Number of files with results in the repository. */
  readonly files: number
  /** Row indexes of the repository's heading and last file. */
  readonly row: number
  readonly lastRow: number
}

/** The rows, and the conversions between rows and files. */
export interface ResultRows {
  readonly all: ReadonlyArray<Row>
  readonly groups: ReadonlyArray<Group>
  readonly rowOf: (file: number) => number
  /** The file at a row, or below a heading. */
  readonly fileAt: (row: number) => number
  /** The count of files from the start through a row. */
  readonly filesThrough: (row: number) => number
}

/** Builds the rows of files that are grouped by repository. */
export const make = (files: ReadonlyArray<SearchResults.FileResult>): ResultRows => {
  const all: Array<Row> = []
  const groups: Array<Group> = []
  const rowOf: Array<number> = []
  for (const [number, result] of files.entries()) {
    const name = SearchResults.repositoryName(result)
    const group = groups.at(-1)
    if (group?.name === name) {
      groups[groups.length - 1] = { ...group, files: group.files + 1, lastRow: all.length }
    } else {
      groups.push({ name, files: 1, row: all.length, lastRow: all.length + 1 })
      all.push({ _tag: "Group", key: `${name} `, name })
    }
    rowOf.push(all.length)
    all.push({ _tag: "File", key: SearchResults.key(result), result, number })
  }
  const fileAt = (row: number): number => {
    const at = all[row]
    const file = at?._tag === "Group" ? all[row + 1] : at
    return file?._tag === "File" ? file.number : 0
  }
  return {
    all,
    groups,
    rowOf: (file) => rowOf[file] ?? 0,
    fileAt,
    filesThrough: (row) => fileAt(row) + (all[row]?._tag === "File" ? 1 : 0)
  }
}

/**
 * The estimated height of a row in pixels before rendering. `rem` is the root font size in pixels, and `width` the
 * width of the list in rem.
 */
export const estimatedHeight = (row: Row | undefined, rem: number, width: number): number => {
  if (row?._tag !== "File") return GROUP * rem
  const { chunks, matchCount } = row.result
  const columns = ContextLines.columns(chunks, width)
  let height = HEAD + ((matchCount ?? 0) > shownMatches(row.result) ? FOOTER : 0)
  let borders = BORDERS
  for (let at = 0; at < chunks.length; at += columns) {
    const lines = chunks.slice(at, at + columns).map(linesOf)
    height += CHUNK + LINE * Math.max(...lines)
    borders += BORDER
  }
  return height * rem + borders
}

const linesOf = ({ enclosing, lines }: SearchResults.Chunk): number => lines.length + (enclosing === undefined ? 0 : 1)

/** The count of matches in the chunks. */
export const shownMatches = ({ chunks }: SearchResults.FileResult): number =>
  chunks.reduce((sum, { lines }) => sum + lines.reduce((sum, { matches }) => sum + matches.length, 0), 0)

// As in `styles/results.css` and `styles/code.css`, in rem.
const GROUP = 2.75
const HEAD = 3.25
const LINE = 1.4
const CHUNK = 0.75
const FOOTER = 2

// In pixels.
const BORDERS = 2
const BORDER = 1
