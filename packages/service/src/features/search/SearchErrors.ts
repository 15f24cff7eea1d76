/** Errors of searches. */
import * as Effect from "effect/Effect"
import * as ApiError from "../../api/ApiError.ts"
import { MAX_RESULTS } from "../../search/SearchResults.ts"

/** Message for a query that only names repositories and accounts that the caller cannot see. */
export const UNKNOWN_TARGETS =
  "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them."

export const refuse = (messages: ReadonlyArray<string>) =>
  ApiError.invalid(
    "Validation Failed",
    messages.map((message) => ({ resource: "Search", field: "q", code: "invalid", message }))
  )

/** Fails for a page after the last result. */
export const requireOffset = (offset: number) =>
  offset < MAX_RESULTS
    ? Effect.void
    : Effect.fail(ApiError.invalid(`Only the first ${MAX_RESULTS} search results are available`))

/** Fails for a query that only names repositories and accounts that the caller cannot see. */
export const refuseUnknown = () => refuse([UNKNOWN_TARGETS])
