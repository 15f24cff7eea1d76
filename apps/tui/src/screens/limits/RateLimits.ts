/** The rate limits of the credential, for the screens that show current limits. */
import * as Context from "effect/Context"
import * as AsyncResult from "effect/reactivity/AsyncResult"
import * as Atom from "effect/reactivity/Atom"
import * as Layer from "effect/Layer"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import type { BudgetStatus, WaitingRequests, WindowStatus } from "@tongs/core/limits/BudgetStatus"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type { Environment } from "../../content/Source.ts"

/** Fraction of remaining requests below which a window counts as nearly exhausted. */
export const LOW = 0.1

/** Returns an atom with the limits of the client's scope, which changes with every request. Sends no request. */
export const atom = ({ services }: Pick<Environment, "services">): Atom.Atom<BudgetStatus | undefined> => {
  const { scope } = Context.get(services, Forge)
  const connection = Context.get(services, Connection)
  const runtime = Atom.runtime(Layer.succeedContext(services))
  const statuses = runtime.atom(Context.get(services, Scheduler).changes, { initialValue: [] })
  return Atom.make((get) => {
    const status = AsyncResult.getOrElse(get(statuses), () => []).find((status) => status.scope === scope)
    return status === undefined ? undefined : withoutLimits(status, connection.kind)
  })
}

/**
 * Marks the limits as off if the embedded forge sends no rate-limit headers, because a forge with limits sends headers.
 */
export const withoutLimits = (status: BudgetStatus, kind: "embedded" | "remote"): BudgetStatus =>
  kind === "embedded" && status.limits === "silent" ? { ...status, limits: "none" } : status

/** Returns the share of a window that remains, from 0 to 1. A window that has been reset is full. */
export const remainingShare = ({ limit, remaining, reset }: WindowStatus, now: number): number =>
  reset <= now ? 1 : limit <= 0 ? 0 : Math.max(0, Math.min(1, remaining / limit))

/** Returns the nearly exhausted windows, the emptiest first. */
export const runningDry = (status: BudgetStatus | undefined, now: number): ReadonlyArray<WindowStatus> =>
  (status?.windows ?? [])
    .filter((window) => remainingShare(window, now) < LOW)
    .toSorted((a, b) => remainingShare(a, now) - remainingShare(b, now))

/** Formats the time until a window is reset, for example `12m`. */
export const timeLeft = (milliseconds: number): string => {
  if (milliseconds <= 0) return "now"
  if (milliseconds < 60_000) return `${Math.ceil(milliseconds / 1_000)}s`
  const minutes = Math.ceil(milliseconds / 60_000)
  return minutes < 120 ? `${minutes}m` : `${Math.ceil(minutes / 60)}h`
}

/** Returns why requests wait, as a clause. */
export const waitReason = (waiting: WaitingRequests): string => {
  switch (waiting.reason) {
    case "primary":
      return `the ${waiting.resource} rate limit is used up`
    case "reserve":
      return `the rest of the ${waiting.resource} rate limit is reserved for interactive requests`
    case "points":
      return "the limit of this endpoint per minute is used up"
    case "content":
      return "the limit for creating content is used up"
    case "tokens":
      return "the hourly limit for access tokens is used up"
    case "cpu":
      return "the limit for CPU time on the forge is used up"
    case "pause":
      return "the forge asked for a pause"
    case "probe":
      return "one request is testing whether the pause is over"
    case "concurrency":
      return "the maximum number of concurrent requests is in flight"
    case undefined:
      return "it is next in the queue"
  }
}
