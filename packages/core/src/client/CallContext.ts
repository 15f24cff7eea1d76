/**
 * What the pipeline knows of the call that a request belongs to, beside the request itself. It travels with the fiber,
 * so that every step stays a function from HttpClient to HttpClient.
 */
import * as Context from "effect/Context"
import type { Priority } from "../limits/Budget.ts"

export interface CallContext {
  /** The route, as `GET /repos/:owner/:repo`: what the points of the secondary limit are counted by. */
  readonly endpoint: string
  /** The rate limit resource that counts it; `none` costs nothing. */
  readonly resource: string
  /** Points of the secondary limit, where they are not those of the method. */
  readonly points?: number
  readonly priority: Priority
  /** Epoch milliseconds by which the request must have left. */
  readonly deadline?: number
  /** Milliseconds that a try may take. */
  readonly timeout?: number
  /** Milliseconds that a kept answer may be old. */
  readonly staleFor?: number
  /** Whether the caller gave headers, which the response can depend on: it is neither shared nor cached. */
  readonly hasHeaders?: boolean
  /** Whether the address that a 302 gives is the answer: `Download` goes there itself. */
  readonly isDownload?: boolean
}

export const CallContext = Context.Reference<CallContext>("@tongs/core/client/CallContext", {
  defaultValue: () => ({ endpoint: "", resource: "core", priority: "normal" })
})
