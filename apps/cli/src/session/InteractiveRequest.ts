import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CallOptions } from "@tongs/core/client/CallOptions"

/**
 * Milliseconds that a request may wait for a rate limit. A command with a longer wait fails and reports when to try
 * again.
 */
const LONGEST_WAIT = 60_000

/** Returns call options for requests that the user waits for, with a deadline `LONGEST_WAIT` from now. */
export const interactive = Effect.map(Clock.currentTimeMillis, (now): CallOptions => ({
  priority: "interactive",
  deadline: now + LONGEST_WAIT
}))
