/** Runs the query of a saved search, within bounds. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CommitHit, FileHit, IncompleteReason, Line, SearchEvent } from "@tongs/core/contract/groups/CodeSearch"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import { accountKey, type Caller } from "../../access/Caller.ts"
import { Roles } from "../../access/Roles.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { CodeSearch } from "../../search/CodeSearch.ts"
import * as CommitSearch from "../../search/CommitSearch.ts"
import * as CommitQuery from "../../search/commits/CommitQuery.ts"
import * as QueryNames from "../../search/QueryNames.ts"
import { SearchCaller } from "../../search/SearchCaller.ts"
import * as KeyedSemaphore from "../../base/KeyedSemaphore.ts"
import * as CommitEvents from "../codeSearch/CommitEvents.ts"
import * as SearchEvents from "../codeSearch/SearchEvents.ts"
import type * as SeenResults from "./SeenResults.ts"

/** Maximum number of files or commits, and of lines. A search with more results is not exact. */
const MAX_FILES = 1_000
const MAX_LINES = 10_000

const deadline = Duration.seconds(10)

/**
 * Maximum number of saved searches of a user with regular expressions that run at the same time. Further searches wait.
 */
const MAX_REGEX_SEARCHES = 1

/** A result with the corresponding hit. */
export interface CurrentResult extends SeenResults.Result {
  readonly hit: FileHit | CommitHit
  /** Undefined for a matching path, and for a commit. */
  readonly line: Line | undefined
}

/** All results of a query. */
export interface CurrentResults {
  readonly results: ReadonlyArray<CurrentResult>
  /** Reasons why results may be missing. */
  readonly incomplete: ReadonlyArray<IncompleteReason>
}

/** Creates the function that runs a query for a caller. */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const search = yield* CodeSearch
  const findCommits = yield* CommitSearch.make

  const eventsOf = (query: CodeQuery, readable: ReadonlyArray<ServedRepository>): Stream.Stream<SearchEvent> =>
    query.kind === "file"
      ? SearchEvents.make(search, query, readable, {
          searchesWorkTrees: false,
          notes: [],
          limit: MAX_FILES,
          show: { lines: "all", context: 0 },
          countsAll: false,
          waitsForFirst: false,
          deadline
        })
      : CommitEvents.make(findCommits(query, readable), { limit: MAX_FILES, deadline })

  const regexSearches = KeyedSemaphore.make(MAX_REGEX_SEARCHES)

  const run = Effect.fnUntraced(function* (query: CodeQuery, caller: Caller) {
    const readable = yield* registry.open(yield* roles.readable(caller, yield* registry.list))
    const ids = new Map(readable.map(({ fullName, row }) => [fullName, row.id]))
    const results: Array<CurrentResult> = []
    const incomplete = new Set<IncompleteReason>()
    yield* Stream.runForEach(
      Stream.takeUntil(eventsOf(query, readable), () => results.length > MAX_LINES),
      (event) =>
        Effect.sync(() => {
          if (event._tag === "Done") for (const reason of event.incomplete) incomplete.add(reason)
          if (event._tag !== "File" && event._tag !== "Commit") return
          const repository = ids.get(`${event.owner}/${event.repo}`) ?? 0
          results.push(...resultsOf(event).map((result) => ({ ...result, repository })))
        })
    )
    if (results.length > MAX_LINES) incomplete.add("limit")
    return { results: results.slice(0, MAX_LINES), incomplete: [...incomplete] } satisfies CurrentResults
  })

  return (query: CodeQuery, caller: Caller): Effect.Effect<CurrentResults> => {
    // Saved searches do not delay the searches that the user has just typed.
    const key = `${accountKey(caller)}, saved`
    const results = Effect.provideService(run(query, caller), SearchCaller, key)
    return hasRegex(query) ? regexSearches.withPermit(key)(results) : results
  }
})

const hasRegex = (query: CodeQuery): boolean =>
  QueryNames.hasRegex(query) ||
  CommitQuery.hasRegex(query) ||
  CommitQuery.filters(query.expression).some((one) => one.name === "repo" && one.match === "regex")

const resultsOf = (hit: FileHit | CommitHit): ReadonlyArray<Omit<CurrentResult, "repository">> => {
  if (hit._tag === "Commit") return [{ hit, path: "", text: hit.sha, line: undefined }]
  const { path } = hit
  const lines = hit.chunks.flatMap(({ lines }) => lines).filter(({ matches }) => matches.length > 0)
  return lines.length === 0
    ? [{ hit, path, text: path, line: undefined }]
    : lines.map((line) => ({ hit, path, text: line.text, line }))
}

/** Returns the hits of results, with only the lines of these results. */
export const hitsOf = (results: ReadonlyArray<CurrentResult>) => {
  const byHit = Map.groupBy(results, ({ hit }) => hit)
  const files: Array<FileHit> = []
  const commits: Array<CommitHit> = []
  for (const [hit, of] of byHit) {
    if (hit._tag === "Commit") commits.push(hit)
    else {
      const lines = of.flatMap(({ line }) => (line === undefined ? [] : [line]))
      files.push({
        ...hit,
        chunks: lines.map((line) => ({ lines: [line] })),
        match_count: lines.reduce((sum, { matches }) => sum + matches.length, 0)
      })
    }
  }
  return { files, commits }
}
