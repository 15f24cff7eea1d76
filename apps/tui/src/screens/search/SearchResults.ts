/** Search results by file, from the code search extension or the search of the API. */
import type * as CodeSearch from "@tongs/core/contract/groups/CodeSearch"
import type { CodeSearchItem, TextMatch } from "@tongs/core/contract/groups/Search"
import * as NumberFormat from "@tongs/core/text/NumberFormat"

/** Start and end of a match in UTF-16 code units. */
export type Range = readonly [start: number, end: number]

/** A line of a file. */
export interface ResultLine {
  /** Line number from 1; undefined if the forge does not report line numbers. */
  readonly number: number | undefined
  /** The line as in the file, without changes for display. */
  readonly text: string
  /** Empty for a line around a match. */
  readonly matches: ReadonlyArray<Range>
  /** Kind of the definition that the line contains; empty without one. */
  readonly symbol: string
}

/** A file with matches. */
export interface FileResult {
  readonly owner: string
  readonly repo: string
  readonly path: string
  readonly pathMatches: ReadonlyArray<Range>
  /** Object id of the file's content. */
  readonly sha: string
  readonly webUrl: string | undefined
  readonly matchCount: number
  readonly rank: number
  /** Consecutive lines, in the order of the file. */
  readonly chunks: ReadonlyArray<ReadonlyArray<ResultLine>>
}

/** The results of a search. */
export interface Results {
  /** The best file first. */
  readonly files: ReadonlyArray<FileResult>
  /** The commits of a query with `type:commit` or `type:diff`, newest first. */
  readonly commits: ReadonlyArray<CodeSearch.CommitHit>
  /** Number of all matching files or commits, including items outside `files` and `commits`. */
  readonly fileCount: number
  readonly matchCount: number
  /** Duration of the search in milliseconds; undefined if the forge does not report durations. */
  readonly took: number | undefined
  /** Reasons why results may be missing. */
  readonly incomplete: ReadonlyArray<string>
  /** Sentences of the forge that explain the results. */
  readonly notes: ReadonlyArray<string>
  /** Continues a search of commits that stopped early; undefined for complete results. */
  readonly cursor: string | undefined
  /** Number of matches of the searches that this one continues. */
  readonly newerMatches: number
  readonly isDone: boolean
}

/** The results before the first response. */
export const empty: Results = {
  files: [],
  commits: [],
  fileCount: 0,
  matchCount: 0,
  took: undefined,
  incomplete: [],
  notes: [],
  cursor: undefined,
  newerMatches: 0,
  isDone: false
}

const reasons: Readonly<Record<string, string>> = {
  deadline: "the search stopped early",
  limit: "only the best files are listed",
  indexing: "the index is not complete yet",
  failed: "some files could not be read"
}

/** Adds events of the extension to results. */
export const withEvents = (self: Results, events: ReadonlyArray<CodeSearch.SearchEvent>): Results => {
  const hits = events.filter((event) => event._tag === "File").map(ofHit)
  const files = hits.length === 0 ? self.files : [...self.files, ...hits].toSorted((a, b) => b.rank - a.rank)
  const found = events.filter((event) => event._tag === "Commit")
  const commits = found.length === 0 ? self.commits : [...self.commits, ...found].toSorted(byDate)
  return events.reduce<Results>(
    (found, event) => {
      switch (event._tag) {
        case "File":
        case "Commit":
          return found
        case "Progress":
          return {
            ...found,
            fileCount: Math.max(event.files, found.commits.length),
            matchCount: found.newerMatches + event.matches
          }
        case "Done":
          return {
            ...found,
            fileCount: Math.max(event.files, found.commits.length),
            matchCount: found.newerMatches + event.matches,
            // With the searches that this one continues.
            took: (found.took ?? 0) + event.took,
            incomplete: event.incomplete.map((reason) =>
              reason === "limit" && found.commits.length > 0
                ? "only the newest commits are listed"
                : (reasons[reason] ?? reason)
            ),
            notes: event.notes,
            cursor: event.cursor,
            isDone: true
          }
      }
    },
    { ...self, files, commits, fileCount: Math.max(self.fileCount, files.length, commits.length) }
  )
}

/** The forge sends commits of several repositories only roughly in the order of the dates. */
const byDate = (a: CodeSearch.CommitHit, b: CodeSearch.CommitHit): number =>
  Date.parse(b.committer.date) - Date.parse(a.committer.date)

const ofHit = (hit: CodeSearch.FileHit): FileResult => ({
  owner: hit.owner,
  repo: hit.repo,
  path: hit.path,
  pathMatches: hit.in_path,
  sha: hit.oid,
  webUrl: undefined,
  matchCount: hit.match_count,
  rank: hit.rank,
  chunks: hit.chunks.map(({ lines }) =>
    lines.map(({ matches, number, symbol, text }) => ({ number, text, matches, symbol: symbol ?? "" }))
  )
})

/** Returns results to which those of a search of older commits are added. */
export const beforeOlder = (self: Results): Results => ({
  ...self,
  incomplete: [],
  notes: [],
  cursor: undefined,
  newerMatches: self.matchCount,
  isDone: false
})

/** Adds a page of the search of the API to results. */
export const withPage = (
  self: Results,
  items: ReadonlyArray<CodeSearchItem>,
  total: number | undefined,
  isIncomplete: boolean
): Results => {
  const files = [...self.files, ...items.map(ofItem)]
  return {
    ...self,
    files,
    fileCount: Math.max(total ?? 0, files.length),
    matchCount: files.reduce((sum, { matchCount }) => sum + matchCount, 0),
    took: undefined,
    incomplete: isIncomplete ? ["the search stopped early"] : self.incomplete,
    isDone: true
  }
}

const ofItem = (item: CodeSearchItem): FileResult => {
  const chunks = (item.text_matches ?? [])
    .filter(({ property }) => property === "content")
    .map(matchingLines)
    .filter((lines) => lines.length > 0)
  const inPath = (item.text_matches ?? []).find(({ property }) => property === "path")
  return {
    owner: item.repository.owner.login,
    repo: item.repository.name,
    path: item.path,
    pathMatches: inPath?.fragment === item.path ? rangesOf(inPath) : [],
    sha: item.sha,
    webUrl: item.html_url,
    matchCount: Math.max(
      1,
      chunks.flat().reduce((sum, { matches }) => sum + matches.length, 0)
    ),
    rank: 0,
    chunks
  }
}

const rangesOf = ({ matches }: TextMatch): ReadonlyArray<Range> =>
  matches.map(({ indices }): Range => [indices[0] ?? 0, indices[1] ?? 0]).toSorted((a, b) => a[0] - b[0])

/** Returns the lines of a fragment that contain matches. All other lines may be cut. */
const matchingLines = (match: TextMatch): ReadonlyArray<ResultLine> => {
  const found: Array<ResultLine> = []
  const ranges = rangesOf(match)
  let start = 0
  for (const text of match.fragment.split("\n")) {
    const from = start
    const end = from + text.length
    const inside = ranges.filter(([first, last]) => first >= from && last <= end && last > first)
    const matches = inside.map(([first, last]): Range => [first - from, last - from])
    if (matches.length > 0) found.push({ number: undefined, text, matches, symbol: "" })
    start = end + 1
  }
  return found
}

/** Describes the results, for example `12 matches, 3 files, 2 repositories, 14 ms`. */
export const summary = ({
  commits,
  fileCount,
  files,
  incomplete,
  isDone,
  matchCount,
  notes,
  took
}: Results): string => {
  const noun = commits.length > 0 ? "commit" : "file"
  const repositories = new Set([...files, ...commits].map(({ owner, repo }) => `${owner}/${repo}`)).size
  const of = repositories > 1 ? `, ${NumberFormat.quantity(repositories, "repository", "repositories")}` : ""
  // Matches are counted after the first results arrive.
  const matches = isDone || matchCount > 0 ? `${NumberFormat.quantity(matchCount, "match", "matches")}, ` : ""
  const counts = `${matches}${NumberFormat.quantity(fileCount, noun)}${of}`
  const time = took === undefined ? "" : `, ${NumberFormat.format(Math.ceil(took))} ms`
  return `${counts}${isDone ? time : " so far"}${[...incomplete, ...notes].map((reason) => `, ${reason}`).join("")}`
}
