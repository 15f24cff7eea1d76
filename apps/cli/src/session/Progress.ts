/** Shows the progress of slow operations on stderr. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Connection } from "@tongs/connection/Connection"
import type { Page } from "@tongs/core/paging/Page"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"
import * as WaitReason from "./WaitReason.ts"

/** Delay before the first progress line, and between two updates. */
const PERIOD = "1 second"

/** Options for reading many pages of a list. */
export const listOptions = { perPage: 100, concurrency: 6 } as const // literal types

/** Returns the items of a list, and an effect that formats the progress. `maxPages` is the maximum number to read. */
export const trackPages = <A, E, R>(pages: Stream.Stream<Page<A>, E, R>, maxPages = Number.POSITIVE_INFINITY) => {
  let count = 0
  let progress: Page<A>["progress"] | undefined
  const items = pages.pipe(
    Stream.tap((page) =>
      Effect.sync(() => {
        count += page.items.length
        progress = page.progress
      })
    ),
    Stream.flatMap((page) => Stream.fromIterable(page.items))
  )
  const status = Effect.sync(() => {
    if (progress === undefined) return ""
    const of = progress.of === undefined ? "" : ` of ${NumberFormat.format(Math.min(progress.of, maxPages))}`
    return `${NumberFormat.quantity(count, "item")}, page ${NumberFormat.format(progress.pages)}${of} …`
  })
  return { items, status }
}

/** Reads up to `limit` items of a list, and shows the progress. */
export const collect = Effect.fnUntraced(function* <A, E, R>(pages: Stream.Stream<Page<A>, E, R>, limit: number) {
  const { items, status } = trackPages(pages, Math.ceil(limit / listOptions.perPage))
  return yield* show(Stream.runCollect(Stream.take(items, limit)), status)
})

/** Runs an effect, and shows that the command waits for the forge. */
export const showWaiting = <A, E, R>(self: Effect.Effect<A, E, R>) => show(self, Effect.succeed(""))

/**
 * Runs an effect, and shows the status. An empty status means that the effect waits for the forge. Without a terminal,
 * writes one line for each reason to wait, so that no script hangs in silence.
 */
export const show = Effect.fnUntraced(function* <A, E, R>(self: Effect.Effect<A, E, R>, status: Effect.Effect<string>) {
  const { note, progress, showsProgress } = yield* Output
  const { label } = yield* Connection
  const noted = new Set<string>()
  let waitedTicks = 0
  let isShown = false
  const update = Effect.gen(function* () {
    const text = yield* status
    const wait = yield* WaitReason.current
    if (showsProgress) {
      isShown = true
      const waiting = wait === undefined ? "" : `${wait.text}; ${STOP}`
      const start = text === "" ? `Waiting for ${label}${wait === undefined ? " …" : ": "}` : `${text} `
      return yield* progress(`${start}${waiting}`.trimEnd())
    }
    waitedTicks = wait === undefined ? 0 : waitedTicks + 1
    if (wait === undefined || noted.has(wait.kind) || !(wait.isLong || waitedTicks >= LONG_TICKS)) return
    noted.add(wait.kind)
    yield* note(`tongs: waiting for ${label}: ${Terminal.escape(wait.text)}; ${STOP}.`)
  })
  const ticker = Effect.forever(Effect.andThen(Effect.sleep(PERIOD), update))
  const clear = Effect.suspend(() => (isShown ? progress("") : Effect.void))
  return yield* Effect.raceFirst(self, ticker).pipe(Effect.ensuring(clear))
})

/** Number of periods after which a wait without a known end is long. */
const LONG_TICKS = 3

/** The part of a message that names the key to end a wait. */
const STOP = "Ctrl-C stops"
