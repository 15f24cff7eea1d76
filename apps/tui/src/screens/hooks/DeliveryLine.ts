/** The form of a webhook's delivery in lists: result, event, age and duration. */
import type { HookDelivery, HookDeliverySummary } from "@tongs/core/contract/groups/Hooks"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line, Role, Span } from "../../text/StyledLine.ts"

type Delivery = HookDeliverySummary | HookDelivery

/** Returns true if the receiver refused the delivery or was not reached. */
export const isFailed = ({ status_code }: Delivery): boolean => status_code < 200 || status_code >= 400

/** Returns the role of the result of a delivery. */
export const roleOf = (delivery: Delivery): Role => (isFailed(delivery) ? "error" : "success")

/** Returns the sign of the result, which is visible without colors too. */
export const sign = (delivery: Delivery): Span => StyledLine.span(isFailed(delivery) ? "✗" : "✓", roleOf(delivery))

/** Returns the event with its action: `push`, `repository created`. */
export const eventOf = ({ action, event }: Delivery): string =>
  action === null || action === "" ? event : `${event} ${action}`

/** Returns the status code and the status, for example `502 Bad Gateway`. */
export const statusOf = ({ status, status_code }: Delivery): string =>
  status === "" ? String(status_code) : `${status_code} ${status}`

/** Returns the duration of a delivery: `210 ms`, `1.4 s`. */
export const durationOf = ({ duration }: Delivery): string =>
  duration < 1 ? `${Math.round(duration * 1_000)} ms` : `${Number(duration.toFixed(1))} s`

export const ageOf = ({ delivered_at }: Delivery, now: number): string =>
  RelativeTime.format(Date.parse(delivered_at), now)

/** Returns the cells of a delivery: result, event, status, attempt, duration and age. */
export const cells = (delivery: Delivery, now: number): ReadonlyArray<Line> => [
  [sign(delivery)],
  StyledLine.line(eventOf(delivery), isFailed(delivery) ? "strong" : "plain"),
  StyledLine.line(statusOf(delivery), roleOf(delivery)),
  StyledLine.line(delivery.redelivery ? "again" : "", "accent"),
  StyledLine.line(durationOf(delivery), "muted"),
  StyledLine.line(ageOf(delivery, now), "muted")
]

/** Returns the failed deliveries without a later successful attempt, newest first. */
export const open = (all: ReadonlyArray<Delivery>): ReadonlyArray<Delivery> => {
  const delivered = new Set<string>()
  const found: Array<Delivery> = []
  for (const delivery of all) {
    if (!isFailed(delivery)) delivered.add(delivery.guid)
    else if (!delivered.has(delivery.guid)) found.push(delivery)
  }
  return found
}
