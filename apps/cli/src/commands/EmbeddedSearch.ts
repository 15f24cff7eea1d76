/** Searches the code index of the embedded forge, which returns complete lines with line numbers. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import type { CommitHit, Done, FileHit } from "@tongs/core/contract/CodeSearch"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Progress from "../session/Progress.ts"
import type { Results } from "./SearchResult.ts"

/** Maximum number of files in a response of the index. */
export const MAX_FILES = 1_000

/** Time limit of a search in milliseconds. */
const DEADLINE = 10_000

/** Messages for the reasons why results are missing. */
const reasons: Readonly<Record<string, string>> = {
  deadline: "the search stopped early",
  limit: "--limit shows more",
  indexing: "the index is not complete yet",
  failed: "some files could not be read"
}

/** Returns the `limit` best files, or newest commits, for a query in the embedded forge's query language. */
export const search = Effect.fnUntraced(function* (q: string, limit: number, noun: "file" | "commit" = "file") {
  const forge = yield* Forge
  const { searchesWorkTrees } = yield* Connection
  const source = searchesWorkTrees === true ? ({ source: "work_trees" } as const) : {}
  const files: Array<FileHit> = []
  const commits: Array<CommitHit> = []
  let done: Done | undefined
  let progress = ""
  const events = forge.codeSearch.search(
    { q, limit: Math.min(limit, MAX_FILES), context: 0, deadline: DEADLINE, ...source },
    { priority: "interactive" }
  )
  yield* Progress.show(
    Stream.runForEach(events, (event) =>
      Effect.sync(() => {
        if (event._tag === "File") files.push(event)
        else if (event._tag === "Commit") commits.push(event)
        else if (event._tag === "Done") done = event
        else if (event._tag === "Progress") progress = `${NumberFormat.quantity(event.files, noun)} so far`
      })
    ),
    Effect.sync(() => (progress === "" ? "Searching …" : `Searching: ${progress} …`))
  )
  const best = files.sort((a, b) => b.rank - a.rank).slice(0, limit)
  return {
    files: best.map((file) => ({
      name: `${file.owner}/${file.repo}:${file.path}`,
      lines: file.chunks.flatMap(({ lines }) =>
        lines.filter(({ matches }) => matches.length > 0).map(({ cut, ...line }) => ({ ...line, isCut: cut > 0 }))
      ),
      matches: file.match_count
    })),
    commits: noun === "commit" ? commits.sort(byDate).slice(0, limit) : undefined,
    total: Math.max(done?.files ?? 0, best.length),
    matches: done?.matches,
    incomplete: done?.incomplete.map((reason) => reasons[reason] ?? reason) ?? ["the connection ended early"],
    notes: done?.notes ?? []
  } satisfies Results
})

/** Commits of several repositories arrive almost in the order of their dates. */
const byDate = (a: CommitHit, b: CommitHit): number => Date.parse(b.committer.date) - Date.parse(a.committer.date)
