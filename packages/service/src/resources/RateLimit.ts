import * as Effect from "effect/Effect"
import { RateLimit } from "@tongs/core/contract/RateLimit"
import { group } from "../http/Handlers.ts"
import * as Refusal from "../http/Refusal.ts"

export const make = Effect.succeed(
  group(RateLimit)({
    // A forge whose limits are off answers so (spec part 4, "Rate limits").
    *get() {
      return yield* Refusal.notFound("Rate limiting is not enabled.")
    }
  })
)
