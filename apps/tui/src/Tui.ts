/** The terminal UI. */
import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as AtomRegistry from "effect/reactivity/AtomRegistry"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import * as Base64 from "effect/encoding/Base64"
import chalk from "chalk"
import * as Browser from "@tongs/connection/base/Browser"
import * as KeyBindings from "./actions/KeyBindings.ts"
import * as ExternalEditor from "./terminal/ExternalEditor.ts"
import * as Model from "./model/Model.ts"
import * as ChartSymbols from "./text/ChartSymbols.ts"
import * as AlternateScreen from "./terminal/AlternateScreen.ts"
import * as TerminalInput from "./terminal/TerminalInput.ts"
import * as ScreenReader from "./ScreenReader.ts"
import * as SessionFile from "./SessionFile.ts"
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

/** The services that the terminal UI uses. */
export type Services = Forge | Connection | Scheduler

/** The settings of the terminal UI. */
export interface Options<E> {
  /** Connects to the forge of a profile; to the current one without a name. */
  readonly connect: (profile: string | undefined) => Layer.Layer<Services, E>
  readonly profiles: ReadonlyArray<string>
  /** True makes every operation that writes unreachable. */
  readonly isReadOnly: boolean
  /** True prints linear text instead of drawing a screen. */
  readonly isForScreenReader: boolean
  /** True lets clicks and the wheel of the mouse work. The terminal then selects text only with a modifier key. */
  readonly mouse: boolean
  readonly highContrast: boolean
  /** Keys of commands by id. */
  readonly keys: Readonly<Record<string, ReadonlyArray<string>>>
  /** The folder for the file with the sessions; undefined saves none. */
  readonly stateFolder: string | undefined
}

/**
 * Runs the terminal UI until the user quits with `q`. Ctrl-C and termination signals interrupt it. Always restores the
 * terminal.
 *
 * **Details**
 *
 * NO_COLOR and `--no-color` disable colors. Otherwise FORCE_COLOR, COLORTERM and TERM determine the number of colors. The
 * background of the terminal, if it reports one, determines the colors.
 */
export const run = <E>(options: Options<E>): Effect.Effect<void, TuiError | E> =>
  Effect.scoped(
    Effect.gen(function* () {
      if (!process.stdin.isTTY || !process.stdout.isTTY) return yield* new TuiError({ reason: "NoTerminal" })
      return yield* options.isForScreenReader ? runForScreenReader(options) : runOnScreen(options)
    })
  ).pipe(Effect.withSpan("Tui.run"))

const runOnScreen = Effect.fnUntraced(function* <E>(options: Options<E>) {
  const first = yield* connect(options, undefined)
  const characters = yield* locale
  const isAscii = !ChartSymbols.isUtf8(characters)
  ChartSymbols.use(ChartSymbols.choose(characters))
  const screen = yield* AlternateScreen.acquire({ mouse: options.mouse })
  const level = (yield* noColor) ? 0 : chalk.level
  // Asked before drawing, because the colors depend on the reply.
  const background = level === 0 ? undefined : yield* screen.input.background(screen.stdout.write)
  const theme = Theme.detect(level, background, yield* colorfgbg, options.highContrast)
  const end = yield* profiles(options, first, (services, settings) =>
    draw({ ...screen, isAscii }, theme, settings).pipe(
      Effect.flatMap(({ exited }) => exited),
      Effect.provideContext(services)
    )
  ).pipe(Effect.raceFirst(Effect.as(screen.exitSignal, interrupted)))
  if (end._tag === "Interrupt") return yield* Effect.interrupt
})

const runForScreenReader = Effect.fnUntraced(function* <E>(options: Options<E>) {
  const first = yield* connect(options, undefined)
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
  // Another program has the terminal while this one is suspended.
  const write = (text: string) => void (isSuspended || process.stdout.write(text))
  const end = yield* profiles(options, first, (services, settings) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { exited, model, registry } = yield* makeModel(settings, {
          copy: (text) => write(clipboardSequence(text)),
          edit: (name, text) => ExternalEditor.edit(suspend, process.env, name, text)
        })
        model.resize(LINEAR_SIZE.columns, LINEAR_SIZE.rows)
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
 * Size of the screen for screen readers. Wide enough for whole names, narrow enough for no pane. The height is the number of
 * lines that a page reads.
 */
const LINEAR_SIZE = { columns: 100, rows: 24 }

const interrupted: Model.ExitReason = { _tag: "Interrupt" }

/** A connection that lasts until its scope closes. */
interface Connected {
  readonly services: Context.Context<Services>
  readonly scope: Scope.Closeable
}

const connect = Effect.fnUntraced(function* <E>(options: Options<E>, profile: string | undefined) {
  const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  const services = yield* Layer.buildWithScope(options.connect(profile), scope).pipe(
    // Releases what a failed connection has opened, while the program goes on with another one.
    Effect.onError(() => Scope.close(scope, Exit.void))
  )
  return { services, scope }
})

/** Time for the first response of a profile. */
const PROBE_TIMEOUT = "10 seconds"

/** The error if the forge of a profile does not respond, or rejects the credential. */
class ProfileError extends Schema.TaggedError<ProfileError>()("ProfileError", { problem: Schema.String }) {
  override get message() {
    return this.problem
  }
}

/** Connects to a profile, and fails if the forge does not respond or rejects the credential. */
const connectChecked = Effect.fnUntraced(function* <E>(options: Options<E>, profile: string) {
  const connected = yield* connect(options, profile)
  const problem = yield* Context.get(connected.services, Forge)
    .users.getAuthenticated()
    .pipe(
      Effect.as(undefined),
      Effect.timeoutOrElse({
        duration: PROBE_TIMEOUT,
        orElse: () => Effect.succeed("The forge does not respond within 10 seconds.")
      }),
      Effect.catchTags({
        Unreachable: (error) => Effect.succeed(error.message),
        BadCredentials: (error) => Effect.succeed(error.message)
      }),
      // The forge responds. Its screens show what else is wrong.
      Effect.catch(() => Effect.succeed(undefined))
    )
  if (problem === undefined) return connected
  yield* Scope.close(connected.scope, Exit.void)
  return yield* new ProfileError({ problem })
})

/** Runs a program with the services of a connection, and again with other services when the user changes the profile. */
const profiles = <E, R>(
  options: Options<E>,
  first: Connected,
  show: (services: Context.Context<Services>, settings: ModelSettings) => Effect.Effect<Model.ExitReason, never, R>
) =>
  Effect.gen(function* () {
    const outer = yield* Effect.scope
    const runPromise = Effect.runPromiseWith(yield* Effect.context())
    let current: Connected = first
    for (;;) {
      const changed = yield* Deferred.make<Connected>()
      const session = sessionOf(options, current.services)
      const settings: ModelSettings = {
        ...options,
        session,
        switchProfile: (name) =>
          runPromise(
            connectChecked(options, name).pipe(
              Scope.provide(outer),
              Effect.flatMap((next) => Deferred.succeed(changed, next)),
              Effect.as(undefined),
              // A defect of one connection must not end the program, which has another one.
              Effect.catchCause((cause) => Effect.succeed(problemOf(name, cause)))
            )
          )
      }
      const end = yield* Effect.raceFirst(show(current.services, settings), Deferred.await(changed))
      if ("_tag" in end) return end
      yield* Scope.close(current.scope, Exit.void)
      current = end
    }
  })

const problemOf = (profile: string, cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return `Profile ${profile}: ${error instanceof Error ? error.message : String(error)}`
}

/** A saved session, and how to save it. */
interface SavedSession {
  readonly saved: unknown
  readonly save: (session: unknown) => void
}

const sessionOf = <E>({ stateFolder }: Options<E>, services: Context.Context<Services>): SavedSession => {
  const { label, repository } = Context.get(services, Connection)
  if (stateFolder === undefined) return { saved: undefined, save: () => {} }
  const name = [label, ...(repository === undefined ? [] : [`${repository.owner}/${repository.repo}`])].join(" ")
  return {
    saved: SessionFile.read(stateFolder, name),
    save: (session) => SessionFile.write(stateFolder, name, session)
  }
}

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

/** The settings of a model. */
export interface ModelSettings extends Pick<Model.Options, "isReadOnly" | "keys" | "profiles" | "switchProfile"> {
  readonly session?: SavedSession
}

/** Creates a model until the Effect scope closes, which saves the session. */
const makeModel = Effect.fnUntraced(function* (settings: ModelSettings, options: Partial<Model.Options> = {}) {
  const services = yield* Effect.context<Services>()
  const registry = yield* Effect.acquireRelease(
    Effect.sync(() => AtomRegistry.make()),
    (registry) => Effect.sync(() => registry.dispose())
  )
  const exited = yield* Deferred.make<Model.ExitReason>()
  const { session, ...others } = settings
  const model = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Model.make({
        ...others,
        registry,
        services,
        session: session?.saved,
        onExit: (reason) => Deferred.doneUnsafe(exited, Effect.succeed(reason)),
        copy: () => {},
        browse: Browser.open,
        ...options
      })
    ),
    (model) =>
      Effect.sync(() => {
        session?.save(model.session())
        model.dispose()
      })
  )
  return { model, registry, exited }
})

/** Draws the UI on a screen. `exited` completes when the user quits or interrupts, and dies if a component throws. */
export const draw = Effect.fnUntraced(function* (
  screen: Pick<AlternateScreen.Screen, "stdout" | "input" | "pause"> &
    Partial<Pick<AlternateScreen.Screen, "suspend">> & { readonly isAscii?: boolean },
  theme: Theme.Theme,
  settings: ModelSettings = {}
) {
  const { suspend } = screen
  const { exited, model, registry } = yield* makeModel(settings, {
    copy: (text) => screen.stdout.write(clipboardSequence(text)),
    ...(suspend === undefined
      ? {}
      : { edit: (name: string, text: string) => ExternalEditor.edit(suspend, process.env, name, text) })
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
