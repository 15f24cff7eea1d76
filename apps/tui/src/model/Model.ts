/** The terminal UI without a terminal: handles keys, mouse events and refreshes, and computes views. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as AsyncResult from "effect/reactivity/AsyncResult"
import * as Atom from "effect/reactivity/Atom"
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as Relations from "@tongs/core/contract/Relations"
import * as Form from "../actions/Form.ts"
import * as KeyBindings from "../actions/KeyBindings.ts"
import type { OperationAction } from "../actions/Operations.ts"
import type { Content } from "../content/Content.ts"
import type { Document } from "../content/Document.ts"
import * as Route from "../content/Route.ts"
import type { LoadState, Services } from "../content/Source.ts"
import * as RateLimits from "../screens/limits/RateLimits.ts"
import type * as ExternalEditor from "../terminal/ExternalEditor.ts"
import * as Places from "../screens/Places.ts"
import * as Registry from "../screens/Registry.ts"
import * as TextInput from "../text/TextInput.ts"
import * as Boxes from "./Boxes.ts"
import * as Choices from "./Choices.ts"
import * as CursorMovement from "./CursorMovement.ts"
import * as FailureMessage from "./FailureMessage.ts"
import * as ListWindow from "./ListWindow.ts"
import * as OperationFlow from "./OperationFlow.ts"
import * as OperationRunner from "./OperationRunner.ts"
import * as Palette from "./Palette.ts"
import * as PromptFlow from "./PromptFlow.ts"
import * as RateLimitSummary from "./RateLimitSummary.ts"
import * as Session from "./Session.ts"
import * as Sources from "./Sources.ts"
import * as State from "./State.ts"
import * as View from "./View.ts"
import * as Viewport from "./Viewport.ts"

/** Why the program ends: the user quits or interrupts it. */
export type ExitReason = { readonly _tag: "Quit" } | { readonly _tag: "Interrupt" }

/** A click or a turn of the wheel. Rows and columns count from 0. */
export interface MouseEvent {
  readonly button: "left" | "middle" | "right" | "wheelUp" | "wheelDown"
  readonly action: "press" | "release" | "drag"
  readonly column: number
  readonly row: number
}

/** The inputs and the output of the terminal UI. */
export interface Model {
  /** The screen, computed when it is read. */
  readonly view: Atom.Atom<View.View>
  /** Calls a function after each change of what the view is computed from. Returns a function that stops it. */
  readonly subscribe: (listener: () => void) => () => void
  /** Handles a key by its name, such as `j`, `ctrl-d` and `enter`. */
  readonly press: (key: string) => void
  /** Inserts pasted text into the open input. Never runs the text as commands. */
  readonly paste: (text: string) => void
  readonly mouse: (event: MouseEvent) => void
  /** Sets the size of the terminal. */
  readonly resize: (columns: number, rows: number) => void
  /** Returns the session to save. */
  readonly session: () => Session.Session
  /** Ends all requests. */
  readonly dispose: () => void
}

/** The dependencies of the model. */
export interface Options {
  readonly registry: AtomRegistry
  readonly services: Services
  /** Called once, when the program ends. */
  readonly onExit: (reason: ExitReason) => void
  /** Sends text to the clipboard. */
  readonly copy: (text: string) => void
  /** Opens a web page. */
  readonly browse: (url: URL) => void
  /** Edits a text in the user's editor. Resolves to the new text; undefined if there is no editor or it failed. */
  readonly edit?: (name: string, text: string) => Promise<ExternalEditor.Outcome>
  /** Keys of commands by id, from the config file. */
  readonly keys?: Readonly<Record<string, ReadonlyArray<string>>>
  /** True makes every operation that writes unreachable. */
  readonly isReadOnly?: boolean
  /** Names of the profiles to switch to. */
  readonly profiles?: ReadonlyArray<string>
  /** Connects to another profile, and replaces this model. Resolves to a message if that failed. */
  readonly switchProfile?: (name: string) => Promise<string | undefined>
  /** The saved session. */
  readonly session?: unknown
}

/** Maximum number of commands to queue while content loads. */
const MAX_QUEUED = 64

/** Interval of updates of the displayed ages. */
const CLOCK_INTERVAL = "5 seconds"

/** Interval of updates of the time to the next attempt. */
const COUNTDOWN_INTERVAL = "1 second"

/** Interval of refreshes of a remote forge, which cost no rate limit while nothing changes. */
const POLL_INTERVAL = "20 seconds"

/** Milliseconds that the cursor rests on a row before its screen is loaded in advance. */
const PREFETCH_DELAY = 120

/** Milliseconds after the start until work that the first frames do not need. */
const IDLE_DELAY = 700

/** Age in milliseconds from which content is refreshed when the user returns to it. */
const REFRESH_AGE = 10_000

const notStarted: LoadState = {
  content: undefined,
  confirmedAt: Infinity,
  isStale: false,
  isLoading: true,
  loadingSince: undefined,
  failure: undefined,
  retryAt: undefined,
  defect: undefined
}

/** Creates the model. Opens the repository of the working directory, or else the home. */
export const make = (options: Options): Model => {
  const { browse, copy, onExit, profiles = [], registry, services } = options
  const connection = Context.get(services, Connection)
  const { scope } = Context.get(services, Forge)
  const clockService = Context.get(services, Clock.Clock)
  const runtime = Atom.runtime(Layer.succeedContext(services))
  const keys = KeyBindings.make(options.keys)
  const isReadOnly = options.isReadOnly ?? false
  const fork = Effect.runForkWith(services)

  const state = Atom.keepAlive(
    Atom.make({
      ...Session.restore(State.make(firstRoutes(connection)), options.session, clockService.currentTimeMillisUnsafe()),
      message: keys.problems.length === 0 ? undefined : { text: keys.problems.join(" "), isError: true }
    })
  )
  const searches = Atom.make((get) => get(state).searches)
  const sources = Sources.make({ registry, services, searches })
  /** The screen of the row under the cursor, once the cursor has rested on it. */
  const paneRoute = Atom.keepAlive(Atom.make<Route.Route | undefined>(undefined))
  const refusals = Atom.keepAlive(Atom.make<ReadonlyMap<string, string>>(new Map()))
  const statuses = runtime.atom(Context.get(services, Scheduler).changes, { initialValue: [] })
  /** What a row contains, shown while its screen loads for the first time. */
  const placeholders = new Map<string, Document>()

  const clockAtom = (interval: typeof CLOCK_INTERVAL | typeof COUNTDOWN_INTERVAL) =>
    runtime.atom(Stream.fromEffectSchedule(Clock.currentTimeMillis, Schedule.spaced(interval)))
  const slowClock = clockAtom(CLOCK_INTERVAL)
  const fastClock = clockAtom(COUNTDOWN_INTERVAL)

  const load = Atom.make((get): LoadState => {
    const source = sources.existing(get(route))
    get(started)
    return source === undefined ? notStarted : get(source.state)
  })
  /** Counts the sources that have been started, because sources are not atoms. */
  const started = Atom.keepAlive(Atom.make(0))
  const route = Atom.make((get) => State.route(get(state)))

  const pane = Atom.make((get): Content | undefined => {
    const loaded = get(load).content
    const current = get(route)
    if (loaded === undefined) return placeholders.get(Route.id(current))
    const selected = get(paneRoute)
    get(started)
    const source = selected === undefined ? undefined : sources.existing(selected)
    return source === undefined ? undefined : get(source.state).content
  })

  const external = Atom.make((get): Viewport.ExternalState => {
    const loaded = get(load)
    const limits = AsyncResult.getOrElse(get(statuses), () => []).map((status) =>
      RateLimits.withoutLimits(status, connection.kind)
    )
    const clock = get(loaded.failure === undefined ? slowClock : fastClock)
    return {
      load: loaded,
      pane: get(pane),
      now: Math.max(
        AsyncResult.getOrElse(clock, () => 0),
        clockService.currentTimeMillisUnsafe()
      ),
      label: connection.label,
      notices: [...connection.notices, ...keys.problems],
      limits: RateLimitSummary.of(limits, scope),
      keys,
      isReadOnly,
      refusals: get(refusals)
    }
  })
  const view = Atom.keepAlive(Atom.make((get) => View.make(get(state), get(external))))

  let hasExited = false
  /** Changes the state. Operations may still report their progress after the program has ended. */
  const update = (f: (state: State.State) => State.State) => {
    if (!hasExited) registry.update(state, f)
  }
  const showMessage = (text: string, isError = false) => update((now) => ({ ...now, message: { text, isError } }))
  const seen = () => registry.get(external)
  const current = () => registry.get(state)

  // Loading

  let prefetch: Fiber.Fiber<unknown, unknown> | undefined
  let lastRoute: string | undefined
  let selectedRoute: string | undefined

  const startSource = (to: Route.Route) => {
    const isNew = sources.existing(to) === undefined
    const source = sources.of(to)
    source?.start()
    if (isNew) registry.update(started, (count) => count + 1)
    return source
  }

  /** Starts what the visible screen needs: its source, its visible pages, and the screen of the selected row. */
  const synchronize = () => {
    if (hasExited) return
    const now = current()
    const at = State.route(now)
    const id = Route.id(at)
    const source = startSource(at)
    const before = seen()
    if (id !== lastRoute) {
      const { confirmedAt, isLoading } = before.load
      const isOld = clockService.currentTimeMillisUnsafe() - confirmedAt > REFRESH_AGE
      if (lastRoute !== undefined && before.load.content !== undefined && isOld && !isLoading) source?.refresh(true)
      lastRoute = id
    }
    const content = Viewport.contentOf(before)
    if (content?._tag === "Table") {
      const height = Viewport.itemRows(now, content)
      const { top } = Viewport.windowOf(now, before)
      const { filter, marked } = State.position(now)
      if (filter === "") source?.show(top - height, top + 2 * height, marked.size > 0)
      else source?.show(0, Viewport.MAX_FILTER_ROWS, true)
    }
    const selected = Viewport.selectedRow(now, before)?.route
    const wanted = selected === undefined ? undefined : Route.id(selected)
    if (wanted !== selectedRoute) {
      selectedRoute = wanted
      if (prefetch !== undefined) Effect.runFork(Fiber.interrupt(prefetch))
      registry.set(paneRoute, selected !== undefined && sources.existing(selected) !== undefined ? selected : undefined)
      prefetch =
        selected === undefined
          ? undefined
          : fork(
              Effect.andThen(
                Effect.sleep(PREFETCH_DELAY),
                Effect.sync(() => {
                  startSource(selected)
                  registry.set(paneRoute, selected)
                })
              )
            )
    }
    runQueue()
  }

  let isScheduled = false
  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    queueMicrotask(() => {
      isScheduled = false
      synchronize()
    })
  }

  const refresh = (isQuiet: boolean) => sources.existing(State.route(current()))?.refresh(isQuiet)

  const background = fork(
    connection.kind === "remote"
      ? Effect.repeat(
          Effect.sync(() => {
            const { content, isLoading } = seen().load
            if (content !== undefined && !isLoading) refresh(true)
          }),
          Schedule.spaced(POLL_INTERVAL)
        )
      : Stream.runForEach(connection.changes, () => Effect.sync(() => refresh(true)))
  )

  // Commands that wait until the content of their screen is loaded, so that the user can type ahead.

  let queue: { readonly route: string; readonly commands: ReadonlyArray<QueuedCommand> } | undefined
  const isLoading = () => seen().load.content === undefined && seen().load.failure === undefined
  /** Runs a command now or once the content is loaded. `opensInput` makes later keys text of an input, so they wait too. */
  const whenLoaded = (run: () => void, opensInput = false) => {
    if (!isLoading()) return run()
    const at = Route.id(State.route(current()))
    const commands = queue?.route === at ? queue.commands : []
    queue = { route: at, commands: [...commands, { run, opensInput }].slice(0, MAX_QUEUED) }
  }
  /** Returns true if the keys belong to an input that opens once the content is loaded. */
  const isInputQueued = () =>
    queue !== undefined &&
    queue.route === Route.id(State.route(current())) &&
    queue.commands.some(({ opensInput }) => opensInput) &&
    isLoading()
  const runQueue = () => {
    if (queue === undefined || isLoading()) return
    const { commands, route } = queue
    queue = undefined
    if (route !== Route.id(State.route(current()))) return
    for (const { opensInput, run } of commands) if (!hasExited) whenLoaded(run, opensInput)
  }
  /** Runs a command that changes something. Never later: the user must see what it changes. */
  const ifLoaded = (run: () => void) => (isLoading() ? showMessage("Not loaded yet") : run())

  const dispose = () => {
    hasExited = true
    sources.dispose()
    Effect.runFork(Fiber.interrupt(background))
    if (prefetch !== undefined) Effect.runFork(Fiber.interrupt(prefetch))
  }
  const exit = (reason: ExitReason) => {
    dispose()
    onExit(reason)
  }

  // Commands

  const open = () => {
    const external = seen()
    const now = current()
    if (now.isPaneFocused && Viewport.contentOf(external)?._tag === "Document")
      return update((now) => ({ ...now, isPaneFocused: false }))
    const line = now.isPaneFocused ? paneLine(now, external) : Viewport.selectedLine(now, external)
    const row = now.isPaneFocused ? undefined : Viewport.selectedRow(now, external)
    const to = line?.route ?? row?.route
    if (to === undefined) {
      if (line?.url !== undefined) return browseUrl(line.url)
      return showMessage("Nothing to open here")
    }
    const preview = row?.preview?.()
    if (preview !== undefined) placeholders.set(Route.id(to), preview)
    for (const oldest of placeholders.keys()) if (placeholders.size > 20) placeholders.delete(oldest)
    return openRoute(to)
  }

  const openRoute = (to: Route.Route) => {
    const form = Registry.find(to.screen)?.form?.(to.arguments)
    return form === undefined ? update((now) => State.push(now, to)) : openForm(form)
  }

  const openForm = (form: Form.Form | undefined) => {
    if (form !== undefined) update((now) => ({ ...now, overlay: { _tag: "ScreenForm", form, entry: form.entry } }))
  }

  const paneLine = (now: State.State, external: Viewport.ExternalState) => {
    const document = Viewport.paneDocument(now, external)
    const { paneColumns } = Viewport.split(now, Viewport.contentOf(external))
    const layout = document?.layout(Viewport.contentColumns(paneColumns))
    if (layout === undefined) return undefined
    const { cursor } = Viewport.paneWindow(now, layout, Viewport.bodyRows(now))
    return cursor >= layout.length ? undefined : layout.lineAt(cursor, external.now)
  }

  const back = () =>
    update((now) => {
      const position = State.position(now)
      if (now.isPaneFocused) return { ...now, isPaneFocused: false }
      if (position.filter !== "") return State.withPosition(now, { ...position, filter: "" })
      if (position.findText !== "") return State.withPosition(now, { ...position, findText: "" })
      if (position.marked.size > 0) return State.withPosition(now, { ...position, marked: new Set() })
      if (now.routes.length > 1) return State.pop(now)
      return { ...now, message: { text: "This is the first screen. Press q to quit", isError: false } }
    })

  const changeTab = (step: number) =>
    update((now) => {
      const bar = Viewport.tabBar(now)
      return bar === undefined ? now : State.replace(now, Places.adjacent(bar, step))
    })

  const goToTab = (index: number) =>
    update((now) => {
      const bar = Viewport.tabBar(now)
      const screen = bar?.tabs[index]?.screens[0]?.screen
      return bar === undefined || screen === undefined ? now : State.replace(now, bar.route(screen))
    })

  const find = (text: string, direction: 1 | -1) =>
    update((now) => CursorMovement.findNext(now, seen(), text, direction))

  const openPrompt = (purpose: State.Prompt["purpose"]) => update((now) => PromptFlow.open(now, purpose))

  const openFilter = () => {
    const content = Viewport.contentOf(seen())
    if (content?._tag === "Notice") return showMessage("Nothing to find here")
    openPrompt(content?._tag === "Document" ? "find" : "filter")
  }

  const copySelected = () => {
    const now = current()
    const external = seen()
    const content = Viewport.contentOf(external)
    const text =
      content?._tag === "Table"
        ? Viewport.selectedRow(now, external)?.copy
        : (Viewport.selectedLine(now, external)?.copy ?? content?.id)
    if (text === undefined || text === "") return showMessage("Nothing to copy")
    copy(text)
    // The terminal does not confirm the copy, so the message contains the text, which the user can copy by hand.
    return showMessage(`${text} sent to the clipboard`)
  }

  const browseUrl = (text: string) => {
    const url = URL.parse(text)
    if (url?.protocol !== "https:" && url?.protocol !== "http:") return showMessage("This is not a web page")
    browse(url)
    return showMessage(`Opening ${url.href}`)
  }

  const browseSelected = () => {
    const now = current()
    const external = seen()
    const content = Viewport.contentOf(external)
    const line = Viewport.selectedLine(now, external)
    if (line?.url !== undefined) return browseUrl(line.url)
    if (connection.kind === "embedded") return showMessage("The embedded forge has no web pages. Try tongs explore")
    const url = content?._tag === "Table" ? Viewport.selectedRow(now, external)?.webUrl : content?.webUrl
    return typeof url === "string" ? browseUrl(url) : showMessage("This item has no web page")
  }

  const editContent = () => {
    const content = Viewport.contentOf(seen())
    if (content?._tag !== "Document") return showMessage("Only texts can be opened in the editor")
    const layout = content.layout(MAX_EDIT_COLUMNS)
    const isFile = State.route(current()).screen === "contents.get"
    const lines = Array.from({ length: layout.length }, (_, index) => {
      const { copy: text, line } = layout.lineAt(index, seen().now)
      return isFile ? (text ?? "") : line.map((span) => span.text).join("")
    })
    if (options.edit === undefined) return showMessage("Set EDITOR to open texts in an editor")
    return void showText(options.edit, content.id, `${lines.join("\n")}\n`)
  }

  const mark = () =>
    update((now) => {
      const external = seen()
      const row = Viewport.selectedRow(now, external)
      if (row === undefined) return { ...now, message: { text: "Only rows of lists can be marked", isError: false } }
      const position = State.position(now)
      const marked = new Set(position.marked)
      if (!marked.delete(row.id)) marked.add(row.id)
      return CursorMovement.move(State.withPosition(now, { ...position, marked }), external, "down")
    })

  const markAll = () =>
    update((now) => {
      const external = seen()
      const content = Viewport.contentOf(external)
      if (content?._tag !== "Table") return now
      const rows = Viewport.visibleRows(now, external, content)
      const ids = Array.from({ length: rows.count }, (_, index) => rows.at(index)?.id).filter((id) => id !== undefined)
      const position = State.position(now)
      const areAllMarked = ids.every((id) => position.marked.has(id))
      return State.withPosition(now, { ...position, marked: new Set(areAllMarked ? [] : ids) })
    })

  const openPalette = (title: string, items: ReadonlyArray<Palette.Item>) =>
    update((now) => ({
      ...now,
      overlay: { _tag: "Palette", title, items, input: TextInput.make(), window: ListWindow.start }
    }))

  const openActions = () => {
    const items = Choices.actions(current(), seen())
    if (items.length === 0) return showMessage("This screen has no actions")
    openPalette("Actions", items)
  }

  const startOperation = (action: OperationAction) => update((now) => OperationFlow.start(now, seen(), action))

  const runCommandOperation = (command: KeyBindings.CommandId) => {
    const action = OperationFlow.actions(current(), seen()).find((action) => action.command === command)
    if (action === undefined) return showMessage(`Nothing to ${command} here`)
    startOperation(action)
  }

  const choose = (choice: Palette.Choice): void => {
    update((now) => ({
      ...now,
      overlay: undefined,
      recentChoices: Palette.remember(now.recentChoices, choice)
    }))
    switch (choice._tag) {
      case "Command":
        return runCommand(choice.command)
      case "Operation":
        return choice.action.command === undefined && choice.action.on === "collection"
          ? startFromPalette(choice.action)
          : startOperation(choice.action)
      case "Route":
        return openRoute(choice.route)
      case "Screen": {
        const external = seen()
        const values = Choices.knownArguments(current(), external)
        const { defaults, entry } = choice.screen
        if (choice.screen.form !== undefined) return openForm(choice.screen.form(values))
        if (entry === undefined) return
        const { known } = Relations.input(entry, values)
        const form = Form.make(entry, { values: { ...defaults?.(external.now), ...known } })
        return update((now) => ({ ...now, overlay: { _tag: "ScreenForm", form, entry } }))
      }
      case "Profile":
        return void switchProfile(choice.name)
    }
  }

  const switchProfile = async (name: string) => {
    showMessage(`Connecting to ${name} …`)
    const problem = await options.switchProfile?.(name)
    if (problem !== undefined && !hasExited) showMessage(problem, true)
  }

  /** Starts an operation that the visible screen does not have, with the arguments that are known here. */
  const startFromPalette = (action: OperationAction) => {
    const known = Choices.knownArguments(current(), seen())
    if (isReadOnly) return showMessage(`${action.entry.operation.summary}: read-only mode`, true)
    const form = Form.make(action.entry, { values: Relations.input(action.entry, known).known })
    const pending: State.PendingOperation = {
      action,
      targets: [{ id: "", title: "", arguments: {}, value: undefined }],
      input: {}
    }
    return update((now) =>
      Form.isEditable(form)
        ? { ...now, overlay: { _tag: "Form", form, pending, isSending: false } }
        : OperationFlow.confirm(now, pending)
    )
  }

  const runOperation = (pending: State.PendingOperation, form: Form.Form | undefined) => {
    // The last check before a request that writes.
    if (isReadOnly) return showMessage("read-only mode", true)
    const { entry } = pending.action
    const calls = pending.targets.map((target) => ({ target, input: OperationFlow.inputFor(pending, target) }))
    const isSingle = calls.length === 1
    update((now) => ({
      ...now,
      overlay: isSingle
        ? form === undefined
          ? undefined
          : { _tag: "Form", form, pending, isSending: true }
        : { _tag: "Results", pending, results: calls.map(({ target }) => waiting(target)), window: ListWindow.start }
    }))
    if (isSingle && form === undefined) showMessage(`${entry.operation.summary} …`)
    const report = (call: OperationRunner.Call, outcome: OperationRunner.Outcome | undefined) =>
      update((now) =>
        now.overlay?._tag !== "Results"
          ? now
          : {
              ...now,
              overlay: {
                ...now.overlay,
                results: now.overlay.results.map((result) =>
                  result.target === call.target ? { ...result, ...progressOf(outcome) } : result
                )
              }
            }
      )
    fork(Effect.map(OperationRunner.run(entry, calls, report), (outcomes) => finish(pending, form, outcomes)))
  }

  const finish = (
    pending: State.PendingOperation,
    form: Form.Form | undefined,
    outcomes: ReadonlyArray<OperationRunner.Outcome>
  ) => {
    if (hasExited) return
    const { entry } = pending.action
    const failures = outcomes.flatMap((outcome) => (outcome._tag === "Failed" ? [outcome.failure] : []))
    const inverses = outcomes.flatMap((outcome) =>
      outcome._tag === "Done" && outcome.inverse !== undefined ? [outcome.inverse] : []
    )
    const [failure] = failures
    if (failure?._tag === "Forbidden")
      registry.update(refusals, (all) =>
        new Map(all).set(OperationFlow.refusalKey(pending.action, current()), "the forge refused it before")
      )
    const { overlay } = current()
    const isWaiting = overlay === undefined || (overlay._tag === "Form" && overlay.pending === pending)
    // The form stays open after a failure, because it contains what the user has typed.
    if (failure !== undefined && form !== undefined && isWaiting) {
      const failed =
        failure._tag === "ValidationFailed"
          ? Form.withFailure(form, failure)
          : { ...form, problems: [describe(failure)], isSubmitted: true }
      return update((now) => ({ ...now, overlay: { _tag: "Form", form: failed, pending, isSending: false } }))
    }
    const [inverse] = inverses
    const done = outcomes.length - failures.length
    const undoKey = keys.keyOf("undo")
    update((now) => ({
      // Saves no position on a screen where the user has not moved, so that its first line stays selected.
      ...(State.position(now).marked.size === 0
        ? now
        : State.withPosition(now, { ...State.position(now), marked: new Set() })),
      overlay: isWaiting ? undefined : now.overlay,
      undo:
        inverse === undefined
          ? // An earlier change must not be undone in place of this one.
            done > 0
            ? undefined
            : now.undo
          : { label: entry.operation.summary, entry: inverse.entry, inputs: inverses.map(({ input }) => input) },
      message:
        failure === undefined
          ? {
              text: `Done: ${entry.operation.summary.toLowerCase()}${done > 1 ? `, ${done} items` : ""}${inverse !== undefined && undoKey !== undefined ? `. ${undoKey} undoes it` : ""}`,
              isError: false
            }
          : {
              text: `${failures.length} of ${outcomes.length} failed: ${describe(failure)}`.replace(
                /^1 of 1 failed: /,
                ""
              ),
              isError: true
            }
    }))
    refresh(true)
  }

  const undo = () => {
    const { undo } = current()
    if (undo === undefined) return showMessage("Nothing to undo")
    const pending: State.PendingOperation = {
      action: { entry: undo.entry, on: "item" },
      targets: undo.inputs.map((input, index) => ({
        id: String(index),
        title: `undo: ${undo.label}`,
        arguments: input,
        value: undefined
      })),
      input: undo.inputs.length === 1 ? (undo.inputs[0] ?? {}) : {}
    }
    update((now) => ({ ...now, undo: undefined }))
    runUndo(pending, undo)
  }

  const runUndo = (pending: State.PendingOperation, undone: State.Undo) => {
    if (isReadOnly) return showMessage("read-only mode", true)
    const { inputs } = undone
    const calls = pending.targets.map((target, index) => ({ target, input: inputs[index] ?? {} }))
    fork(
      Effect.map(
        OperationRunner.run(pending.action.entry, calls, () => {}),
        (outcomes) => {
          finish(pending, undefined, outcomes)
          if (outcomes.every(({ _tag }) => _tag === "Failed")) update((now) => ({ ...now, undo: now.undo ?? undone }))
        }
      )
    )
  }

  const pressPrompt = (prompt: State.Prompt, key: string) =>
    update((now) =>
      key === "enter" ? PromptFlow.submit(now, seen(), prompt) : PromptFlow.press(now, seen(), prompt, key)
    )

  const saveSearch = () =>
    update((now) => {
      const at = State.route(now)
      return at.screen === "search.code"
        ? State.toggleSearch(now, at)
        : { ...now, message: { text: "Only a code search can be saved. Press s to search", isError: false } }
    })

  const pressOverlay = (overlay: State.Overlay, key: string): void => {
    const close = () => update((now) => ({ ...now, overlay: undefined }))
    const set = (overlay: State.Overlay) => update((now) => ({ ...now, overlay }))
    const command = keys.commandFor(key)
    switch (overlay._tag) {
      case "Help": {
        if (key === "escape" || key === "q" || key === "?" || command === "help" || command === "back") return close()
        const columns = Math.max(10, Math.min(96, current().columns - 6))
        const { length } = Boxes.help(columns, seen())
        const height = Math.max(1, Viewport.bodyRows(current()) - 2)
        const step = command === undefined ? 0 : CursorMovement.steps(command, height, length)
        return set({
          ...overlay,
          top: ListWindow.scroll({ cursor: overlay.top, top: overlay.top }, step, length, height).top
        })
      }
      case "Results": {
        if (key === "escape" || key === "q" || key === "enter" || command === "back") return close()
        const height = Math.max(1, Viewport.bodyRows(current()) - 4)
        const step = command === undefined ? 0 : CursorMovement.steps(command, height, overlay.results.length)
        return set({ ...overlay, window: ListWindow.scroll(overlay.window, step, overlay.results.length, height) })
      }
      case "Palette": {
        const found = Palette.filter(overlay.items, overlay.input.text)
        const height = Math.max(1, Viewport.bodyRows(current()) - 4)
        const move = (step: number) =>
          set({ ...overlay, window: ListWindow.move(overlay.window, step, found.length, height) })
        switch (key) {
          case "escape":
            return close()
          case "enter": {
            const item = found[ListWindow.clamp(overlay.window, found.length, height).cursor]
            if (item === undefined) return
            return item.unavailable === undefined
              ? choose(item.choice)
              : showMessage(`${item.label}: ${item.unavailable}`, true)
          }
          case "up":
          case "ctrl-p":
            return move(-1)
          case "down":
          case "ctrl-n":
          case "tab":
            return move(1)
          case "pageup":
            return move(-height)
          case "pagedown":
            return move(height)
          default: {
            if (key === "backspace" && overlay.input.text === "") return close()
            return set({ ...overlay, input: TextInput.press(overlay.input, key), window: ListWindow.start })
          }
        }
      }
      case "Confirmation": {
        if (key === "escape") return close()
        if (key !== "enter") {
          if (overlay.requiredText === undefined) return key === "n" || key === "q" ? close() : undefined
          return set({ ...overlay, input: TextInput.press(overlay.input, key) })
        }
        if (overlay.requiredText !== undefined && overlay.input.text !== overlay.requiredText)
          return showMessage(`Type ${overlay.requiredText} to confirm, or press Esc`, true)
        return runOperation(overlay.pending, overlay.form)
      }
      case "ScreenForm": {
        const step = Form.press(overlay.form, key)
        switch (step._tag) {
          case "Cancel":
            return close()
          case "Submit":
            return openScreen(`${overlay.entry.group}.${overlay.entry.name}`, step.input)
          case "Edit":
          case "EditInEditor":
            return set({ ...overlay, form: step.form })
        }
      }
      case "Form": {
        if (overlay.isSending) return key === "escape" ? close() : undefined
        const step = Form.press(overlay.form, key)
        switch (step._tag) {
          case "Cancel":
            return close()
          case "Edit":
            return set({ ...overlay, form: step.form })
          case "EditInEditor": {
            set({ ...overlay, form: step.form })
            if (options.edit === undefined) return showMessage("Set EDITOR to edit texts in an editor")
            return void editField(options.edit, step.field, step.text)
          }
          case "Submit": {
            const pending = OperationFlow.withInput(overlay.pending, step.input)
            const next = OperationFlow.confirm(current(), pending, step.form)
            const isIrreversible = next.overlay?._tag === "Confirmation" && next.overlay.requiredText !== undefined
            const needsConfirmation = isIrreversible || pending.action.entry.operation.effect === "delete"
            return needsConfirmation ? update(() => next) : runOperation(pending, step.form)
          }
        }
      }
    }
  }

  /** Opens a text in the editor to read it. */
  const showText = async (edit: NonNullable<Options["edit"]>, name: string, text: string) => {
    const outcome = await edit(name, text)
    if (hasExited) return
    if (outcome._tag === "Failed") showMessage(outcome.message, true)
    if (outcome._tag === "Edited") showMessage("Changes in the editor are not saved to the forge")
  }

  const editField = async (edit: NonNullable<Options["edit"]>, field: string, text: string) => {
    const edited = await edit(field, text)
    if (hasExited) return
    const { overlay } = current()
    if (edited._tag === "Failed") return showMessage(edited.message, true)
    if (edited._tag === "Edited" && overlay?._tag === "Form")
      update((now) => ({
        ...now,
        overlay: { ...overlay, form: Form.withText(overlay.form, field, edited.text.replace(/\n$/, "")) }
      }))
  }

  const moveSplit = (step: number) =>
    update((now) => ({ ...now, split: Math.max(Session.MIN_SPLIT, Math.min(Session.MAX_SPLIT, now.split + step)) }))

  const runCommand = (command: KeyBindings.CommandId): void => {
    switch (command) {
      case "quit":
        return exit({ _tag: "Quit" })
      case "help":
        return update((now) => ({ ...now, overlay: { _tag: "Help", top: 0 } }))
      case "open":
        return whenLoaded(open)
      case "back":
        return back()
      case "historyBack":
        return update(State.historyBack)
      case "historyForward":
        return update(State.historyForward)
      case "nextTab":
        return changeTab(1)
      case "previousTab":
        return changeTab(-1)
      case "tab1":
      case "tab2":
      case "tab3":
      case "tab4":
      case "tab5":
      case "tab6":
      case "tab7":
      case "tab8":
      case "tab9":
        return goToTab(Number(command.at(-1)) - 1)
      case "home":
        return update((now) => State.push(now, homeRoute))
      case "limits":
        return update((now) => State.push(now, Route.make("limits")))
      case "palette":
        return openPalette("Go to", Choices.all(current(), seen(), profiles))
      case "filter":
        return whenLoaded(openFilter, true)
      case "search":
        return openPrompt("search")
      case "searchAll":
        return openPrompt("searchAll")
      case "saveSearch":
        return saveSearch()
      case "next":
      case "previous": {
        const { findText } = State.position(current())
        if (findText === "") return showMessage("Nothing to find. Press / first")
        return whenLoaded(() => find(findText, command === "next" ? 1 : -1))
      }
      case "focusPane":
        return update((now) =>
          Viewport.split(now, Viewport.contentOf(seen())).side === undefined
            ? { ...now, message: { text: "No pane here. It needs a wider terminal", isError: false } }
            : { ...now, isPaneFocused: !now.isPaneFocused }
        )
      case "togglePane":
        return update((now) => ({ ...now, isPaneShown: !now.isPaneShown, isPaneFocused: false }))
      case "widenPane":
        return moveSplit(0.05)
      case "narrowPane":
        return moveSplit(-0.05)
      case "actions":
        return ifLoaded(openActions)
      case "create":
      case "modify":
      case "delete":
      case "trigger":
        return ifLoaded(() => runCommandOperation(command))
      case "undo":
        return undo()
      case "mark":
        return whenLoaded(mark)
      case "markAll":
        return whenLoaded(markAll)
      case "nextSection":
        return whenLoaded(() => changePeriod(1) || move(command))
      case "previousSection":
        return whenLoaded(() => changePeriod(-1) || move(command))
      case "refresh":
        return refresh(false)
      case "copy":
        return whenLoaded(copySelected)
      case "browse":
        return whenLoaded(browseSelected)
      case "edit":
        return whenLoaded(editContent)
      case "bottom":
        return whenLoaded(goToEnd)
      default:
        return whenLoaded(() => move(command))
    }
  }

  const move = (command: KeyBindings.CommandId) => update((now) => CursorMovement.move(now, seen(), command))

  /** Opens a screen with the values of its form. Leaves out defaults, which the screen computes again later. */
  const openScreen = (id: string, input: Route.Arguments) => {
    const defaults = Registry.find(id)?.defaults?.(seen().now) ?? {}
    const values = Object.fromEntries(Object.entries(input).filter(([name, value]) => defaults[name] !== value))
    update((now) => State.push({ ...now, overlay: undefined }, Route.make(id, values)))
  }

  /** Changes the period of the visible screen. Returns false if it has none. */
  const changePeriod = (step: 1 | -1): boolean => {
    const { arguments: values, screen: id } = State.route(current())
    const screen = Registry.find(id)
    if (screen?.changePeriod === undefined) return false
    const changed = screen.changePeriod(values, step, seen().now)
    if (changed === undefined) showMessage(step === 1 ? "This is the last period" : "This is the first period")
    else update((now) => State.replace(now, Route.make(id, changed)))
    return true
  }

  const goToEnd = () => {
    const content = Viewport.contentOf(seen())
    const { filter } = State.position(current())
    if (content?._tag !== "Table" || content.isCounted || filter !== "" || current().isPaneFocused)
      return update((now) => CursorMovement.move(now, seen(), "bottom"))
    const at = Route.id(State.route(current()))
    showMessage("Loading the end")
    sources.existing(State.route(current()))?.loadEnd((last) => {
      if (Route.id(State.route(current())) !== at) return
      update((now) => ({ ...CursorMovement.moveTo(now, seen(), last), message: undefined }))
    })
  }

  const press = (key: string) => {
    // Ignores keys that arrived together with the key that quits.
    if (hasExited) return
    if (key === "ctrl-c") return exit({ _tag: "Interrupt" })
    const now = current()
    if (now.message !== undefined) update((now) => ({ ...now, message: undefined }))
    if (now.overlay !== undefined) pressOverlay(now.overlay, key)
    else if (now.prompt !== undefined) pressPrompt(now.prompt, key)
    else if (isInputQueued()) {
      if (key === "escape") queue = undefined
      else whenLoaded(() => press(key))
    } else {
      const command = keys.commandFor(key)
      if (command !== undefined) runCommand(command)
    }
  }

  const paste = (text: string): void => {
    if (hasExited) return
    if (isInputQueued()) return whenLoaded(() => paste(text))
    const { overlay, prompt } = current()
    if (prompt !== undefined) {
      const input = TextInput.insert(prompt.input, text)
      return update((now) => PromptFlow.withInput(now, seen(), prompt, input))
    }
    if (overlay?._tag === "Form" || overlay?._tag === "ScreenForm")
      return update((now) => ({ ...now, overlay: { ...overlay, form: Form.paste(overlay.form, text) } }))
    if (overlay?._tag === "Palette" || overlay?._tag === "Confirmation")
      return update((now) => ({ ...now, overlay: { ...overlay, input: TextInput.insert(overlay.input, text) } }))
    showMessage("Nothing to paste into. Press / first")
  }

  const mouse = ({ action, button, column, row }: MouseEvent) => {
    if (hasExited || action !== "press") return
    if (button === "wheelUp" || button === "wheelDown") {
      const key = button === "wheelUp" ? "up" : "down"
      for (let step = 0; step < WHEEL_ROWS; step++) press(key)
      return
    }
    const now = current()
    const { mouse } = registry.get(view)
    const { choices } = mouse
    if (button === "left" && now.overlay?._tag === "Palette" && choices !== undefined) {
      const { overlay } = now
      const index = row - choices.row
      if (index < 0 || index >= choices.count || column < choices.from || column >= choices.to) return
      const cursor = choices.first + index
      update((now) => ({ ...now, overlay: { ...overlay, window: { ...overlay.window, cursor } } }))
      return press("enter")
    }
    if (button !== "left" || now.overlay !== undefined || now.prompt !== undefined) return
    const clicked = mouse.clicks.find((area) => area.row === row && column >= area.from && column < area.to)
    if (clicked !== undefined) return openClicked(clicked.route)
    const index = row - mouse.itemsTop
    if (index < 0 || index >= mouse.itemRows || column < mouse.mainFrom || column >= mouse.mainTo) return
    const { cursor, top } = Viewport.windowOf(now, seen())
    if (top + index === cursor && !now.isPaneFocused) return whenLoaded(open)
    update((now) => CursorMovement.moveTo({ ...now, isPaneFocused: false }, seen(), top + index))
  }

  /** Goes back to a screen in the header, or changes to a tab. */
  const openClicked = (to: Route.Route) =>
    update((now) => {
      const index = now.routes.findIndex((route) => Route.id(route) === Route.id(to))
      const [first, ...rest] = now.routes
      return index < 0 ? State.replace(now, to) : State.withRoutes(now, [first, ...rest.slice(0, index)])
    })

  fork(
    Effect.andThen(
      Effect.sleep(IDLE_DELAY),
      Effect.sync(() => {
        Places.complete()
        update((now) => ({ ...now }))
      })
    )
  )
  registry.subscribe(state, schedule)
  registry.subscribe(external, schedule)
  schedule()

  return {
    view,
    subscribe: (listener) => {
      const cancel = [registry.subscribe(state, listener), registry.subscribe(external, listener)]
      return () => cancel.forEach((stop) => stop())
    },
    press,
    paste,
    mouse,
    resize: (columns, rows) => update((now) => ({ ...now, columns, rows })),
    session: () => Session.of(current(), clockService.currentTimeMillisUnsafe()),
    dispose
  }
}

interface QueuedCommand {
  readonly run: () => void
  /** True if the command opens an input, which receives the next keys. */
  readonly opensInput: boolean
}

/** Number of rows that one step of the wheel moves. */
const WHEEL_ROWS = 3

/** Width in columns at which texts are opened in the editor, so that their lines are not wrapped. */
const MAX_EDIT_COLUMNS = 10_000

const homeRoute = Route.make("home")

const firstRoutes = ({
  isOutsideRepository,
  repository
}: Pick<Connection["Service"], "isOutsideRepository" | "repository">): State.State["routes"] =>
  repository === undefined || isOutsideRepository === true
    ? [homeRoute]
    : [homeRoute, Route.make("commits.list", { owner: repository.owner, repo: repository.repo })]

const waiting = (target: State.OperationResult["target"]): State.OperationResult => ({
  target,
  status: "waiting",
  message: ""
})

const progressOf = (
  outcome: OperationRunner.Outcome | undefined
): Pick<State.OperationResult, "status" | "message"> => {
  if (outcome === undefined) return { status: "running", message: "" }
  if (outcome._tag === "Done") return { status: "done", message: "" }
  return { status: "failed", message: describe(outcome.failure) }
}

const describe = (failure: Parameters<typeof FailureMessage.of>[0]): string => {
  const { hint, title } = FailureMessage.of(failure)
  return `${title}: ${hint}`
}
