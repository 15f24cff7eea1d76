/** The tool `limits`: the rate limits that this process knows, and why requests wait. Sends no request. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { BudgetStatus, CounterStatus, WaitingRequests, WindowStatus } from "@tongs/core/limits/BudgetStatus"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { Item } from "../answer/Answer.ts"
import * as Tool from "../call/Tool.ts"

export const make = (): Tool.Tool =>
  Tool.make({
    name: "limits",
    description: "Show the rate limits, who uses them, and why requests wait.",
    uses: [],
    input: Schema.Struct({}),
    run: (_, { limits, now }) =>
      Effect.map(limits, (status) => ({
        source: {},
        items: describe(status, now),
        notes: notes(status)
      }))
  })

/** Returns notes on limits that are unknown, absent or hardly used. */
const notes = (status: BudgetStatus): ReadonlyArray<string> => {
  if (status.limits === "unknown") return ["No limit is known yet: the first response of the forge states them."]
  if (status.limits === "none") return ["This forge has no rate limits."]
  return [
    ...(status.limits === "silent" ? ["This forge does not report its limits."] : []),
    ...(status.meters.every(({ limit, used }) => used < limit * NOTABLE)
      ? ["Points, new content and CPU time of the last minutes: less than 10 % used."]
      : [])
  ]
}

/** Maximum number of counters to show, the fullest first. */
const MAX_COUNTERS = 5

/** Share of the limit from which a counter is shown. A counter with a smaller share cannot explain a wait. */
const NOTABLE = 0.1

/** Describes the state of the scheduler in sentences, first the sentences that explain a wait. */
export const describe = (status: BudgetStatus, now: number): ReadonlyArray<Item> => {
  const { holders, inFlight, limits, meters, pausedUntil, waiting, windows } = status
  const others = holders.filter(({ isThis }) => !isThis)
  const notable = meters.filter(({ limit, used }) => used >= limit * NOTABLE)
  return [
    ...(pausedUntil === undefined || pausedUntil <= now
      ? []
      : [
          {
            data: { paused_seconds: seconds(pausedUntil, now) },
            text: `Paused: the forge refused a request. Requests continue ${after(pausedUntil, now)}.`
          }
        ]),
    ...waiting.map((one) => showWaiting(one, "this process", now)),
    ...others.flatMap(({ name, pid, waiting: theirs }) =>
      theirs.map((one) => showWaiting(one, `${name} (${pid})`, now))
    ),
    ...(limits === "none" ? [] : windows.map((window) => showWindow(window, now))),
    ...(limits === "none" ? [] : notable.slice(0, MAX_COUNTERS).map((counter) => showCounter(counter, now))),
    ...(limits === "unknown" && inFlight === 0
      ? []
      : [
          {
            data: { in_flight: inFlight },
            text: `${NumberFormat.quantity(inFlight, "request")} in flight${others.length === 0 ? "." : ", in all processes."}`
          }
        ]),
    ...others.map(({ host, inFlight: theirs, name, pid, waiting: queue }) => ({
      data: { process: name, pid, host, in_flight: theirs, waiting: queue.reduce((sum, { count }) => sum + count, 0) },
      text: `${name} (${pid} on ${host}) shares the limits: ${theirs} in flight, ${queue.reduce((sum, { count }) => sum + count, 0)} waiting.`
    }))
  ]
}

/** Returns why the requests of this process wait, and until when; undefined if no request waits. */
export const waitReason = (status: BudgetStatus | undefined, now: number): string | undefined => {
  const [first] = status?.waiting ?? []
  return first === undefined ? undefined : showWaiting(first, "this process", now).text
}

const seconds = (time: number, now: number): number => Math.max(0, Math.ceil((time - now) / 1_000))

const after = (time: number, now: number): string => `in ${NumberFormat.format(seconds(time, now))} s`

const showWindow = ({ limit, remaining, reset, resource, used }: WindowStatus, now: number): Item => {
  const left = reset <= now ? limit : remaining
  const state = reset <= now ? "has reset" : used === 0 ? "unused" : `full again ${after(reset, now)}`
  return {
    data: { resource, limit, used, remaining: left, reset_seconds: seconds(reset, now) },
    text: `${resource}: ${NumberFormat.format(left)} of ${NumberFormat.format(limit)} requests left, ${state}.`
  }
}

const showCounter = ({ limit, name, until, used }: CounterStatus, now: number): Item => ({
  data: { counter: name, limit, used: Math.ceil(used), empty_seconds: seconds(until, now) },
  text: `${name === "cpu" ? "CPU time in ms a minute" : name}: ${NumberFormat.format(Math.ceil(used))} of ${NumberFormat.format(limit)} used, empty ${after(until, now)}.`
})

const showWaiting = (waiting: WaitingRequests, process: string, now: number): Item => {
  const { count, endpoint, priority, until } = waiting
  const end = until === undefined ? "after the next response" : after(until, now)
  return {
    data: {
      process,
      waiting: count,
      endpoint,
      priority,
      reason: waiting.reason,
      ...(until === undefined ? {} : { seconds: seconds(until, now) })
    },
    text: `${NumberFormat.quantity(count, "request")} of ${process} to ${endpoint} ${count === 1 ? "waits" : "wait"} (${priority} priority), ${reasonOf(waiting)}: sent ${end}.`
  }
}

const reasonOf = ({ reason, resource, until }: WaitingRequests): string => {
  switch (reason) {
    case "primary":
      return until === undefined
        ? `because the limit of ${resource} is not known yet`
        : `because the requests of ${resource} are used up`
    case "reserve":
      return `because the last requests of ${resource} are reserved for higher priorities`
    case "points":
      return "because the points of this endpoint for one minute are used up"
    case "content":
      return "because the limit of new content is used up"
    case "tokens":
      return "because the limit of token requests is used up"
    case "cpu":
      return "because the CPU time for one minute is used up"
    case "pause":
      return "because the forge refused a request"
    case "probe":
      return "because one request first tests whether the forge accepts requests again"
    case "concurrency":
      return "because the maximum number of concurrent requests is in flight"
    case undefined:
      return "behind other requests"
  }
}
