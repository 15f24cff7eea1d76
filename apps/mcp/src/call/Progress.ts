/** Progress notifications to the client of a call, at most one a second, and none after the end of the call. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as McpSchema from "effect/ai/McpSchema"
import { sanitizeText } from "../text/SafeText.ts"
import type { Call } from "./Call.ts"

/** Sends a progress notification. */
export type Notify = (payload: {
  readonly progressToken: string | number
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}) => Effect.Effect<unknown, unknown>

/** Reports the progress of one call. */
export interface Progress {
  readonly report: Call["reportProgress"]
  /** Runs the call. In each second without a report, reports the reason that `wait` returns. */
  readonly during: <A, E, R>(
    call: Effect.Effect<A, E, R>,
    wait: (seconds: number) => Effect.Effect<string>
  ) => Effect.Effect<A, E, R>
}

/** Minimum milliseconds between two notifications, and before the first one about a wait. */
const INTERVAL = 1_000

/** Maximum milliseconds that the end of a call waits for a notification that is being sent. */
const MAX_SEND = 1_000

/** Progress of a notification about a wait. The protocol requires increasing progress. */
const STEP = 0.001

interface Report {
  readonly progress: number
  readonly total: number | undefined
  readonly message: string
}

/** Creates the progress of a call. Sends nothing unless the client has sent a progress token. */
export const make = ({ requestMetadata }: McpSchema.McpRequestContext["Service"], notify: Notify): Progress => {
  const token: unknown =
    requestMetadata !== undefined && "progressToken" in requestMetadata ? requestMetadata["progressToken"] : undefined
  if (typeof token !== "string" && typeof token !== "number") {
    return { report: () => Effect.void, during: (call) => call }
  }
  let latest: Report = { progress: 0, total: undefined, message: "" }
  /** The latest report that came too early to be sent. */
  let pending: Report | undefined
  let sentAt = Number.NEGATIVE_INFINITY
  let hasEnded = false

  const send = (one: Report, now: number) =>
    Effect.suspend(() => {
      const { message, progress, total } = one
      latest = one
      pending = undefined
      sentAt = now
      return notify({
        progressToken: token,
        progress,
        message: sanitizeText(message),
        ...(total === undefined ? {} : { total })
      })
    }).pipe(
      Effect.timeoutOption(MAX_SEND),
      Effect.ignore,
      // The end of the call waits for the notification, because a notification must not follow the answer.
      Effect.uninterruptible
    )

  const report: Progress["report"] = (progress, total, message) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (hasEnded || progress <= latest.progress) return Effect.void
      const one = { progress, total, message }
      if (now - sentAt >= INTERVAL) return send(one, now)
      pending = one
      return Effect.void
    })

  const reportWaits = Effect.fnUntraced(function* (wait: (seconds: number) => Effect.Effect<string>) {
    const start = yield* Clock.currentTimeMillis
    while (true) {
      const now = yield* Clock.currentTimeMillis
      const due = Math.max(start, sentAt) + INTERVAL
      if (now < due) {
        yield* Effect.sleep(due - now)
        continue
      }
      const waiting = pending ?? {
        progress: Math.round((latest.progress + STEP) * 1_000) / 1_000,
        total: latest.total,
        message: yield* wait(Math.round((now - start) / 1_000))
      }
      yield* send(waiting, now)
    }
  })

  return {
    report,
    during: (call, wait) =>
      Effect.acquireUseRelease(
        Effect.forkChild(reportWaits(wait)),
        () => call,
        (fiber) =>
          Effect.suspend(() => {
            hasEnded = true
            return Fiber.interrupt(fiber)
          })
      )
  }
}
