import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Connection } from "@tongs/connection/Connection"
import * as Base64 from "effect/encoding/Base64"
import chalk from "chalk"
import * as KeyBindings from "./actions/KeyBindings.ts"
import * as ExternalEditor from "./terminal/ExternalEditor.ts"
import type * as Model from "./model/Model.ts"
import * as ChartSymbols from "./text/ChartSymbols.ts"
import * as AlternateScreen from "./terminal/AlternateScreen.ts"
import * as TerminalInput from "./terminal/TerminalInput.ts"
import * as Profiles from "./Profiles.ts"
import * as RunningModel from "./RunningModel.ts"
import * as ScreenReader from "./ScreenReader.ts"
import * as Display from "./views/Display.ts"
import * as Theme from "./views/Theme.ts"

/** The error if the terminal UI cannot start. */
export class TuiError extends Schema.TaggedError<TuiError>()("TuiError", {
  reason: Schema.Literals(["NoTerminal"])
}) {
  override get message() {
    return "Standard input or output is not a terminal. Use `tongs --plain` for the overview as text."
  }
}

/** The settings of the terminal UI. */
export interface Options<E> extends Profiles.Options<E> {
  /** True prints linear text instead of drawing a screen. */
  readonly isForScreenReader: boolean
  /** True lets clicks and the wheel of the mouse work. The terminal then selects text only with a modifier key. */
  readonly mouse: boolean
  readonly highContrast: boolean
}

/**
 * Runs the terminal UI until the user quits with `q`. Ctrl-C and termination signals interrupt the UI. Always restores
 * the terminal.
 *
 * **Details**
 *
 * NO_COLOR and `--no-color` disable colors. Otherwise FORCE_COLOR, COLORTERM and TERM determine the number of colors.
 * The background that the terminal reports, if any, determines the colors.
 */
export const run = <E>(options: Options<E>): Effect.Effect<void, TuiError | E> =>
  Effect.scoped(
    Effect.gen(function* () {
      if (!process.stdin.isTTY || !process.stdout.isTTY) return yield* new TuiError({ reason: "NoTerminal" })
      return yield* options.isForScreenReader ? runForScreenReader(options) : runOnScreen(options)
    })
  ).pipe(Effect.withSpan("Tui.run"))

const runOnScreen = Effect.fnUntraced(function* <E>(options: Options<E>) {
  const first = yield* Profiles.connect(options, undefined)
  const characters = yield* locale
  const isAscii = !ChartSymbols.isUtf8(characters)
  ChartSymbols.use(ChartSymbols.choose(characters))
  const screen = yield* AlternateScreen.acquire({ mouse: options.mouse })
  const level = (yield* noColor) ? 0 : chalk.level
  // Requested before drawing, because the colors depend on the reply.
  const background = level === 0 ? undefined : yield* screen.input.background(screen.stdout.write)
  const theme = Theme.detect(level, background, yield* colorfgbg, options.highContrast)
  const end = yield* Profiles.run(options, first, (services, settings) =>
    draw({ ...screen, isAscii }, theme, settings).pipe(
      Effect.flatMap(({ exited }) => exited),
      Effect.provideContext(services)
    )
  ).pipe(Effect.raceFirst(Effect.as(screen.exitSignal, interrupted)))
  if (end._tag === "Interrupt") return yield* Effect.interrupt
})

const runForScreenReader = Effect.fnUntraced(function* <E>(options: Options<E>) {
  const first = yield* Profiles.connect(options, undefined)
  const input = yield* TerminalInput.acquire(process.stdin)
  let isSuspended = false
  const suspend = async <A>(run: () => Promise<A>): Promise<A> => {
    input.stop()
    isSuspended = true
    try {
      return await run()
    } finally {
      isSuspended = false
      input.start()
    }
  }
  // Another program has the terminal while this program is suspended.
  const write = (text: string) => void (isSuspended || process.stdout.write(text))
  const end = yield* Profiles.run(options, first, (services, settings) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { exited, model, registry } = yield* RunningModel.make(settings, {
          copy: (text) => write(clipboardSequence(text)),
          editor: ExternalEditor.make(suspend, process.env)
        })
        model.resize(linearSize.columns, linearSize.rows)
        const defect = yield* Deferred.make<never>()
        const keys = KeyBindings.make(settings.keys)
        yield* Effect.acquireRelease(
          Effect.sync(() =>
            ScreenReader.start(model, registry, {
              input,
              keys,
              write,
              greeting: greetingOf(options, Context.get(services, Connection), keys),
              pause: () => suspend(AlternateScreen.stopProcess),
              onDefect: (cause) => Deferred.doneUnsafe(defect, Effect.die(Cause.squash(cause)))
            })
          ),
          (stop) => Effect.sync(stop)
        )
        return yield* Effect.raceFirst(Deferred.await(exited), Deferred.await(defect))
      })
    ).pipe(Effect.provideContext(services))
  )
  if (end._tag === "Interrupt") return yield* Effect.interrupt
})

/** Returns the first words for screen readers: the forge, the keys for help, and warnings. */
const greetingOf = <E>(
  { isReadOnly }: Options<E>,
  { label, notices }: Context.Service.Shape<typeof Connection>,
  keys: KeyBindings.KeyBindings
): ReadonlyArray<string> => {
  const key = (id: KeyBindings.CommandId, does: string) => {
    const name = keys.keyOf(id)
    return name === undefined ? [] : [`${KeyBindings.label(name)} ${does}`]
  }
  const hints = [
    ...key("help", "for the keys"),
    ...key("palette", "for all screens and actions"),
    ...key("quit", "to quit")
  ]
  return [
    `tongs, ${label}${isReadOnly ? ", read-only" : ""}.`,
    ...(hints.length === 0 ? [] : [`Press ${hints.join(", ")}.`]),
    ...notices.map((notice) => `Notice: ${notice}`),
    ...keys.problems.map((problem) => `Notice: ${problem}`)
  ]
}

/** Sends text to the clipboard of the terminal (OSC 52). */
const clipboardSequence = (text: string): string => `\u001b]52;c;${Base64.encode(text)}\u0007`

/**
 * Size of the screen for screen readers. Wide enough for whole names, narrow enough for no pane. The height is the
 * number of lines that a page reads.
 */
const linearSize = { columns: 100, rows: 24 }

const interrupted: Model.ExitReason = { _tag: "Interrupt" }

/** True if NO_COLOR is set and not empty. */
const noColor = Config.String("NO_COLOR").pipe(
  Effect.map((value) => value !== ""),
  Effect.orElseSucceed(() => false)
)

const variable = (name: string) => Config.String(name).pipe(Effect.orElseSucceed(() => ""))

/** The variables that name the character set of the terminal. */
const locale = Effect.all({
  LC_ALL: variable("LC_ALL"),
  LC_CTYPE: variable("LC_CTYPE"),
  LANG: variable("LANG"),
  TERM: variable("TERM")
})

/** The colors of some terminals, such as `15;0` for white on black. */
const colorfgbg = variable("COLORFGBG")

/** Draws the UI on a screen. `exited` completes when the user quits or interrupts, and dies if a component throws. */
export const draw = Effect.fnUntraced(function* (
  screen: Pick<AlternateScreen.Screen, "stdout" | "input" | "pause"> &
    Partial<Pick<AlternateScreen.Screen, "suspend">> & { readonly isAscii?: boolean },
  theme: Theme.Theme,
  settings: RunningModel.Settings = {}
) {
  const { suspend } = screen
  const { exited, model, registry } = yield* RunningModel.make(settings, {
    copy: (text) => screen.stdout.write(clipboardSequence(text)),
    ...(suspend === undefined ? {} : { editor: ExternalEditor.make(suspend, process.env) })
  })
  const defect = yield* Deferred.make<never>()
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      Display.start({
        model,
        registry,
        theme,
        isAscii: screen.isAscii ?? false,
        terminal: screen.stdout,
        input: screen.input,
        pause: screen.pause,
        onDefect: (error) => Deferred.doneUnsafe(defect, Effect.die(error))
      })
    ),
    (stop) => Effect.sync(stop)
  )
  return { exited: Effect.raceFirst(Deferred.await(exited), Deferred.await(defect)) }
})
