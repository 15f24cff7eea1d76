/**
 * Facts about a call that the steps of the pipeline need beside the request. A fiber reference carries them, so that every
 * step stays a function from HttpClient to HttpClient.
 */
import * as Context from "effect/Context"
import type { Priority } from "../limits/RequestClass.ts"

/** Facts about the call that a request belongs to. */
export interface CallContext {
  /** The route, for example `GET /repos/:owner/:repo`. The secondary limit counts points by it. */
  readonly endpoint: string
  /** The rate limit resource that counts the request; `none` for an unmetered one. */
  readonly resource: string
  /** Points of the secondary limit, if they differ from those of the method. */
  readonly points?: number
  readonly priority: Priority
  /** Latest time to send the request, in epoch milliseconds. */
  readonly deadline?: number
  /** Time limit of one attempt in milliseconds. */
  readonly timeout?: number
  /** Maximum age of a cached response in milliseconds. */
  readonly staleFor?: number
  /** True if the caller gave headers. The response can depend on them, so it is neither shared nor cached. */
  readonly hasHeaders?: boolean
  /** True if a 302 is the response, because `Download` follows it without the pipeline. */
  readonly isDownload?: boolean
}

/** The call of the current fiber. */
export const CallContext = Context.Reference<CallContext>("@tongs/core/client/CallContext", {
  defaultValue: () => ({ endpoint: "", resource: "core", priority: "normal" })
})
