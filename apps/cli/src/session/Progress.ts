/** What a person sees of something that takes its time: how far it is, and what it waits for. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type { Page } from "@tongs/core/paging/Page"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { Output } from "../base/Output.ts"
import * as WaitReason from "./WaitReason.ts"

/** After so long the state shows on stderr, and then again and again. */
const PERIOD = "1 second"

/** How a list of which more than a page is wanted is read: the pages that are known to be there, so many at a time. */
export const listOptions = { perPage: 100, concurrency: 6 } as const // numbers, as page options have them

/** The items of a list as they come, and how far it is; `most` is how many pages are wanted. */
export const trackPages = <A, E, R>(pages: Stream.Stream<Page<A>, E, R>, most = Number.POSITIVE_INFINITY) => {
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
  const far = Effect.sync(() => {
    if (progress === undefined) return ""
    const of = progress.of === undefined ? "" : ` of ${NumberFormat.format(Math.min(progress.of, most))}`
    return `${NumberFormat.quantity(count, "item")}, page ${NumberFormat.format(progress.pages)}${of} …`
  })
  return { items, far }
}

/** Up to `limit` items of a list; where it takes longer than a second, its state shows on stderr meanwhile. */
export const collect = Effect.fnUntraced(function* <A, E, R>(pages: Stream.Stream<Page<A>, E, R>, limit: number) {
  const { far, items } = trackPages(pages, Math.ceil(limit / listOptions.perPage))
  return yield* show(Stream.runCollect(Stream.take(items, limit)), far)
})

/** The same for one answer. */
export const showWaiting = <A, E, R>(self: Effect.Effect<A, E, R>) => show(self, Effect.succeed(""))

/** The same for whatever tells itself how far it is; until it does, it waits for the forge. */
export const show = Effect.fnUntraced(function* <A, E, R>(self: Effect.Effect<A, E, R>, far: Effect.Effect<string>) {
  const { progress } = yield* Output
  const { label } = yield* Connection
  let isShown = false
  const tell = Effect.flatMap(Effect.all([far, waiting]), ([far, wait]) => {
    isShown = true
    return progress(`${far === "" ? `Waiting for ${label} …` : far}${wait}`)
  })
  const ticker = Effect.forever(Effect.andThen(Effect.sleep(PERIOD), tell))
  const clear = Effect.suspend(() => (isShown ? progress("") : Effect.void))
  return yield* Effect.raceFirst(self, ticker).pipe(Effect.ensuring(clear))
})

const waiting = Effect.gen(function* () {
  const { scope } = yield* Forge
  const view = (yield* (yield* Scheduler).status).find((one) => one.scope === scope)
  const first = view?.waiting.find(({ until }) => until !== undefined) ?? view?.waiting[0]
  if (first === undefined) return ""
  const { until } = first
  const when = until === undefined ? "" : `, available ${RelativeTime.format(until, yield* Clock.currentTimeMillis)}`
  return ` waiting for budget (${WaitReason.describe(first)})${when}`
})
