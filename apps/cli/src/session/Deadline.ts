import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CallOptions } from "@tongs/core/client/CallOptions"

/** Milliseconds that a request may wait for its rate limit. After that the command fails and names the time to retry. */
const LONGEST_WAIT = 60_000

/** Call options for a request that the user waits for, with a deadline from now. */
export const interactive = Effect.map(Clock.currentTimeMillis, (now): CallOptions => ({
  priority: "interactive",
  deadline: now + LONGEST_WAIT
}))
