/** `tongs`: runs the terminal UI. If stdout is not a terminal, prints an overview of the current repository. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Layer from "effect/Layer"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { UserDirectories } from "@tongs/connection/base/UserDirectories"
import * as ConfigFile from "@tongs/connection/config/ConfigFile"
import * as Flags from "../session/Flags.ts"
import * as HeapLimit from "../base/HeapLimit.ts"
import { Output } from "../base/Output.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as Overview from "../overview/Overview.ts"
import * as OverviewText from "../overview/OverviewText.ts"
import * as Progress from "../session/Progress.ts"
import * as Session from "../session/Session.ts"

const plain = Flags.toggle("plain", "Print an overview as text instead of opening the terminal UI")

const overview = Effect.gen(function* () {
  const { columns, print } = yield* Output
  const gathered = yield* Progress.showWaiting(Overview.load)
  if (yield* JsonOutput.isWanted) return yield* JsonOutput.print(gathered)
  const paint = yield* Flags.paint
  yield* print(...OverviewText.format(gathered, { columns, now: yield* Clock.currentTimeMillis, paint }))
})

/** Flags of the terminal UI. */
interface TerminalFlags {
  readonly readOnly: boolean
  readonly screenReader: boolean
  readonly mouse: boolean
}

const terminal = Effect.fnUntraced(function* ({ mouse, readOnly, screenReader }: TerminalFlags) {
  yield* HeapLimit.apply
  // The terminal UI and the libraries in use read the color setting from the environment.
  if (Option.contains(yield* Flags.Color, false)) process.env.NO_COLOR = "1"
  // Loads while the connection is made.
  const loading = import("@tongs/tui/Tui")
  const { profiles = {}, tui = {} } = yield* ConfigFile.read
  const { state } = yield* UserDirectories
  const { run } = yield* Effect.promise(() => loading)
  const context = yield* Effect.context<Layer.Services<typeof Session.ownLayer>>()
  const isDemo = yield* Flags.Demo
  return yield* run({
    connect: (profile) =>
      Layer.provide(
        profile === undefined ? Layer.unwrap(Session.ownLongConnection) : Session.layerOfProfile(profile),
        Layer.succeedContext(context)
      ),
    profiles: Object.keys(profiles),
    isReadOnly: readOnly,
    isForScreenReader: screenReader,
    mouse: mouse && tui.mouse !== false,
    highContrast: tui.contrast === "high",
    keys: tui.keys ?? {},
    stateFolder: isDemo || tui.restore === false ? undefined : state
  })
})

const flags = {
  plain,
  readOnly: Flags.toggle("read-only", "Terminal UI: make every operation that changes something unreachable"),
  screenReader: Flags.toggle("screen-reader", "Terminal UI: print linear text for screen readers"),
  mouse: Flag.Boolean("mouse").pipe(
    Flag.withDefault(true),
    Flag.withDescription("Terminal UI: clicks and the wheel work; --no-mouse leaves the mouse to the terminal")
  )
}

export const tongs = Command.make(
  "tongs",
  flags,
  Effect.fnUntraced(function* ({ plain, ...given }) {
    const { isInteractive, isTerminal } = yield* Output
    // Linear text needs no features of the terminal.
    const canRun = isInteractive || (given.screenReader && isTerminal)
    const wantsText = plain || (yield* JsonOutput.isWanted) || !canRun
    if (wantsText) yield* Effect.provide(overview, Session.ownLayer)
    else yield* terminal(given)
  })
).pipe(Command.withDescription("Work with a forge: repositories, git data, code search and administration"))
