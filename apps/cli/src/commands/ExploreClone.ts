/** `tongs explore --clone`: clones an account's repositories while the explorer runs, and reports the progress. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"
import type { Selection } from "@tongs/connection/clone/CloneTarget"
import type { CloneProgress, CloneReport } from "@tongs/connection/clone/OwnerClone"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"
import { CloneJob } from "@tongs/connection/clone/CloneJob"
import { Output } from "../base/Output.ts"
import { UsageError } from "../base/UsageError.ts"
import * as Flags from "../session/Flags.ts"

const patterns = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.atLeast(0), Flag.withMetavar("PATTERN"), Flag.withDescription(description))

/** The flags of `tongs explore` for cloning. */
export const flags = {
  clone: Flag.String("clone").pipe(
    Flag.optional,
    Flag.withMetavar("OWNER"),
    Flag.withDescription(
      "Clone all repositories of an organization or user of the remote forge into the data folder, index and serve them"
    )
  ),
  include: patterns(
    "include",
    "With --clone: only repositories with such a name, for example 'web-*'; may be repeated"
  ),
  exclude: patterns("exclude", "With --clone: no repositories with such a name; may be repeated"),
  forks: Flags.toggle("forks", "With --clone: clone forks, too")
}

interface Given {
  readonly clone: Option.Option<string>
  readonly include: ReadonlyArray<string>
  readonly exclude: ReadonlyArray<string>
  readonly forks: boolean
}

/**
 * Returns the repositories to clone; undefined without `--clone`. Fails with `UsageError` for other cloning flags
 * without `--clone`.
 */
export const selection = ({
  clone,
  exclude,
  forks,
  include
}: Given): Effect.Effect<Selection | undefined, UsageError> => {
  const owner = Option.getOrUndefined(clone)
  if (owner !== undefined) return Effect.succeed({ owner, include, exclude, forks })
  return include.length + exclude.length > 0 || forks
    ? Effect.fail(
        new UsageError({
          detail: "--include, --exclude and --forks need --clone.",
          hint: "Name an owner with --clone."
        })
      )
    : Effect.succeed(undefined)
}

/** Pause between two runs. Each run costs one request per 100 repositories, or none if the forge reports no change. */
const REFRESH_INTERVAL = "15 minutes"

/** Pause after a failed run. */
const RETRY_INTERVAL = "1 minute"

/** Milliseconds between two updates of the progress. */
const UPDATE_INTERVAL = 1_000

/** Maximum number of repositories that are named in a report. */
const MAX_NAMED = 20

/** Clones and refreshes until interruption. A failed run is reported, and the page keeps running. */
export const cloneRepeatedly = Effect.fnUntraced(function* ({ owner }: Selection) {
  const { host, run } = yield* CloneJob
  const { note } = yield* Output
  let isFirst = true
  let lastError = ""
  const once = Effect.gen(function* () {
    const report = yield* withProgress(owner, run)
    for (const line of lines(report, Terminal.escape(owner), host, isFirst)) yield* note(line)
    isFirst = false
    lastError = ""
    yield* Effect.sleep(REFRESH_INTERVAL)
  }).pipe(
    Effect.catch((error) => {
      const isNew = error.message !== lastError
      lastError = error.message
      const report = note(`Cannot clone ${Terminal.escape(owner)}: ${Terminal.escape(error.message)}`)
      return Effect.andThen(isNew ? report : Effect.void, Effect.sleep(RETRY_INTERVAL))
    })
  )
  return yield* Effect.forever(once)
})

const withProgress = Effect.fnUntraced(function* (owner: string, run: CloneJob["Service"]["run"]) {
  const { progress } = yield* Output
  let latest: CloneProgress = { total: undefined, done: 0, bytes: 0 }
  const start = yield* Clock.currentTimeMillis
  const update = Effect.gen(function* () {
    const { bytes, done, total } = latest
    const seconds = Math.max(1, ((yield* Clock.currentTimeMillis) - start) / 1000)
    return yield* progress(
      total === undefined
        ? `Listing the repositories of ${owner} …`
        : `Cloning ${owner}: ${NumberFormat.format(done)} of ${NumberFormat.format(total)}, ` +
            `${NumberFormat.bytes(bytes)}, ${NumberFormat.bytes(bytes / seconds)}/s`
    )
  })
  const ticker = Effect.forever(Effect.andThen(Effect.sleep(UPDATE_INTERVAL), update))
  return yield* Effect.raceFirst(
    run((progress) => {
      latest = progress
    }),
    ticker
  ).pipe(Effect.ensuring(progress("")))
})

/** Returns the lines of a report; none for a later run without changes. */
export const lines = (
  { bytes, cloned, failures, fetched, isDiskFull, isTruncated, missing, total, unchanged }: CloneReport,
  owner: string,
  host: string,
  isFirst: boolean
): ReadonlyArray<string> => {
  const counts = `${cloned} cloned, ${fetched} fetched, ${unchanged} unchanged, ${failures.length} failed`
  const summary = `${owner} on ${host}: ${NumberFormat.quantity(total, "repository", "repositories")} (${counts}), ${NumberFormat.bytes(bytes)} received.`
  return [
    ...(isFirst || cloned + fetched + failures.length > 0 ? [summary] : []),
    ...failures
      .slice(0, MAX_NAMED)
      .map(({ name, reason }) => `  ${Terminal.escape(name)} failed: ${Terminal.escape(reason)}`),
    ...(failures.length > MAX_NAMED ? [`  and ${failures.length - MAX_NAMED} more`] : []),
    ...(isDiskFull ? ["  Free some disk space, or name a folder on another disk with --data."] : []),
    ...(failures.length > 0 ? ["  The next run tries them again: in 15 minutes, or at the next start."] : []),
    ...(isFirst && total === 0 && failures.length === 0
      ? ["  The token sees no repository that --include, --exclude and --forks select."]
      : []),
    ...(isFirst && missing.length > 0
      ? [
          `  No longer on ${host}, or not visible to this token; kept in the data folder: ` +
            missing
              .slice(0, MAX_NAMED)
              .map((name) => Terminal.escape(name))
              .join(", ") +
            (missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : "")
        ]
      : []),
    ...(isFirst && isTruncated ? [`  ${owner} has more repositories than are listed.`] : [])
  ]
}
