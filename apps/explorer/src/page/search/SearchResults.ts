/** The results of a search, streamed by an index or paged by the contract. */
import type {
  Chunk as CodeChunk,
  CommitHit,
  Done,
  Facet,
  Facets,
  Line as CodeLine,
  RankFactor,
  SymbolKind,
  TextRange
} from "@tongs/core/contract/groups/CodeSearch"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as TextLines from "../model/TextLines.ts"
import * as TextSegments from "../syntax/TextSegments.ts"

/** A matching file. */
export interface FileResult extends ExplorerApi.RepositoryName {
  readonly path: string
  /** The searched commit, if the forge reports it. */
  readonly commit?: string
  /** True if the content is from the work tree, and differs from the commit. */
  readonly uncommitted?: boolean
  /** True if the file on disk can differ from the result, which therefore opens at its commit. */
  readonly isAtCommit?: true
  /** The revisions of the query (`rev:`) that have this content. */
  readonly revisions?: ReadonlyArray<string>
  readonly language: string | null
  /** Matches in the path. */
  readonly inPath: ReadonlyArray<TextRange>
  readonly chunks: ReadonlyArray<Chunk>
  /** The count of all matches, also of matches outside `chunks`, if the forge reports the count. */
  readonly matchCount?: number
  /** Higher is better. */
  readonly rank: number
  readonly why: ReadonlyArray<RankFactor>
}

/** Consecutive lines. */
export interface Chunk {
  readonly lines: ReadonlyArray<Line>
  /** The line that begins the enclosing definition. */
  readonly enclosing?: NonNullable<CodeChunk["enclosing"]>
}

/** A line of a chunk. */
export interface Line extends Omit<CodeLine, "number"> {
  /** From 1, if known. */
  readonly number: number | undefined
}

/** A reason for incomplete results. */
export type Incomplete = Done["incomplete"][number]

/** The results so far. */
export interface SearchResults {
  readonly files: ReadonlyArray<FileResult>
  /** The commits of a search with `type:commit` or `type:diff`. */
  readonly commits?: ReadonlyArray<CommitHit>
  /** The forge's explanations of the results. */
  readonly notes?: ReadonlyArray<string>
  /** Continues a search of commits that stopped at the deadline or the limit. */
  readonly cursor?: string
  /** The known counts of matching files or commits and of matches. */
  readonly total: { readonly files: number; readonly matches?: number }
  readonly incomplete: ReadonlyArray<Incomplete>
  /** The facets of all results, once done. */
  readonly facets?: Facets
  /** True if the facets count all matching files. Otherwise the counts can be minimums. */
  readonly hasAllFacets?: boolean
  /** The duration in milliseconds, as reported by the forge. */
  readonly took?: number
  readonly isDone: boolean
}

export const empty: SearchResults = { files: [], total: { files: 0, matches: 0 }, incomplete: [], isDone: false }

/** Adds the results of a search of older commits, newest first. Leaves out commits that both have. */
export const withOlder = (newer: SearchResults, older: SearchResults): SearchResults => {
  const { commits = [], took = 0, total } = newer
  const known = new Set(commits.map(commitKey))
  const added = (older.commits ?? []).filter((commit) => !known.has(commitKey(commit)))
  // The search of several repositories finds commits only roughly in the order of the dates.
  const all = [...commits, ...added].toSorted((a, b) => Date.parse(b.committer.date) - Date.parse(a.committer.date))
  const facets = facetsOfCommits(all)
  return {
    ...older,
    commits: all,
    total: { files: all.length, matches: (total.matches ?? 0) + (older.total.matches ?? 0) },
    took: took + (older.took ?? 0),
    facets
  }
}

const commitKey = ({ owner, repo, sha }: CommitHit): string => `${owner}/${repo} ${sha}`

const facetsOfCommits = (commits: ReadonlyArray<CommitHit>): Facets => ({
  repo: count(commits, (commit) => [repositoryName(commit)]),
  language: [],
  path: [],
  symbol: []
})

/** Identifies a file among results. With `rev:`, a path can have several contents, each of other revisions. */
export const key = ({ owner, path, repo, revisions: [revision] = [] }: FileResult): string =>
  `${owner}/${repo}/${path}${revision === undefined ? "" : ` ${revision}`}`

/** The name `owner/repo`. */
export const repositoryName = ({ owner, repo }: ExplorerApi.RepositoryName): string => `${owner}/${repo}`

/** Converts a page of the contract's search. `offset` is the count of results on earlier pages. */
export const fromPage = ({ hits }: ExplorerApi.SearchPage, offset: number): ReadonlyArray<FileResult> =>
  hits.map(({ fragments, inPath, owner, path, repo }, index) => ({
    owner,
    repo,
    path,
    language: null,
    inPath,
    chunks: fragments.map(toChunk),
    rank: -(offset + index),
    why: []
  }))

const toChunk = ({ line, matches, text }: ExplorerApi.Fragment): Chunk => ({
  lines: TextLines.split(text, line ?? 1).map(({ number, start, text }) => ({
    number: line === null ? undefined : number,
    text,
    cut: 0,
    matches: TextSegments.clip(matches, start, start + text.length)
  }))
})

/** The line to open, if known: the first definition, otherwise the first match. */
export const firstLine = ({ chunks }: FileResult): number | undefined => {
  const lines = chunks.flatMap(({ lines }) => lines)
  return (lines.find(({ symbol }) => symbol !== undefined) ?? lines.find(({ matches }) => matches.length > 0))?.number
}

/** Returns the facets of results. `isComplete` is false if the counts are minimums. */
export const facetsOf = (results: SearchResults): { readonly counts: Facets; readonly isComplete: boolean } => {
  return {
    counts: results.facets ?? facets(results.files),
    isComplete:
      results.hasAllFacets ??
      (results.isDone && results.incomplete.length === 0 && results.files.length >= results.total.files)
  }
}

/** Maximum number of values in a facet of the forge. */
const MAX_FACET = 50

/** The number of matching files or commits. With all facets, includes unlisted files; otherwise a minimum. */
export const totalOf = ({ commits, facets, files, hasAllFacets, incomplete, total }: SearchResults) => {
  const listed = Math.max(total.files, commits?.length ?? files.length)
  if (facets === undefined || commits !== undefined) return { count: listed, isMinimum: incomplete.includes("limit") }
  const counted = facets.repo.reduce((sum, { count }) => sum + count, 0)
  return {
    count: Math.max(listed, counted),
    isMinimum: incomplete.includes("limit") && (hasAllFacets !== true || facets.repo.length >= MAX_FACET)
  }
}

/** Counts facets in the given files, for forges that report none and while a search runs. */
export const facets = (files: ReadonlyArray<FileResult>): Facets => ({
  repo: count(files, (result) => [repositoryName(result)]),
  language: count(files, ({ language }) => (language === null ? [] : [language])),
  path: count(files, ({ path }) => {
    const [outer, inner] = path.split("/").slice(0, -1)
    return outer === undefined ? [] : inner === undefined ? [outer] : [outer, `${outer}/${inner}`]
  }),
  symbol: count(files, kinds)
})

/** The kinds of the symbols that the matches define. */
export const kinds = ({ chunks }: FileResult): ReadonlyArray<SymbolKind> =>
  chunks.flatMap(({ lines }) => lines.flatMap(({ symbol }) => (symbol === undefined ? [] : [symbol])))

const count = <A>(files: ReadonlyArray<A>, values: (result: A) => ReadonlyArray<string>): ReadonlyArray<Facet> => {
  const counts = new Map<string, number>()
  for (const result of files) {
    for (const value of new Set(values(result))) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return Array.from(counts, ([value, count]) => ({ value, count })).sort(
    (a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)
  )
}
