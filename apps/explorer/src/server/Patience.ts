/** How a request that a person waits for is made: before all others, and not for long. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CallOptions } from "@tongs/core/client/CallOptions"

/** Milliseconds that a person waits for budget; a request that would wait longer says until when instead. */
const PATIENCE = 5_000

export const interactive = Effect.map(
  Clock.currentTimeMillis,
  (now) => ({ priority: "interactive", deadline: now + PATIENCE }) satisfies CallOptions
)
