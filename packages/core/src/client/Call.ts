/**
 * What the pipeline knows of the call that a request belongs to, beside the request itself. It travels with the fiber,
 * so that every step stays a function from HttpClient to HttpClient.
 */
import * as Context from "effect/Context"

/** Who is waiting: a person, a program, or nobody in particular. */
export type Priority = "interactive" | "normal" | "background"

export interface CallOptions {
  /** `normal` by default. */
  readonly priority?: Priority
  /** Epoch milliseconds by which the request must have left, or fail with `RateLimited` at once. */
  readonly deadline?: number
  /** A form of the answer beyond plain JSON (spec part 1 §1.3), where the endpoint has it. */
  readonly mediaType?: "text-match" | "text" | "html" | "full"
}

export interface Call {
  /** The route, as `GET /repos/:owner/:repo`: what the points of the secondary limit are counted by. */
  readonly endpoint: string
  /** The rate limit resource that counts it; `none` costs nothing. */
  readonly resource: string
  /** Points of the secondary limit, where they are not those of the method. */
  readonly points?: number
  readonly priority: Priority
  /** Epoch milliseconds by which the request must have left. */
  readonly deadline?: number
  /** Whether it redirects to a URL that is its own permission: no credential goes there, on the same origin either. */
  readonly toSigned?: boolean
}

export const Call = Context.Reference<Call>("@tongs/core/client/Call", {
  defaultValue: () => ({ endpoint: "", resource: "core", priority: "normal" })
})
