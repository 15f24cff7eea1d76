/** The progress of a long command: one line that changes on a terminal, otherwise a line from time to time. */
import * as Effect from "effect/Effect"
import { Output } from "../base/Output.ts"

/** Seconds between two lines without a terminal. */
const LINE_SECONDS = 10

/** Creates a progress whose `line` the command changes. */
export const make = Effect.map(Output, ({ note, progress, showsProgress }) => {
  const state = {
    line: "",
    /** Shows the line until an effect ends. */
    during: <A, E, R>(effect: Effect.Effect<A, E, R>) => {
      let seconds = 0
      const ticker = Effect.forever(
        Effect.andThen(
          Effect.sleep("1 second"),
          Effect.suspend(() => {
            seconds += 1
            if (showsProgress) return progress(state.line)
            return state.line === "" || seconds % LINE_SECONDS !== 0 ? Effect.void : note(`tongs: ${state.line}`)
          })
        )
      )
      return Effect.ensuring(
        Effect.raceFirst(effect, ticker),
        Effect.suspend(() => (showsProgress ? progress("") : Effect.void))
      )
    }
  }
  return state
})
