import * as Effect from "effect/Effect"
import { RateLimit } from "@tongs/core/contract/RateLimit"
import { group } from "../http/Handlers.ts"
import { Limits } from "../http/Limits.ts"
import * as Refusal from "../http/Refusal.ts"

export const make = Effect.gen(function* () {
  const limits = yield* Limits
  return group(RateLimit)({
    *get(_, { address, caller }) {
      const status = yield* limits.status(caller, address)
      // A forge whose limits are off answers so (spec part 4, "Rate limits").
      return status ?? (yield* Refusal.notFound("Rate limiting is not enabled."))
    }
  })
})
