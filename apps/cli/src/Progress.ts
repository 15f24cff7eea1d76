/** What a person sees of a list that takes its time: how far it is, and what it waits for. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as Ago from "@tongs/core/text/Ago"
import * as Count from "@tongs/core/text/Count"
import { Output } from "./Output.ts"

/** After so long the state shows on stderr, and then again and again. */
const PERIOD = "1 second"

/** All items of a stream; where it takes longer than a second, its state shows on stderr meanwhile. */
export const collect = Effect.fnUntraced(function* <A, E, R>(items: Stream.Stream<A, E, R>) {
  const collected: Array<A> = []
  yield* watched(
    Stream.runForEach(items, (item) => Effect.sync(() => collected.push(item))),
    () => collected.length
  )
  const result: ReadonlyArray<A> = collected
  return result
})

/** The same for whatever goes through items itself; `count` is how far it is. */
export const watched = <A, E, R>(self: Effect.Effect<A, E, R>, count: () => number) =>
  during(
    self,
    Effect.sync(() => `${Count.noun(count(), "item")} …`)
  )

/** The same for whatever tells itself how far it is. */
export const during = Effect.fnUntraced(function* <A, E, R>(self: Effect.Effect<A, E, R>, far: Effect.Effect<string>) {
  const { progress } = yield* Output
  let isShown = false
  const tell = Effect.flatMap(Effect.all([far, waiting]), ([far, wait]) => {
    isShown = true
    return progress(`${far}${wait}`)
  })
  const ticker = Effect.forever(Effect.andThen(Effect.sleep(PERIOD), tell))
  const clear = Effect.suspend(() => (isShown ? progress("") : Effect.void))
  return yield* Effect.raceFirst(self, ticker).pipe(Effect.ensuring(clear))
})

const waiting = Effect.gen(function* () {
  const { scope } = yield* Forge
  const view = (yield* (yield* Scheduler).view).find((one) => one.scope === scope)
  const until = view?.waiting.map((one) => one.until).find((time) => time !== undefined)
  if (until === undefined) return ""
  return ` waiting for budget, which is there ${Ago.format(until, yield* Clock.currentTimeMillis)}`
})
