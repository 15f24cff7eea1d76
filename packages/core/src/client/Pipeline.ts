/**
 * The engine's table of contents: what happens to a request, in order, from the call to the socket. Each step is a
 * function from HttpClient to HttpClient in the file of its name. Answers come back through the same steps, last first.
 */
import { pipe } from "effect/Function"
import type * as Scope from "effect/Scope"
import type * as HttpClient from "effect/http/HttpClient"
import type { Dialect } from "../contract/Dialect.ts"
import type { Scheduler } from "../limits/Scheduler.ts"
import type { AnswerStore } from "./AnswerStore.ts"
import * as Attempt from "./Attempt.ts"
import * as Coalesce from "./Coalesce.ts"
import * as ConditionalCache from "./ConditionalCache.ts"
import * as Credentials from "./Credentials.ts"
import type * as Redact from "./Redact.ts"
import * as Redirect from "./Redirect.ts"
import * as Retry from "./Retry.ts"
import * as Schedule from "./Schedule.ts"
import * as Stale from "./Stale.ts"
import * as Trace from "./Trace.ts"
import * as Version from "./Version.ts"

export interface Options {
  readonly transport: HttpClient.HttpClient
  readonly scheduler: Scheduler["Service"]
  readonly answers: AnswerStore
  /** One credential on one host (`Credentials.scope`). */
  readonly scope: string
  readonly dialect: Dialect
  readonly token: Credentials.Token | Credentials.Credential | undefined
  readonly version: string
  readonly userAgent: string
  /** Milliseconds that a try may take. */
  readonly timeout: number | undefined
  readonly redact: Redact.Redact
  readonly totalTimeout: number | undefined
  readonly maxWait: number | undefined
  readonly maxBody: number
  /** How long the client lives, where that is known: what it does in the background ends with it. */
  readonly life: Scope.Scope | undefined
}

/** Reads from the last step to the first: the transport is innermost. */
export const make = (options: Options) =>
  pipe(
    options.transport,
    Trace.wire,
    Redirect.make,
    Attempt.make(options.timeout, options.maxBody),
    Retry.make(options),
    Schedule.make(options.scheduler, options.scope, options.maxWait),
    ConditionalCache.make(options.scope, options.answers),
    Coalesce.make(options.scope),
    Stale.make(options.scope, options.answers, options.life),
    // What only changes the request runs before all of the above, in this order.
    Version.make(options),
    Credentials.make(options.token, options.redact.add),
    Trace.make(options.redact.text)
  )
