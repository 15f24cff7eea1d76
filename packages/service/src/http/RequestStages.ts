/**
 * A request after each step. A step creates the next stage and changes none, so that an error is answered with what was
 * known when the step failed.
 */
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Version } from "@tongs/core/contract/Versions"
import type { Caller } from "../access/Caller.ts"
import type { RateLimitDecision } from "../access/RateLimits.ts"
import type { RequestTarget } from "../api/RequestTarget.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"
import type { MatchedRoute } from "./Routes.ts"

export interface VersionedRequest extends IncomingRequest {
  readonly version: Version
}

export interface IdentifiedRequest extends VersionedRequest {
  readonly caller: Caller
}

export interface RoutedRequest extends IdentifiedRequest {
  readonly found: MatchedRoute
}

/** A request whose repository or account exists and is visible to the caller. */
export interface TargetedRequest extends RoutedRequest {
  readonly target: RequestTarget
}

/** A request at any stage. `admission` is set if rate limits count the request. */
export interface KnownRequest extends IncomingRequest, Partial<Omit<TargetedRequest, keyof IncomingRequest>> {
  readonly admission?: RateLimitDecision
}

/** A request at the last stage, with the response. */
export interface AnsweredRequest {
  readonly request: KnownRequest
  readonly response: HttpServerResponse.HttpServerResponse
}
