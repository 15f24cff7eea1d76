/** Blame on a forge without the extension, computed step by step from the commits and contents of a file. */
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { CallOptions } from "@tongs/core/client/CallOptions"
import type { Forge } from "@tongs/core/client/Forge"
import type * as Failure from "@tongs/core/contract/Failure"
import type { BlameRange } from "@tongs/core/contract/groups/History"
import * as BlameWalk from "./BlameWalk.ts"
import * as FileVersions from "./FileVersions.ts"
import * as TextCache from "./TextCache.ts"

/** Maximum number of files with cached state, and of characters in all cached versions. */
const limits = { files: 16, characters: 32_000_000 }

/** The blame of a file, computed from the versions read so far. */
export interface Progress {
  readonly ranges: ReadonlyArray<BlameRange>
  /** Number of lines of the file, and number of lines whose commit is known. */
  readonly lines: number
  readonly known: number
  /** Number of requests sent for this file so far. */
  readonly requests: number
  readonly complete: boolean
  /** True if a merge changed the file: lines of the merged branch can have a later commit. */
  readonly merges: boolean
  /** Time in epoch milliseconds at which the rate limit has budget again, if the limit ended the reading. */
  readonly until: number | null
}

/** Computes blames, and caches the versions that were read. */
export interface RemoteBlame {
  /**
   * Returns the blame after at most `more` further requests, or after `total` requests for this file in all. Ends
   * earlier if the blame is complete, or without budget.
   */
  readonly blame: (
    file: FileVersions.BlamedFile,
    requests: { readonly more: number; readonly total?: number },
    options: Effect.Effect<CallOptions>
  ) => Effect.Effect<Progress, Failure.Failure>
}

/** Creates the blame of a forge's files. */
export const make = Effect.fnUntraced(function* (forge: Forge["Service"]) {
  const texts = TextCache.make(limits.characters)
  const files = yield* Cache.make({
    capacity: limits.files,
    lookup: (key: string) => Effect.map(Semaphore.make(1), (semaphore) => state(forge, fileOf(key), texts, semaphore))
  })
  const blame: RemoteBlame["blame"] = Effect.fn("RemoteBlame.blame")(function* (
    { owner, path, ref, repo },
    { more, total = Number.POSITIVE_INFINITY },
    options
  ) {
    const file = yield* Cache.get(files, JSON.stringify([owner, repo, ref, path]))
    return yield* file.semaphore.withPermit(
      Effect.suspend(() => advance(file, Math.min(total, file.versions.requests() + more), options))
    )
  })
  return { blame } satisfies RemoteBlame
})

interface State {
  readonly path: string
  readonly versions: FileVersions.FileVersions
  readonly semaphore: Semaphore.Semaphore
  walk: BlameWalk.BlameWalk | undefined
  /** The commit whose text is read next. */
  next: FileVersions.Version | undefined
  isComplete: boolean
  hasMerges: boolean
}

const fileOf = (key: string): FileVersions.BlamedFile => {
  const [owner = "", repo = "", ref = "", path = ""]: ReadonlyArray<string> = JSON.parse(key)
  return { owner, repo, ref, path }
}

const state = (
  forge: Forge["Service"],
  file: FileVersions.BlamedFile,
  texts: TextCache.TextCache,
  semaphore: Semaphore.Semaphore
): State => ({
  path: file.path,
  versions: FileVersions.make(forge, file, texts),
  semaphore,
  walk: undefined,
  next: undefined,
  isComplete: false,
  hasMerges: false
})

const advance = (file: State, requests: number, options: Effect.Effect<CallOptions>) =>
  Effect.gen(function* () {
    while (!file.isComplete && file.versions.requests() < requests) yield* step(file, yield* options)
    return progress(file, null)
  }).pipe(Effect.catchTag("RateLimited", ({ until }) => Effect.succeed(progress(file, until))))

/** Reads one version. A failure leaves the state unchanged. */
const step = Effect.fnUntraced(function* (file: State, options: CallOptions) {
  file.next ??= yield* file.versions.next(options)
  const { next, walk } = file
  const text = next === undefined ? undefined : yield* file.versions.text(next.commit, options)
  file.next = undefined
  if (next?.isMerge === true) file.hasMerges = true
  if (next === undefined || text === undefined) {
    if (walk !== undefined) BlameWalk.end(walk)
    file.isComplete = true
    return
  }
  const { author, commit, date, summary } = next
  if (walk === undefined) file.walk = BlameWalk.make(file.path, { author, commit, date, summary }, text)
  else BlameWalk.addOlder(walk, { author, commit, date, summary }, text)
  file.isComplete = file.walk?.pending === 0
})

const progress = ({ hasMerges, isComplete, versions, walk }: State, until: number | null): Progress => {
  const lines = walk?.lines.length ?? 0
  return {
    ranges: walk === undefined ? [] : BlameWalk.ranges(walk),
    lines,
    known: lines - (walk?.pending ?? 0),
    requests: versions.requests(),
    complete: isComplete,
    merges: hasMerges,
    until
  }
}
