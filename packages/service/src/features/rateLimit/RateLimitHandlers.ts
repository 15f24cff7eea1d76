import * as Effect from "effect/Effect"
import { RateLimit } from "@tongs/core/contract/groups/RateLimit"
import { group } from "../../api/Handlers.ts"
import { RateLimits } from "../../access/RateLimits.ts"
import * as ApiError from "../../api/ApiError.ts"

export const make = Effect.gen(function* () {
  const limits = yield* RateLimits
  return group(RateLimit)({
    *get(_, { address, caller }) {
      const status = yield* limits.status(caller, address)
      // A forge without rate limits answers 404.
      return status ?? (yield* ApiError.notFound("Rate limiting is not enabled."))
    }
  })
})
