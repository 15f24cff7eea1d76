/** The terminal UI: it draws until the person quits. */
import * as Config from "effect/Config"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AtomRegistry from "effect/reactivity/AtomRegistry"
import type { Connection } from "@tongs/connection/Connection"
import type { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import * as Base64 from "effect/encoding/Base64"
import chalk from "chalk"
import { type Instance, render } from "ink"
import * as Browser from "@tongs/connection/base/Browser"
import * as EscapeKey from "./terminal/EscapeKey.ts"
import * as Model from "./model/Model.ts"
import * as AlternateScreen from "./terminal/AlternateScreen.ts"
import * as Theme from "./views/Theme.ts"
import { App } from "./views/App.tsx"

/** Why there is no terminal UI here. */
export class TuiError extends Schema.TaggedError<TuiError>()("TuiError", {
  reason: Schema.Literals(["NoTerminal"])
}) {
  override get message() {
    return "There is no terminal to draw on. Use `tongs --plain` for the overview as text."
  }
}

/**
 * Draws on the terminal of the process until the person quits with `q`; Ctrl-C and the signals that end a process
 * interrupt it. Whichever way it ends, the terminal is as it was before.
 *
 * **Details**
 *
 * Colours are left out if NO_COLOR is set or `--no-color` is among the arguments. Otherwise FORCE_COLOR, COLORTERM and
 * TERM decide how many there are.
 */
export const run: Effect.Effect<void, TuiError, Forge | Connection | Scheduler> = Effect.scoped(
  Effect.gen(function* () {
    if (!process.stdin.isTTY || !process.stdout.isTTY) return yield* new TuiError({ reason: "NoTerminal" })
    const screen = yield* AlternateScreen.acquire
    const { left } = yield* draw(screen, Theme.forColorLevel((yield* noColor) ? 0 : chalk.level))
    const how = yield* Effect.raceFirst(left, Effect.as(screen.exitSignal, "interrupt" as const)) // a literal
    if (how === "interrupt") return yield* Effect.interrupt
  })
).pipe(Effect.withSpan("Tui.run"))

/** Whether the person wants no colours: any value but an empty one says so. */
const noColor = Config.String("NO_COLOR").pipe(
  Effect.map((value) => value !== ""),
  Effect.orElseSucceed(() => false)
)

/** Draws on any screen; gives what waits until the person leaves. A defect in what is drawn is a defect of the wait. */
export const draw = Effect.fnUntraced(function* (
  screen: Omit<AlternateScreen.Screen, "exitSignal">,
  theme: Theme.Theme
) {
  const services = yield* Effect.context<Forge | Connection | Scheduler>()
  const registry = yield* Effect.acquireRelease(
    Effect.sync(() => AtomRegistry.make()),
    (registry) => Effect.sync(() => registry.dispose())
  )
  const left = yield* Deferred.make<"quit" | "interrupt">()
  const model = Model.make({
    registry,
    services,
    onExit: (how) => Deferred.doneUnsafe(left, Effect.succeed(how)),
    copy: (text) => screen.stdout.write(`\u001b]52;c;${Base64.encode(text)}\u0007`),
    browse: Browser.open
  })
  model.resize(screen.stdout.columns, screen.stdout.rows)
  yield* EscapeKey.separate(screen.stdin)
  const instance = yield* Effect.acquireRelease(
    Effect.sync(() =>
      render(
        <Theme.ThemeContext value={theme}>
          <App model={model} registry={registry} pause={screen.pause} />
        </Theme.ThemeContext>,
        {
          stdin: screen.stdin,
          stdout: screen.stdout,
          interactive: true,
          exitOnCtrlC: false,
          // The screen keeps what others write (`Screen.ts`).
          patchConsole: false,
          incrementalRendering: true,
          maxFps: 60
        }
      )
    ),
    (instance) => Effect.sync(() => instance.unmount())
  )
  return { left: Effect.raceFirst(Deferred.await(left), drawn(instance)) }
})

/** Never ends on its own, but dies of what a view throws. */
const drawn = (instance: Instance): Effect.Effect<never> =>
  Effect.andThen(
    Effect.promise(() => instance.waitUntilExit()),
    Effect.never
  )
