/** The rate limits as a document: windows, counters, waiting requests, and the processes that share the limits. */
import type { BudgetStatus, CounterStatus, HolderStatus, WaitingRequests } from "@tongs/core/limits/BudgetStatus"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime, Section } from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import * as Chart from "../../text/Chart.ts"
import { symbols } from "../../text/ChartSymbols.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import * as RateLimits from "./RateLimits.ts"

/** Maximum width of the charts in columns, for readability. */
const MAX_COLUMNS = 100

/** Creates the document. Insights of `organizations` may show the callers that used the limits. */
export const make = (status: BudgetStatus | undefined, organizations: ReadonlyArray<string> = []): Document.Document =>
  Document.make("limits", (columns) => {
    const parts = [
      { title: "Windows", lines: windows(status, Math.min(MAX_COLUMNS, columns)) },
      {
        title: "Used in the last minutes",
        lines: counters(status?.limits === "none" ? [] : (status?.meters ?? []), Math.min(MAX_COLUMNS, columns))
      },
      { title: "Waiting requests", lines: waiting(status, columns) },
      { title: "Processes that share these limits", lines: holders(status) },
      { title: "Who used the limits", lines: users(organizations) }
    ].filter(({ lines }) => lines.length > 0)
    const lines: Array<DocumentLine | LineAtTime> = []
    const sections: Array<Section> = []
    for (const part of parts) {
      if (lines.length > 0) lines.push({ line: StyledLine.empty })
      sections.push({ firstLine: lines.length, title: part.title, label: StyledLine.line(part.title) })
      lines.push({ line: StyledLine.line(part.title, "title") }, ...part.lines)
    }
    return Document.fromLines(lines, { sections })
  })

type Lines = ReadonlyArray<DocumentLine | LineAtTime>

/** Width of the name of a resource. */
const NAME_WIDTH = 22

/** Width of the time to a reset. */
const TIME_WIDTH = 16

const windows = (status: BudgetStatus | undefined, columns: number): Lines => {
  if (status === undefined) return [muted("No requests yet. The limits are known after the first response")]
  if (status.limits === "none") return [muted("This forge has no rate limits")]
  if (status.limits === "silent") return [muted("This forge does not report its rate limits")]
  const sorted = status.windows.toSorted((a, b) => a.resource.localeCompare(b.resource, "en"))
  const name = Math.min(NAME_WIDTH, Math.max(6, Math.floor(columns / 4)))
  const counts = sorted.map(({ limit }) => NumberFormat.format(limit).length)
  const width = Math.max(...counts, 0)
  const lines = sorted.map(({ limit, remaining, reset, resource, used }): LineAtTime => (now) => {
    const isReset = reset <= now
    const gauge = Chart.gauge(
      { value: isReset ? limit : remaining, limit },
      { columns: Math.max(8, columns - name - width - TIME_WIDTH - 4), symbols: "blocks" }
    )
    return {
      line: [
        ...StyledLine.fit(StyledLine.line(resource), name),
        StyledLine.span(" "),
        ...gauge,
        StyledLine.span(` of ${NumberFormat.format(limit).padStart(width)}`, "muted"),
        StyledLine.span(isReset ? "  has reset" : `  resets in ${RateLimits.timeLeft(reset - now)}`, "muted")
      ],
      copy: `${resource}: ${remaining} of ${limit} left, ${used} used`
    }
  })
  const pause: Lines =
    status.pausedUntil === undefined
      ? []
      : [
          (now) => ({
            line: StyledLine.line(
              `The forge asked for a pause, which ends in ${RateLimits.timeLeft((status.pausedUntil ?? now) - now)}`,
              "warning"
            )
          })
        ]
  return [
    ...pause,
    ...(lines.length === 0 ? [muted("No window yet. The limits are known after the first response")] : lines),
    muted(`${NumberFormat.quantity(status.inFlight, "request")} in flight`)
  ]
}

const muted = (text: string): DocumentLine => ({ line: StyledLine.line(text, "muted") })

/** Creates a bar of the used share of each counter, the fullest first. */
const counters = (meters: ReadonlyArray<CounterStatus>, columns: number): Lines => {
  const sorted = meters.toSorted((a, b) => b.used / b.limit - a.used / a.limit)
  const counts = sorted.map(
    ({ limit, used }) => ` ${NumberFormat.format(Math.ceil(used))} of ${NumberFormat.format(limit)} used`
  )
  const count = Math.max(0, ...counts.map((text) => text.length))
  const room = Math.max(8, columns - count)
  const longest = Math.max(0, ...sorted.map(({ name }) => nameOf(name).length))
  const name = Math.min(longest, Math.floor(room * 0.65))
  return sorted.map((counter, index): DocumentLine => {
    return {
      line: [
        ...StyledLine.fit(StyledLine.line(nameOf(counter.name)), name),
        StyledLine.span(" "),
        ...usedBar(counter.limit <= 0 ? 0 : counter.used / counter.limit, room - name - 1),
        ...StyledLine.fit(StyledLine.line((counts[index] ?? "").padStart(count), "muted"), count)
      ],
      copy: `${counter.name}: ${counts[index] ?? ""}`
    }
  })
}

/** Shares of a counter's limit from which the bar is a warning, and an error. */
const HIGH = 0.75
const FULL = 0.95

const usedBar = (share: number, columns: number): Line => {
  const { empty, full } = symbols.blocks.gauge
  const room = Math.max(0, columns - 2)
  const filled = share <= 0 ? 0 : Math.max(1, Math.min(room, Math.round(share * room)))
  return [
    StyledLine.span("[", "muted"),
    StyledLine.span(full.repeat(filled), share >= FULL ? "error" : share >= HIGH ? "warning" : "series1"),
    StyledLine.span(`${empty.repeat(Math.max(0, room - filled))}]`, "muted")
  ]
}

const nameOf = (name: string): string => (name === "cpu" ? "CPU time in milliseconds" : name)

const waiting = (status: BudgetStatus | undefined, columns: number): Lines => {
  if (status === undefined) return []
  const own = status.waiting.map((waiting) => ({ waiting, of: "" }))
  const others = status.holders
    .filter(({ isThis }) => !isThis)
    .flatMap(({ name, pid, waiting }) => waiting.map((waiting) => ({ waiting, of: `${name} (${pid})` })))
  const all = [...own, ...others]
  if (all.length === 0) return [muted("No request waits")]
  return all.flatMap(({ of, waiting }) => waitingLines(waiting, of, columns))
}

const waitingLines = (waiting: WaitingRequests, of: string, columns: number): Lines => {
  const what: Line = [
    StyledLine.span(`${waiting.count} × `, "warning"),
    StyledLine.span(waiting.endpoint, "strong"),
    StyledLine.span(`  ${waiting.priority}${of === "" ? "" : ` of ${of}`}`, "muted")
  ]
  const why = (now: number) =>
    `${RateLimits.waitReason(waiting)}${waiting.until === undefined ? "" : `, ${RateLimits.timeLeft(waiting.until - now)} left`}`
  return [
    { line: what, copy: waiting.endpoint },
    (now) => ({ line: StyledLine.fit(StyledLine.line(`    ${why(now)}`, "muted"), columns) })
  ]
}

const holders = (status: BudgetStatus | undefined): Lines => {
  const all = status?.holders ?? []
  const load = ({ inFlight, waiting }: HolderStatus) => inFlight + waiting.reduce((sum, { count }) => sum + count, 0)
  return all
    .toSorted((a, b) => load(b) - load(a))
    .map((holder) => ({
      line: [
        StyledLine.span(holder.name, holder.isThis ? "accent" : "strong"),
        StyledLine.span(`  process ${holder.pid} on ${holder.host}${holder.isThis ? ", this program" : ""}`, "muted"),
        StyledLine.span(`  ${holder.inFlight} in flight`),
        ...(holder.waiting.length === 0
          ? []
          : [StyledLine.span(`  ${holder.waiting.reduce((sum, { count }) => sum + count, 0)} waiting`, "warning")])
      ],
      copy: String(holder.pid)
    }))
}

/** Number of days of insights to show. */
const INSIGHT_DAYS = 7

const users = (organizations: ReadonlyArray<string>): Lines =>
  organizations.map((org): LineAtTime => (now) => ({
    line: [
      StyledLine.span("Requests of "),
      StyledLine.span(org, "strong"),
      StyledLine.span(` in the last ${INSIGHT_DAYS} days, by caller`, "muted")
    ],
    route: insights(org, now)
  }))

/** Returns the route of the insights of an organization. The day is the argument, so that the route is stable. */
const insights = (org: string, now: number): Route.Route => {
  const day = Math.floor(now / 86_400_000) * 86_400_000
  return Route.make("insights.getSubjectStats", {
    org,
    min_timestamp: new Date(day - INSIGHT_DAYS * 86_400_000).toISOString()
  })
}
