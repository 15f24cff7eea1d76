/** `tongs`: runs the terminal UI. If stdout is not a terminal, prints an overview of the current repository. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flags from "../session/Flags.ts"
import { Output, printJson } from "../base/Output.ts"
import * as Overview from "../overview/Overview.ts"
import * as OverviewText from "../overview/OverviewText.ts"
import * as Progress from "../session/Progress.ts"
import * as Session from "../session/Session.ts"

const plain = Flags.toggle("plain", "Print an overview as text instead of opening the terminal UI")

const overview = Effect.gen(function* () {
  const { columns, print } = yield* Output
  const gathered = yield* Progress.showWaiting(Overview.load)
  if (yield* Flags.Json) return yield* printJson(gathered)
  const paint = yield* Flags.paint
  yield* print(...OverviewText.format(gathered, { columns, now: yield* Clock.currentTimeMillis, paint }))
})

const terminal = Effect.gen(function* () {
  // The terminal UI and its libraries read the color setting from the environment.
  if (Option.contains(yield* Flags.Color, false)) process.env.NO_COLOR = "1"
  const { run } = yield* Effect.promise(() => import("@tongs/tui/Tui"))
  return yield* run
})

/** The command `tongs` without subcommands. */
export const tongs = Command.make(
  "tongs",
  { plain },
  Effect.fnUntraced(function* ({ plain }) {
    const { isInteractive } = yield* Output
    const wantsText = plain || (yield* Flags.Json) || !isInteractive
    yield* Effect.provide(wantsText ? overview : terminal, Session.layer)
  })
).pipe(Command.withDescription("Work with a forge: repositories, git data, code search and administration"))
