/**
 * The steps of a request in order, from the call to the socket. Each step is a function from HttpClient to HttpClient,
 * in the file with the same name. Responses pass through the same steps in reverse.
 */
import { pipe } from "effect/Function"
import type * as Scope from "effect/Scope"
import type * as HttpClient from "effect/http/HttpClient"
import type { Dialect } from "../contract/Dialect.ts"
import type { Scheduler } from "../limits/Scheduler.ts"
import * as Admission from "./steps/Admission.ts"
import * as AttemptTimeout from "./steps/AttemptTimeout.ts"
import * as Authorization from "./steps/Authorization.ts"
import * as Coalesce from "./steps/Coalesce.ts"
import * as ConditionalCache from "./steps/ConditionalCache.ts"
import type { Credential, Token } from "./Credential.ts"
import * as DefaultHeaders from "./steps/DefaultHeaders.ts"
import type * as Redactor from "./Redactor.ts"
import * as Redirect from "./steps/Redirect.ts"
import type { ResponseStore } from "./ResponseStore.ts"
import * as Retry from "./steps/Retry.ts"
import * as StaleWhileRevalidate from "./steps/StaleWhileRevalidate.ts"
import type { Telemetry } from "./Telemetry.ts"
import * as Trace from "./Trace.ts"
import type { Wait } from "./WaitLog.ts"

export interface PipelineOptions {
  readonly transport: HttpClient.HttpClient
  readonly scheduler: Scheduler["Service"]
  readonly responseStore: ResponseStore
  /** Rate-limit scope: one credential on one host (`Credential.scopeOf`). */
  readonly scope: string
  readonly dialect: Dialect
  readonly token: Token | Credential | undefined
  readonly version: string
  readonly userAgent: string
  /** Time limit of one attempt in milliseconds. */
  readonly timeout: number | undefined
  readonly redactor: Redactor.Redactor
  /** Receives the events of calls. Undefined: none. */
  readonly telemetry: Telemetry | undefined
  readonly totalTimeout: number | undefined
  readonly maxWait: number | undefined
  readonly onWait: ((wait: Wait) => void) | undefined
  readonly maxBody: number
  /** Returns the route of the contract for a raw route. */
  readonly matchRoute: (route: string) => string
  /** Lifetime of the client, if known. Background work ends with the client. */
  readonly lifetime: Scope.Scope | undefined
}

/** Creates the pipeline around the transport, so the steps are listed from the last to the first. */
export const make = (options: PipelineOptions) =>
  pipe(
    options.transport,
    Trace.traceRequest,
    Redirect.make,
    AttemptTimeout.make(options.timeout, options.maxBody),
    Retry.make(options),
    Admission.make(options.scheduler, options.scope, options),
    ConditionalCache.make(options.scope, options.responseStore),
    Coalesce.make(options.scope),
    StaleWhileRevalidate.make(options.scope, options.responseStore, options.lifetime),
    // These steps only change the request, and run before the steps listed above, in this order.
    DefaultHeaders.make(options),
    Authorization.make(options.token, options.redactor.addSecret),
    Trace.make(options.telemetry)
  )
