/** Searches the code index of the embedded forge, which returns complete lines with line numbers. */
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import type { CommitHit, Done, FileHit } from "@tongs/core/contract/groups/CodeSearch"
import * as RepeatedSearch from "./RepeatedSearch.ts"
import type { Results } from "./SearchResult.ts"

/** Maximum number of files in a response of the index. */
export const MAX_FILES = 1_000

/** Milliseconds after which a search with results stops. */
const STOP_AFTER = 10_000

/** Messages for the reasons why results are missing. */
const messages: Readonly<Record<string, string>> = {
  limit: "--limit shows more",
  indexing: "the index is not complete yet",
  failed: "some files could not be read",
  unfinished: "the connection ended early"
}

export interface EmbeddedResults {
  /** Best first. */
  readonly files: ReadonlyArray<FileHit>
  /** Newest first. */
  readonly commits: ReadonlyArray<CommitHit>
  readonly noun: "file" | "commit"
  /** The totals. Undefined for a search that stopped early. */
  readonly done: Done | undefined
  /** Reasons why results can be missing: the contract's reasons, or `unfinished` if the connection ended early. */
  readonly reasons: ReadonlyArray<string>
  /** The reasons as text. */
  readonly incomplete: ReadonlyArray<string>
}

/** A search in the embedded forge's query language. */
export interface Options {
  readonly limit: number
  readonly noun: "file" | "commit"
  /** True to count all matching files, also files beyond the limit. */
  readonly countsAll: boolean
  /** The cursor of an earlier search of commits, to search older ones. */
  readonly cursor: string | undefined
}

/** Returns the `limit` best files, or newest commits. Fails if an incomplete search finds nothing. */
export const search = Effect.fnUntraced(function* (q: string, { countsAll, cursor, limit, noun }: Options) {
  const { searchesWorkTrees } = yield* Connection
  const files: Array<FileHit> = []
  const commits: Array<CommitHit> = []
  const { done, extent, reasons } = yield* RepeatedSearch.run({
    request: {
      q,
      limit: Math.min(limit, MAX_FILES),
      context: 0,
      ...(countsAll ? { facets: "all" as const } : {}),
      ...(cursor === undefined ? {} : { cursor }),
      ...(searchesWorkTrees === true ? { source: "work_trees" as const } : {})
    },
    noun,
    stopAfterMillis: STOP_AFTER,
    take: (hit) => Effect.sync(() => void (hit._tag === "File" ? files.push(hit) : commits.push(hit))),
    isFound: () => files.length + commits.length > 0
  })
  const incomplete = reasons.map((reason) => (reason === "deadline" ? extent : (messages[reason] ?? reason)))
  if (files.length + commits.length === 0 && incomplete.length > 0) {
    return yield* new RepeatedSearch.SearchIncomplete({ reasons: incomplete })
  }
  return {
    files: files.sort((a, b) => b.rank - a.rank).slice(0, limit),
    commits: commits.sort(byDate).slice(0, limit),
    noun,
    done,
    reasons,
    incomplete
  } satisfies EmbeddedResults
})

/** Returns results to print as text. */
export const textOf = ({ commits, done, files, incomplete, noun }: EmbeddedResults): Results => ({
  files: files.map((file) => ({
    name: `${file.owner}/${file.repo}:${file.path}`,
    lines: file.chunks.flatMap(({ lines }) =>
      lines.filter(({ matches }) => matches.length > 0).map(({ cut, ...line }) => ({ ...line, isCut: cut > 0 }))
    ),
    matches: file.match_count
  })),
  commits: noun === "commit" ? commits : undefined,
  total: Math.max(done?.files ?? 0, files.length, commits.length),
  matches: done?.matches,
  incomplete,
  notes: done?.notes ?? []
})

/** The forge sends commits of several repositories only roughly in the order of the dates. */
const byDate = (a: CommitHit, b: CommitHit): number => Date.parse(b.committer.date) - Date.parse(a.committer.date)
