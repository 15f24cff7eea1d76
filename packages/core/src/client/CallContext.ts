/**
 * Data about a call that the pipeline steps need in addition to the request. A fiber reference carries the data, so
 * that every step remains a function from HttpClient to HttpClient.
 */
import * as Context from "effect/Context"
import type { Priority } from "../limits/RequestClass.ts"

/** Data about the call that a request belongs to. */
export interface CallContext {
  /** Route, for example `GET /repos/:owner/:repo`. The secondary limit counts points by route. */
  readonly endpoint: string
  /** Rate limit resource that counts the request, for example `core`; `none` for a request without a primary limit. */
  readonly resource: string
  /** Points of the secondary limit, if not the default of the HTTP method. */
  readonly points?: number
  readonly priority: Priority
  /** Latest time to send the request, in epoch milliseconds. */
  readonly deadline?: number
  /** Time limit of one attempt in milliseconds. */
  readonly timeout?: number
  /** Maximum age of a cached response in milliseconds. */
  readonly staleFor?: number
  /** True if the caller passed headers. The response can depend on these headers, so is neither shared nor cached. */
  readonly hasHeaders?: boolean
  /** True for a download: the pipeline returns the 302, and `Download` follows the redirect. */
  readonly isDownload?: boolean
}

/** Context of the call that the current fiber makes. */
export const CallContext = Context.Reference<CallContext>("@tongs/core/client/CallContext", {
  defaultValue: () => ({ endpoint: "", resource: "core", priority: "normal" })
})
