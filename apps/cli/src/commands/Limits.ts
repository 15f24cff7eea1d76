/** `tongs limits`: shows the rate limits of the current credential, and the waiting requests. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type { HolderStatus, CounterStatus, WaitingRequests, WindowStatus } from "@tongs/core/limits/BudgetStatus"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Table from "@tongs/core/text/Table"
import * as Terminal from "@tongs/core/text/Terminal"
import * as BudgetReport from "../session/BudgetReport.ts"
import * as Flags from "../session/Flags.ts"
import { Output } from "../base/Output.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as Progress from "../session/Progress.ts"
import * as Session from "../session/Session.ts"
import { UsageError } from "../base/UsageError.ts"
import * as WaitReason from "../session/WaitReason.ts"

/** Interval between two updates of `--watch`. */
const PERIOD = "2 seconds"

const lines = (
  budget: BudgetReport.BudgetReport,
  label: string,
  columns: number,
  now: number
): ReadonlyArray<string> => {
  const waits = waitsOf(budget)
  return [
    ...(budget.limits === "off"
      ? [`${Terminal.escape(label)}: no limits.`]
      : Table.render(windowColumns(now), budget.windows, columns)),
    ...(budget.limits === "off" ? [] : section(meterColumns(now), budget.meters.slice(0, MAX_METERS), columns)),
    ...(budget.pausedUntil === null
      ? []
      : ["", `Paused because the forge refused a request. Resumes ${RelativeTime.format(budget.pausedUntil, now)}.`]),
    ...section(holderColumns, budget.holders, columns),
    ...section(waitColumns(now), waits, columns)
  ]
}

/** Maximum number of meters to show. The meters nearest to the limit come first. */
const MAX_METERS = 8

/** Formats a table after an empty line. Returns nothing if there are no rows. */
const section = <Row>(columns: ReadonlyArray<Table.Column<Row>>, rows: ReadonlyArray<Row>, width: number) =>
  rows.length === 0 ? [] : ["", ...Table.render(columns, rows, width)]

const windowColumns = (now: number): ReadonlyArray<Table.Column<WindowStatus>> => [
  { header: "RESOURCE", value: ({ resource }) => resource },
  { header: "LEFT", value: ({ remaining }) => NumberFormat.format(remaining), align: "right", keep: true },
  { header: "LIMIT", value: ({ limit }) => NumberFormat.format(limit), align: "right", keep: true },
  { header: "USED", value: ({ used }) => NumberFormat.format(used), align: "right", keep: true },
  {
    header: "RESETS",
    value: ({ reset, used }) => (used === 0 ? "now" : RelativeTime.format(reset, now)),
    keep: true
  }
]

/** Returns the columns for meters: limits that the forge does not report and the scheduler counts. */
const meterColumns = (now: number): ReadonlyArray<Table.Column<CounterStatus>> => [
  { header: "COUNTED LOCALLY", value: ({ name }) => (name === "cpu" ? "CPU time, ms per minute" : name) },
  {
    header: "LEFT",
    value: ({ limit, used }) => NumberFormat.format(Math.max(0, limit - used)),
    align: "right",
    keep: true
  },
  { header: "LIMIT", value: ({ limit }) => NumberFormat.format(limit), align: "right", keep: true },
  { header: "USED", value: ({ used }) => NumberFormat.format(used), align: "right", keep: true },
  { header: "RESETS", value: ({ until }) => RelativeTime.format(until, now), keep: true }
]

const holderColumns: ReadonlyArray<Table.Column<HolderStatus>> = [
  { header: "PROGRAM", value: (holder) => programOf(holder) },
  { header: "PID", value: ({ pid }) => String(pid), align: "right", keep: true },
  { header: "HOST", value: ({ host }) => host },
  { header: "IN FLIGHT", value: ({ inFlight }) => NumberFormat.format(inFlight), align: "right", keep: true },
  {
    header: "WAITING",
    value: ({ waiting }) => NumberFormat.format(waiting.reduce((sum, { count }) => sum + count, 0)),
    align: "right",
    keep: true
  }
]

/** Waiting requests of one program. */
interface Wait extends WaitingRequests {
  readonly program: string
}

const waitsOf = ({ holders, waiting }: BudgetReport.BudgetReport): ReadonlyArray<Wait> => [
  ...waiting.map((wait) => ({ ...wait, program: "this one" })),
  ...holders.flatMap((holder) =>
    holder.isThis ? [] : holder.waiting.map((wait) => ({ ...wait, program: `${holder.name} ${holder.pid}` }))
  )
]

const programOf = ({ isThis, name }: HolderStatus) => (isThis ? `${name} (this one)` : name)

const waitColumns = (now: number): ReadonlyArray<Table.Column<Wait>> => [
  { header: "WAITING", value: ({ count }) => NumberFormat.quantity(count, "request"), keep: true },
  { header: "PROGRAM", value: ({ program }) => program, keep: true },
  { header: "ENDPOINT", value: ({ endpoint }) => endpoint },
  { header: "WAITS FOR", value: WaitReason.describe, keep: true },
  { header: "PRIORITY", value: ({ priority }) => priority, keep: true },
  {
    header: "UNTIL",
    value: ({ until }) => (until === undefined ? "an answer" : RelativeTime.format(until, now)),
    keep: true
  }
]

/** Deletes the budgets of the current credential. Sends no request, so that it works while a limit is exhausted. */
const clear = Effect.gen(function* () {
  const { print } = yield* Output
  const { scope } = yield* Forge
  const { label } = yield* Connection
  yield* (yield* Scheduler).reset(scope)
  if (yield* JsonOutput.isWanted) return yield* JsonOutput.print({ forge: label, reset: true }, { isCompact: true })
  yield* print(
    `${Terminal.escape(label)}: cleared the rate-limit budgets of this credential. The next response sets them again.`
  )
})

export const limits = Command.make(
  "limits",
  {
    watch: Flags.toggle("watch", "Refresh every two seconds"),
    reset: Flags.toggle("reset", "Clear the budgets of the current credential, in every process that shares them")
  },
  Effect.fnUntraced(function* ({ reset, watch }) {
    if (reset && watch)
      return yield* new UsageError({ detail: "--reset cannot be combined with --watch.", hint: "Omit one of them." })
    if (reset) return yield* Effect.provide(clear, Session.layer)
    const output = yield* Output
    const { canErase, isTerminal, note, print, write } = output
    const printJson = yield* JsonOutput.printerIfWanted({ isCompact: watch })
    const show = Effect.gen(function* () {
      const budget = yield* watch ? BudgetReport.readInWatchMode : Progress.showWaiting(BudgetReport.read)
      const { label } = yield* Connection
      if (printJson !== undefined) return yield* printJson({ forge: label, ...budget })
      if (watch && canErase) yield* write("\u001b[H\u001b[2J")
      const room = isTerminal ? output.columns : Number.POSITIVE_INFINITY
      yield* print(...lines(budget, label, room, yield* Clock.currentTimeMillis))
    })
    // A network failure does not end `--watch`.
    const again = show.pipe(
      Effect.catchTag(["Unreachable", "ServiceFailed"], (problem) =>
        note(`tongs: ${Terminal.escape(problem.message, { newlines: true })}`)
      )
    )
    const watching = Effect.andThen(show, Effect.forever(Effect.andThen(Effect.sleep(PERIOD), again)))
    yield* Effect.provide(watch ? watching : show, Session.layer)
  })
).pipe(Command.withDescription("Show the rate limits of the current credential, and the requests that wait for them"))
