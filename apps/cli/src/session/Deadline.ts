/** How a request is made for which somebody waits: ahead of others, and not for longer than a person would. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CallOptions } from "@tongs/core/client/CallOptions"

/** How long a request may wait for budget before the command ends with the time at which it could be made, in milliseconds. */
const LONGEST_WAIT = 60_000

/** Options of a call, from now on. */
export const interactive = Effect.map(Clock.currentTimeMillis, (now): CallOptions => ({
  priority: "interactive",
  deadline: now + LONGEST_WAIT
}))
