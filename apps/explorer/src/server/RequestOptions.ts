/** Options of the requests that a user waits for. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CallOptions } from "@tongs/core/client/CallOptions"

/** Longest wait for the rate-limit budget in milliseconds. A request that would wait longer fails at once. */
const MAX_WAIT = 5_000

export const interactive = Effect.map(
  Clock.currentTimeMillis,
  (now) => ({ priority: "interactive", deadline: now + MAX_WAIT }) satisfies CallOptions
)

/** Options of requests that fill a view in the background, and leave budget for interactive requests. */
export const background = Effect.map(
  interactive,
  ({ deadline }) => ({ priority: "background", deadline }) satisfies CallOptions
)
