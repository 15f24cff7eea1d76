/** What a search found, whichever way it was asked: by the stream of the index, or by the pages of the contract. */
import type * as Explore from "@tongs/core/explore/Explore"
import type * as Wire from "../../Wire.ts"
import * as TextLines from "../model/TextLines.ts"
import * as TextSegments from "../syntax/TextSegments.ts"

/** A file that matches. */
export interface FileResult extends Wire.Place {
  readonly path: string
  /** The commit at which it was found, where the forge says. */
  readonly commit?: string
  readonly language: string | null
  /** Where the query stands in the path itself. */
  readonly inPath: ReadonlyArray<Wire.Range>
  readonly chunks: ReadonlyArray<Chunk>
  /** All matches of the file, also those that `chunks` leaves out, where the forge counts them. */
  readonly matchCount?: number
  /** The highest first. */
  readonly rank: number
  readonly why: ReadonlyArray<Explore.Reason>
}

/** Consecutive lines. */
export interface Chunk {
  readonly lines: ReadonlyArray<Line>
}

export interface Line extends Omit<Explore.Line, "number"> {
  /** From 1, where it is known. */
  readonly number: number | undefined
}

/** Why there may be more than is shown. */
export type Incomplete = Explore.Done["incomplete"][number]

export interface SearchResults {
  readonly files: ReadonlyArray<FileResult>
  /** How many files match, and matches there are in them, as far as is known. */
  readonly total: { readonly files: number; readonly matches?: number }
  readonly incomplete: ReadonlyArray<Incomplete>
  /** Of everything that was found; until the search is done there are none. */
  readonly facets?: Explore.Facets
  /** Milliseconds that the forge took. */
  readonly took?: number
  readonly isDone: boolean
}

export const empty: SearchResults = { files: [], total: { files: 0, matches: 0 }, incomplete: [], isDone: false }

/** What identifies a file among results. */
export const key = ({ owner, path, repo }: FileResult): string => `${owner}/${repo}/${path}`

export const repositoryName = ({ owner, repo }: Wire.Place): string => `${owner}/${repo}`

/** A page of the contract's as results. `before` is how many came on the pages before. */
export const fromPage = ({ hits }: Wire.SearchPage, before: number): ReadonlyArray<FileResult> =>
  hits.map(({ fragments, inPath, owner, path, repo }, at) => ({
    owner,
    repo,
    path,
    language: null,
    inPath,
    chunks: fragments.map(ofFragment),
    rank: -(before + at),
    why: []
  }))

const ofFragment = ({ line, matches, text }: Wire.Fragment): Chunk => ({
  lines: TextLines.split(text, line ?? 1).map(({ number, start, text }) => ({
    number: line === null ? undefined : number,
    text,
    cut: 0,
    matches: TextSegments.clip(matches, start, start + text.length)
  }))
})

/** The line on which the first match stands, where it is known. */
export const firstLine = ({ chunks }: FileResult): number | undefined =>
  chunks.flatMap(({ lines }) => lines).find(({ matches }) => matches.length > 0)?.number

/** Facets of what is at hand, for as long as, or where, the forge counts none. */
export const facets = (files: ReadonlyArray<FileResult>): Explore.Facets => ({
  repo: count(files, (found) => [repositoryName(found)]),
  language: count(files, ({ language }) => (language === null ? [] : [language])),
  path: count(files, ({ path }) => {
    const folders = path.split("/").slice(0, -1).slice(0, 2)
    return folders.length === 0 ? [] : [folders.join("/")]
  }),
  symbol: count(files, kinds)
})

/** The kinds of the definitions whose names match. */
export const kinds = ({ chunks }: FileResult): ReadonlyArray<Explore.SymbolKind> =>
  chunks.flatMap(({ lines }) => lines.flatMap(({ symbol }) => (symbol === undefined ? [] : [symbol])))

const count = (
  files: ReadonlyArray<FileResult>,
  values: (found: FileResult) => ReadonlyArray<string>
): ReadonlyArray<Explore.Facet> => {
  const counts = new Map<string, number>()
  for (const found of files) {
    for (const value of new Set(values(found))) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return Array.from(counts, ([value, count]) => ({ value, count })).sort(
    (a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)
  )
}
