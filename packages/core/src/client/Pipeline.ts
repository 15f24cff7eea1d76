/**
 * The engine's table of contents: what happens to a request, in order, from the call to the socket. Each step is a
 * function from HttpClient to HttpClient in the file of its name. Answers come back through the same steps, last first.
 */
import { pipe } from "effect/Function"
import type * as Scope from "effect/Scope"
import type * as HttpClient from "effect/http/HttpClient"
import type { Dialect } from "../contract/Dialect.ts"
import type { Scheduler } from "../limits/Scheduler.ts"
import * as Admission from "./Admission.ts"
import * as AttemptTimeout from "./AttemptTimeout.ts"
import * as Coalesce from "./Coalesce.ts"
import * as ConditionalCache from "./ConditionalCache.ts"
import * as Credentials from "./Credentials.ts"
import * as DefaultHeaders from "./DefaultHeaders.ts"
import type * as Redactor from "./Redactor.ts"
import * as Redirect from "./Redirect.ts"
import type { ResponseStore } from "./ResponseStore.ts"
import * as Retry from "./Retry.ts"
import * as StaleWhileRevalidate from "./StaleWhileRevalidate.ts"
import * as Trace from "./Trace.ts"

export interface PipelineOptions {
  readonly transport: HttpClient.HttpClient
  readonly scheduler: Scheduler["Service"]
  readonly responseStore: ResponseStore
  /** One credential on one host (`Credentials.scope`). */
  readonly scope: string
  readonly dialect: Dialect
  readonly token: Credentials.Token | Credentials.Credential | undefined
  readonly version: string
  readonly userAgent: string
  /** Milliseconds that a try may take. */
  readonly timeout: number | undefined
  readonly redactor: Redactor.Redactor
  readonly totalTimeout: number | undefined
  readonly maxWait: number | undefined
  readonly maxBody: number
  /** How long the client lives, where that is known: what it does in the background ends with it. */
  readonly lifetime: Scope.Scope | undefined
}

/** Reads from the last step to the first: the transport is innermost. */
export const make = (options: PipelineOptions) =>
  pipe(
    options.transport,
    Trace.traceRequest,
    Redirect.make,
    AttemptTimeout.make(options.timeout, options.maxBody),
    Retry.make(options),
    Admission.make(options.scheduler, options.scope, options.maxWait),
    ConditionalCache.make(options.scope, options.responseStore),
    Coalesce.make(options.scope),
    StaleWhileRevalidate.make(options.scope, options.responseStore, options.lifetime),
    // What only changes the request runs before all of the above, in this order.
    DefaultHeaders.make(options),
    Credentials.make(options.token, options.redactor.addSecret),
    Trace.make(options.redactor.text)
  )
