/** The terminal UI. */
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
import { FrameStream } from "./terminal/FrameStream.ts"
import * as Model from "./model/Model.ts"
import * as AlternateScreen from "./terminal/AlternateScreen.ts"
import * as Theme from "./views/Theme.ts"
import { App } from "./views/App.tsx"

/** The error if the terminal UI cannot start. */
export class TuiError extends Schema.TaggedError<TuiError>()("TuiError", {
  reason: Schema.Literals(["NoTerminal"])
}) {
  override get message() {
    return "Standard input or output is not a terminal. Use `tongs --plain` for the overview as text."
  }
}

/**
 * Runs the terminal UI until the user quits with `q`. Ctrl-C and termination signals interrupt it. Always restores the
 * terminal.
 *
 * **Details**
 *
 * NO_COLOR and `--no-color` disable colors. Otherwise FORCE_COLOR, COLORTERM and TERM determine the number of colors. The
 * terminal tells its background, so that the colors fit it.
 */
export const run: Effect.Effect<void, TuiError, Forge | Connection | Scheduler> = Effect.scoped(
  Effect.gen(function* () {
    if (!process.stdin.isTTY || !process.stdout.isTTY) return yield* new TuiError({ reason: "NoTerminal" })
    const screen = yield* AlternateScreen.acquire({ mouse: false })
    const level = (yield* noColor) ? 0 : chalk.level
    // Asked before drawing, because the colors depend on the reply.
    const background = level === 0 ? undefined : yield* screen.input.background(screen.stdout.write)
    const theme = Theme.detect(level, background, yield* colorfgbg)
    const { exited } = yield* draw(screen, theme)
    const reason = yield* Effect.raceFirst(exited, Effect.as(screen.exitSignal, "interrupt" as const)) // literal types
    if (reason === "interrupt" || reason._tag === "Interrupt") return yield* Effect.interrupt
  })
).pipe(Effect.withSpan("Tui.run"))

/** True if NO_COLOR is set and not empty. */
const noColor = Config.String("NO_COLOR").pipe(
  Effect.map((value) => value !== ""),
  Effect.orElseSucceed(() => false)
)

/** The colors of some terminals, such as `15;0` for white on black. */
const colorfgbg = Config.String("COLORFGBG").pipe(Effect.orElseSucceed(() => ""))

/** Draws the UI on a screen. `exited` completes when the user quits or interrupts, and dies if a component throws. */
export const draw = Effect.fnUntraced(function* (
  screen: Pick<AlternateScreen.Screen, "stdout" | "input" | "pause">,
  theme: Theme.Theme
) {
  const services = yield* Effect.context<Forge | Connection | Scheduler>()
  const registry = yield* Effect.acquireRelease(
    Effect.sync(() => AtomRegistry.make()),
    (registry) => Effect.sync(() => registry.dispose())
  )
  const exit = yield* Deferred.make<Model.ExitReason>()
  const model = Model.make({
    registry,
    services,
    onExit: (reason) => Deferred.doneUnsafe(exit, Effect.succeed(reason)),
    copy: (text) => screen.stdout.write(`\u001b]52;c;${Base64.encode(text)}\u0007`),
    browse: Browser.open
  })
  model.resize(screen.stdout.columns, screen.stdout.rows)
  const frames = yield* Effect.acquireRelease(
    Effect.sync(() => new FrameStream(screen.stdout)),
    (frames) => Effect.sync(() => frames.destroy())
  )
  const instance = yield* Effect.acquireRelease(
    Effect.sync(() =>
      render(
        <Theme.ThemeContext value={theme}>
          <App model={model} registry={registry} input={screen.input} pause={screen.pause} />
        </Theme.ThemeContext>,
        {
          stdout: frames,
          interactive: true,
          exitOnCtrlC: false,
          // Not needed, because `AlternateScreen` buffers the console's writes.
          patchConsole: false,
          // Writes whole frames. `FrameStream` writes their differences.
          debug: true
        }
      )
    ),
    (instance) => Effect.sync(() => instance.unmount())
  )
  return { exited: Effect.raceFirst(Deferred.await(exit), componentDefect(instance)) }
})

/** Waits for an error. Dies if a component throws, and never completes otherwise. */
const componentDefect = (instance: Instance): Effect.Effect<never> =>
  Effect.andThen(
    Effect.promise(() => instance.waitUntilExit()),
    Effect.never
  )
