/** Searches code until the results are complete or worth showing, because a first search has to read every file. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Forge } from "@tongs/core/client/Forge"
import type { CommitHit, Done, FileHit, SearchEvent } from "@tongs/core/contract/groups/CodeSearch"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Progress from "../session/Progress.ts"

/** Time limit of one request in milliseconds, the longest that the forge allows. */
const DEADLINE = 60_000

/** Milliseconds after which a search without results is not repeated. */
const MAX_TIME = 5 * 60_000

/** The error of a search that found nothing, but could not search everything. */
export class SearchIncomplete extends Schema.TaggedError<SearchIncomplete>()("SearchIncomplete", {
  reasons: Schema.Array(Schema.String)
}) {
  override get message() {
    return `Nothing found, but the search is not complete: ${this.reasons.join(", ")}.\nSearch again: what is indexed by now is searched faster. Or add repo: or path: to the query.`
  }
}

export interface Options {
  /** Parameters of the request, without the deadline. */
  readonly request: {
    readonly q: string
    readonly limit: number
    readonly context: number
    readonly lines?: "best" | "all"
    readonly facets?: "shown" | "all"
    readonly source?: "commits" | "work_trees"
    readonly cursor?: string
  }
  readonly noun: "file" | "commit"
  /** Milliseconds after which a search with results stops. A search of commits stops with a cursor. */
  readonly stopAfterMillis: number
  /** Receives the results in the order of discovery. */
  readonly take: (hit: FileHit | CommitHit) => Effect.Effect<void>
  readonly isFound: () => boolean
  /** True to stop with the first result. */
  readonly stopsAtFirst?: boolean
}

export interface Outcome {
  /** The totals. Undefined for a search that stopped early. */
  readonly done: Done | undefined
  /** Reasons why results can be missing: the contract's reasons, or `unfinished` if the connection ended early. */
  readonly reasons: ReadonlyArray<string>
  /** The searched part as text, for example `the search stopped after 10 of 20 files`. */
  readonly extent: string
}

/**
 * Runs a search and shows progress. Repeats a search that has found nothing at the deadline: the forge is indexing the
 * repository meanwhile, so each round gets further. A search of commits continues where the last round stopped.
 */
export const run = Effect.fnUntraced(function* (options: Options) {
  const forge = yield* Forge
  const { isFound, noun, stopAfterMillis, request, stopsAtFirst = false, take } = options
  const begun = yield* Clock.currentTimeMillis
  let done: Done | undefined
  let examined = 0
  let remaining = 0
  let found = 0
  let isStopped = false
  let { cursor } = request
  const receive = Effect.fnUntraced(function* (event: SearchEvent) {
    if (event._tag === "Done") done = event
    else if (event._tag === "Progress") {
      ;({ examined, files: found, remaining } = event)
      isStopped = noun === "file" && isFound() && (yield* Clock.currentTimeMillis) - begun >= stopAfterMillis
    } else yield* take(event)
  })
  const status = Effect.sync(() => {
    const results = found === 0 ? "" : `, ${NumberFormat.quantity(found, noun)} found`
    if (remaining > 0) return `Searching: ${extentOf(examined, remaining, noun)}${results} …`
    return found === 0 ? "Searching …" : `Searching: ${NumberFormat.quantity(found, noun)} so far …`
  })
  const round = Effect.suspend(() => {
    done = undefined
    const deadline = noun === "commit" ? Math.min(stopAfterMillis, DEADLINE) : DEADLINE
    const position = cursor === undefined ? {} : { cursor }
    return forge.codeSearch.search({ ...request, ...position, deadline }, { priority: "interactive" }).pipe(
      Stream.mapEffect(receive),
      Stream.takeUntil(() => isStopped || (stopsAtFirst && isFound())),
      Stream.runDrain,
      Effect.tap(Effect.sync(() => (cursor = done?.cursor ?? cursor)))
    )
  })
  const isLate = (): boolean => done?.incomplete.includes("deadline") === true
  const rounds = Effect.gen(function* () {
    do yield* round
    while (isLate() && !isFound() && (yield* Clock.currentTimeMillis) - begun < MAX_TIME)
  })
  yield* Progress.show(rounds, status)
  return {
    done,
    reasons: isStopped && done === undefined ? ["deadline"] : (done?.incomplete ?? ["unfinished"]),
    extent:
      remaining > 0 ? `the search stopped after ${extentOf(examined, remaining, noun)}` : "the search stopped early"
  } satisfies Outcome
})

const extentOf = (examined: number, remaining: number, noun: string): string =>
  `${NumberFormat.format(examined)} of ${NumberFormat.quantity(examined + remaining, noun)}`
