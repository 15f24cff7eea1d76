/** The state of the primary limits. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"

/** The state of one rate limit window. `reset` is in UTC epoch seconds. */
export const Window = Schema.Struct({
  limit: Schema.Int,
  used: Schema.Int,
  remaining: Schema.Int,
  reset: Schema.Int
}).annotate({ identifier: "RateLimitWindow" })
export type Window = typeof Window.Type

/** The rate limit windows of the primary limit, by resource. */
export const RateLimitStatus = Schema.Struct({
  resources: Schema.StructWithRest(
    Schema.Struct({
      core: Window,
      search: Schema.optionalKey(Window),
      code_search: Schema.optionalKey(Window),
      graphql: Schema.optionalKey(Window)
    }),
    [Schema.Record(Schema.String, Schema.Union([Window, Schema.Undefined]))]
  ),
  /** Removed in version 2026-03-10: read `resources.core`. */
  rate: Schema.optionalKey(Window)
}).annotate({ identifier: "RateLimitStatus" })
export type RateLimitStatus = typeof RateLimitStatus.Type

/** Endpoint of the rate limit. */
export class RateLimit extends Group.make("rateLimit", () => [
  HttpApiEndpoint.get("get", "/rate_limit", { success: RateLimitStatus, error: notFound }).annotateMerge(
    Operation.annotations({
      operationId: "rate-limit/get",
      summary: "Get the state of the rate limits",
      words: "quota, budget",
      description: "Does not count against the primary limit. Fails with 404 if the forge has no limits.",
      answers: { no: "This forge has no rate limits" },
      public: true,
      resource: "none"
    })
  )
]) {}
