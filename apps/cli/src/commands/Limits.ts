/** `tongs limits`: the budgets of the current credential, and who waits for what. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { Connection } from "@tongs/connection/Connection"
import type { WaitingView, WindowView } from "@tongs/core/limits/View"
import * as Ago from "@tongs/core/text/Ago"
import * as Count from "@tongs/core/text/Count"
import * as Table from "@tongs/core/text/Table"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Budget from "../Budget.ts"
import * as Flags from "../Flags.ts"
import { Output } from "../Output.ts"
import * as Session from "../Session.ts"

/** How often `--watch` looks. */
const PERIOD = "2 seconds"

const lines = (budget: Budget.Budget, label: string, columns: number, now: number): ReadonlyArray<string> => [
  ...(budget.limits === "off"
    ? [`${Terminal.visible(label)}: no limits.`]
    : Table.lines(windowColumns(now), budget.windows, columns)),
  ...(budget.pausedUntil === null
    ? []
    : ["", `Paused: the forge refused a request. On again ${Ago.format(budget.pausedUntil, now)}.`]),
  ...(budget.waiting.length === 0 ? [] : ["", ...Table.lines(waitingColumns(now), budget.waiting, columns)])
]

const windowColumns = (now: number): ReadonlyArray<Table.Column<WindowView>> => [
  { header: "RESOURCE", value: ({ resource }) => resource },
  { header: "LEFT", value: ({ remaining }) => Count.format(remaining), align: "right", keep: true },
  { header: "LIMIT", value: ({ limit }) => Count.format(limit), align: "right", keep: true },
  { header: "USED", value: ({ used }) => Count.format(used), align: "right", keep: true },
  { header: "FULL AGAIN", value: ({ reset, used }) => (used === 0 ? "now" : Ago.format(reset, now)), keep: true }
]

const waitingColumns = (now: number): ReadonlyArray<Table.Column<WaitingView>> => [
  { header: "WAITING", value: ({ count }) => Count.noun(count, "request"), keep: true },
  { header: "FOR", value: ({ reason, resource }) => (reason === undefined ? resource : `${resource} (${reason})`) },
  { header: "PRIORITY", value: ({ priority }) => priority, keep: true },
  { header: "UNTIL", value: ({ until }) => (until === undefined ? "an answer" : Ago.format(until, now)), keep: true }
]

export const limits = Command.make(
  "limits",
  {
    watch: Flag.Boolean("watch").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Look again every two seconds")
    )
  },
  Effect.fnUntraced(function* ({ watch }) {
    const { columns, isTerminal, print, write } = yield* Output
    const isJson = yield* Flags.Json
    const show = Effect.gen(function* () {
      const budget = yield* Budget.look
      const { label } = yield* Connection
      if (isJson) return yield* print(JSON.stringify({ forge: label, ...budget }, null, watch ? 0 : 2))
      if (watch && isTerminal) yield* write("\u001b[H\u001b[2J")
      yield* print(...lines(budget, label, columns, yield* Clock.currentTimeMillis))
    })
    yield* Effect.provide(watch ? Effect.repeat(show, Schedule.spaced(PERIOD)) : show, Session.layer)
  })
).pipe(Command.withDescription("Show the budgets of the current credential, and who waits for what"))
