/** Searches the code index of a forge. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Forge } from "@tongs/core/client/Forge"
import type { CommitHit, Done, FileHit } from "@tongs/core/contract/groups/CodeSearch"
import type * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import type { Answer } from "../answer/Answer.ts"
import type { Call, RepositoryName } from "../call/Call.ts"
import * as FileView from "../files/FileView.ts"
import * as FixedList from "../lists/FixedList.ts"
import * as CommitMatches from "./CommitMatches.ts"
import * as HitLines from "./HitLines.ts"
import * as QueryHints from "./QueryHints.ts"

/** Maximum number of files of a search, which are then ranked. */
const MAX_FILES = 1_000

/** Time limit of a search of the code index in milliseconds. */
const DEADLINE = 10_000

/** Maximum number of files of a search whose lines with matches are all read. */
const MAX_COMPLETE = 2

/** Number of files of a search above which only some lines of each are shown, and the number of these lines. */
const MANY_FILES = 10
const MAX_LINES = 3

/** Arguments of a search besides the query. */
export interface Options {
  readonly repo?: string
  /** The repository `repo`. */
  readonly repository?: RepositoryName | undefined
  readonly context?: number
  readonly limit?: number
}

/** Searches the index. The best files come first, in a stable order. Fails with `Unsupported` without an index. */
export const search = Effect.fnUntraced(function* (
  query: CodeQuery.CodeQuery,
  { context = 0, limit, repo, repository }: Options,
  call: Call
) {
  const forge = yield* Forge
  const isWorkTree = call.searchesWorkTrees && query.kind === "file" && query.revisions.length === 0
  const source = isWorkTree ? ({ source: "work_trees" } as const) : {}
  const q = CodeQueryParser.print(query)
  // The page of an answer with commits is the part of the history that one search covers.
  const cursor = query.kind === "file" ? undefined : call.position?.page
  const files: Array<FileHit> = []
  const commits: Array<CommitHit> = []
  let done: Done | undefined
  yield* Stream.runForEach(
    forge.codeSearch.search(
      { q, limit: MAX_FILES, context, deadline: DEADLINE, ...source, ...(cursor === undefined ? {} : { cursor }) },
      { deadline: call.deadline }
    ),
    (event) => {
      if (event._tag === "File") files.push(event)
      else if (event._tag === "Commit") commits.push(event)
      else if (event._tag === "Done") done = event
      else if (event._tag === "Progress")
        return call.reportProgress(event.files, undefined, `${event.matches} matches so far`)
      return Effect.void
    }
  )
  if (query.kind !== "file") return commitAnswer(query, commits, done, { limit, repo, cursor }, call)
  const ranked = files.sort((a, b) => b.rank - a.rank || (keyOf(a) < keyOf(b) ? -1 : 1))
  const hasRepository = new Set(ranked.map((hit) => `${hit.owner}/${hit.repo}`)).size > 1
  const [first] = ranked
  const only = hasRepository ? undefined : (first ?? repository)
  const view =
    only === undefined || !isWorkTree
      ? undefined
      : yield* FileView.of({ owner: only.owner, repo: only.repo }, undefined, call)
  const matches = ranked.reduce((count, hit) => count + hit.match_count, 0)
  const options = {
    hasRepository,
    hasContext: context > 0,
    ...(ranked.length > MANY_FILES ? { maxLines: MAX_LINES } : {})
  }
  const lines =
    context === 0 && ranked.length <= MAX_COMPLETE && ranked.some(hasMoreLines)
      ? (yield* Effect.forEach(ranked, (hit) => completeLines(hit, view, q, call), {
          concurrency: MAX_COMPLETE
        })).flatMap((hit) => HitLines.printEachLine(hitOf(hit), options))
      : undefined
  const part = FixedList.from(ranked, call, { limit })
  return {
    source: {
      repo: only === undefined ? repo : plainName(`${only.owner}/${only.repo}`),
      work_tree: view?.source.work_tree,
      in: isWorkTree && view === undefined ? "work trees" : undefined,
      matches: matches === 0 ? undefined : matches
    },
    ...(lines === undefined
      ? { items: part.items.map((hit) => HitLines.print(hitOf(hit), options)), next: part.next }
      : FixedList.from(lines, call)),
    noun: lines === undefined ? "files" : "lines",
    total: (lines ?? ranked).length,
    isLarge: limit !== undefined,
    notes: [
      ...(done?.incomplete ?? ["unfinished"]).map((reason) => reasons[reason] ?? "Results may be missing."),
      ...(done?.notes ?? []),
      ...(view?.notes ?? []),
      ...QueryHints.hintsFor(query, "code", ranked.length === 0 && done !== undefined)
    ]
  } satisfies Answer
})

/** Creates the answer of a search with `type:commit` or `type:diff`, the newest commits first. */
const commitAnswer = (
  query: CodeQuery.CodeQuery,
  commits: ReadonlyArray<CommitHit>,
  done: Done | undefined,
  {
    cursor,
    limit,
    repo
  }: { readonly limit: number | undefined; readonly repo: string | undefined; readonly cursor: string | undefined },
  call: Call
) => {
  const newest = commits.toSorted(
    (a, b) => Date.parse(b.committer.date) - Date.parse(a.committer.date) || (a.sha < b.sha ? -1 : 1)
  )
  const repositories = new Set(newest.map((commit) => `${commit.owner}/${commit.repo}`))
  const hasRepository = repositories.size > 1
  const [only] = repositories
  const part = FixedList.from(newest, call, { limit, ...(cursor === undefined ? {} : { version: cursor }) })
  const older = done?.cursor
  return {
    source: { repo: hasRepository || only === undefined ? repo : plainName(only), matches: undefined },
    items: part.items.map((commit) => CommitMatches.print(commit, { hasRepository })),
    next: (shown) => part.next(shown) ?? (older === undefined ? undefined : { position: { page: older, skip: 0 } }),
    noun: "commits",
    total: older === undefined && cursor === undefined ? newest.length : undefined,
    isLarge: limit !== undefined,
    notes: [
      ...(done?.incomplete ?? ["unfinished"]).flatMap((reason) =>
        // The answer continues with older commits.
        older !== undefined && (reason === "limit" || reason === "deadline")
          ? []
          : [
              reason === "limit"
                ? "Results may be missing: a commit is too large to search."
                : (reasons[reason] ?? "Results may be missing.")
            ]
      ),
      ...(done?.notes ?? []),
      ...QueryHints.hintsFor(query, "code", newest.length === 0 && done !== undefined)
    ]
  } satisfies Answer
}

const hitOf = ({ chunks, match_count: matchCount, owner, path, repo }: FileHit): HitLines.Hit => ({
  repository: `${owner}/${repo}`,
  path,
  chunks,
  matchCount
})

const keyOf = ({ owner, path, repo }: FileHit): string => `${owner}/${repo}/${path}`

/** Returns true if the search found more matches in a file than the response contains. */
const hasMoreLines = ({ chunks, match_count: count }: FileHit): boolean =>
  chunks.flatMap(({ lines }) => lines).reduce((sum, { matches }) => sum + matches.length, 0) < count

/** Reads all lines of a file with matches. The best lines, which the search sent, remain first. */
const completeLines = Effect.fnUntraced(function* (
  hit: FileHit,
  view: FileView.FileView | undefined,
  q: string,
  { deadline }: Call
) {
  const forge = yield* Forge
  const { commit, owner, path, repo } = hit
  const ref = view?.ref ?? commit
  // The file is only in the work tree, or was removed meanwhile.
  if (hit.uncommitted === true && ref === commit) return hit
  const { lines } = yield* forge.codeSearch
    .getMatches({ owner, repo, path, ref, q }, { deadline })
    .pipe(Effect.catchTag("NotFound", () => Effect.succeed({ lines: [] })))
  const sent = new Set(hit.chunks.flatMap(({ lines }) => lines.map(({ number }) => number)))
  const others = lines.filter(({ number }) => !sent.has(number))
  return { ...hit, chunks: [...hit.chunks, { lines: others }] }
})

/** Returns a name that can be outside of a frame; undefined for one that no repository can have. */
const plainName = (name: string): string | undefined => (/^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(name) ? name : undefined)

/** Messages for the reasons why results are missing. */
const reasons: Readonly<Record<string, string>> = {
  deadline: "Results may be missing: the search reached its time limit. Narrow the query.",
  limit: `More files match: the best of ${MAX_FILES} are listed. Narrow the query.`,
  indexing: "Results may be missing: the index is not complete yet. Search again in some seconds.",
  failed: "Results may be missing: some files could not be read.",
  unfinished: "Results are missing: the forge's answer ended too early. Search again."
}
