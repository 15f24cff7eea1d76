/** Why a command waits: for a rate limit, or for a late response of a remote forge. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import { DEFAULT_TIMEOUT } from "@tongs/core/client/steps/AttemptTimeout"
import { DEFAULT_TOTAL_TIMEOUT } from "@tongs/core/client/steps/Retry"
import { Forge } from "@tongs/core/client/Forge"
import type { WaitingRequests } from "@tongs/core/limits/BudgetStatus"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as RelativeTime from "@tongs/core/text/RelativeTime"

/** Milliseconds after which a wait for a rate limit is reported. */
const LEAST_WAIT = 1_000

export interface CurrentWait {
  readonly kind: "limit" | "answer" | "repeat"
  /** The reason, and the maximum duration of the wait, as a clause. */
  readonly text: string
  /** True if the wait is known to be longer than a second. */
  readonly isLong: boolean
}

/** Returns the reason why the command waits now; undefined if the command does not wait. */
export const current = Effect.gen(function* () {
  const limit = yield* rateLimit
  if (limit !== undefined) return limit
  const { lateReason = Effect.undefined } = yield* Connection
  const late = yield* lateReason
  switch (late?._tag) {
    case "NoAnswer":
      return wait("answer", `no answer after ${late.seconds} s, waiting up to ${DEFAULT_TIMEOUT / 1000} s`, true)
    case "Repeats":
      return wait("repeat", `${late.detail}, trying again for up to ${DEFAULT_TOTAL_TIMEOUT / 1000} s`, true)
    case undefined:
      return undefined
  }
})

const wait = (kind: CurrentWait["kind"], text: string, isLong: boolean): CurrentWait => ({ kind, text, isLong })

const rateLimit = Effect.gen(function* () {
  const { scope } = yield* Forge
  const now = yield* Clock.currentTimeMillis
  const view = (yield* (yield* Scheduler).status).find((one) => one.scope === scope)
  const waiting = (view?.waiting ?? []).filter(({ until }) => until === undefined || until - now > LEAST_WAIT)
  const first = waiting.find(({ until }) => until !== undefined) ?? waiting[0]
  if (first === undefined) return undefined
  const end = first.until === undefined ? "" : ` lifts ${RelativeTime.format(first.until, now)}`
  return wait("limit", `rate limit (${describe(first)})${end}`, first.until !== undefined)
})

/** Returns a short text for the limit or condition that a request waits for. */
export const describe = ({ reason, resource }: Pick<WaitingRequests, "reason" | "resource">): string => {
  switch (reason) {
    case "primary":
      return `${resource} window`
    case "reserve":
      return `${resource} reserve`
    case "points":
      return "points"
    case "content":
      return "content creation"
    case "tokens":
      return "token requests"
    case "cpu":
      return "CPU time"
    case "pause":
      return "pause after a refusal"
    case "probe":
      return "probe request"
    case "concurrency":
      return "concurrency limit"
    case undefined:
      return "queue"
  }
}
