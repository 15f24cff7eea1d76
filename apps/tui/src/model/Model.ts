/** The terminal UI without a terminal: handles keys, mouse events and refreshes, and computes views. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Atom from "effect/reactivity/Atom"
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import { Connection } from "@tongs/connection/Connection"
import * as FileCommit from "../actions/FileCommit.ts"
import * as Form from "../actions/Form.ts"
import * as KeyBindings from "../actions/KeyBindings.ts"
import type { Services } from "../content/Source.ts"
import * as Places from "../screens/Places.ts"
import type * as ExternalEditor from "../terminal/ExternalEditor.ts"
import * as TextInput from "../text/TextInput.ts"
import * as CodeCommands from "./CodeCommands.ts"
import * as CommandQueue from "./CommandQueue.ts"
import * as Commands from "./Commands.ts"
import * as CursorMovement from "./CursorMovement.ts"
import * as FileEditing from "./FileEditing.ts"
import * as ModelAtoms from "./ModelAtoms.ts"
import type { ModelContext } from "./ModelContext.ts"
import * as KeySequences from "./KeySequences.ts"
import * as ScreenNavigation from "./ScreenNavigation.ts"
import * as OperationControl from "./OperationControl.ts"
import * as OverlayKeys from "./OverlayKeys.ts"
import * as PromptFlow from "./PromptFlow.ts"
import * as ScreenLoader from "./ScreenLoader.ts"
import * as SearchSaving from "./SearchSaving.ts"
import * as SelectionCommands from "./SelectionCommands.ts"
import * as Session from "./Session.ts"
import type * as State from "./State.ts"
import type * as View from "./View.ts"
import * as Viewport from "./Viewport.ts"
import type { WindowLayout } from "./WindowLayout.ts"

/** Why the program ends: the user quits or interrupts the program. */
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
  /** The screen, computed on reading. */
  readonly view: Atom.Atom<View.View>
  /** Calls a function after each change of the view's inputs. Returns a function that stops the calls. */
  readonly subscribe: (listener: () => void) => () => void
  /** Handles a key by name, such as `j`, `ctrl-d` and `enter`. */
  readonly press: (key: string) => void
  /** Inserts pasted text into the open input. Never runs the text as commands. */
  readonly paste: (text: string) => void
  readonly mouse: (event: MouseEvent) => void
  /** Receives the layout of the window after each drawing, for clicks and for scrolling. */
  readonly windowDrawn: (layout: WindowLayout) => void
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
  /** The user's editor; undefined without a terminal for it. */
  readonly editor?: ExternalEditor.Editor
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

/** Milliseconds after the start until work that the first frames do not need. */
const IDLE_DELAY = 700

/** Number of rows that one step of the wheel moves. */
const WHEEL_ROWS = 3

/** Creates the model. Opens the repository of the working directory, or else the home. */
export const make = (options: Options): Model => {
  const { isReadOnly = false, onExit, profiles = [], registry, services } = options
  const clock = Context.get(services, Clock.Clock)
  const keys = KeyBindings.make(options.keys)
  const atoms = ModelAtoms.make({ registry, services, keys, isReadOnly, session: options.session })
  const { external, state, view } = atoms

  let isEnded = false
  const current = () => registry.get(state)
  const seen = () => registry.get(external)
  const hasExited = () => isEnded
  /** Changes the state. Operations may still report progress after the program has ended. */
  const update = (f: (state: State.State) => State.State) => {
    if (!isEnded) registry.update(state, f)
  }
  const showMessage = (text: string, isError = false) => update((now) => ({ ...now, message: { text, isError } }))
  const context: ModelContext = { current, seen, update, showMessage, hasExited }

  const queue = CommandQueue.make(context)
  const loader = ScreenLoader.make({ ...context, ...atoms, registry, services, runQueued: queue.runQueued })
  const dispose = () => {
    isEnded = true
    loader.dispose()
  }
  const exit = (reason: ExitReason) => {
    dispose()
    onExit(reason)
  }

  const { browse, copy, editor, switchProfile } = options
  const { refresh } = loader
  const { kind, workTrees } = Context.get(services, Connection)
  const isEmbedded = kind === "embedded"
  const selection = SelectionCommands.make({ ...context, copy, browse, editor, isEmbedded, workTrees, refresh })
  const navigation = ScreenNavigation.make({ ...context, ...atoms, browseUrl: selection.browseUrl })
  const operations = OperationControl.make({ ...context, ...atoms, registry, services, isReadOnly, refresh })
  const fileEditing = FileEditing.make({ ...context, services, editor, isReadOnly, refresh })
  const { toggle: toggleSearch } = SearchSaving.make({
    ...context,
    services,
    savesOnForge: isEmbedded && !isReadOnly,
    refreshHome: loader.refreshHome
  })
  const quit = () => exit({ _tag: "Quit" })
  const code = CodeCommands.make({ ...context, services })
  const commands = Commands.make({
    ...context,
    queue,
    loader,
    navigation,
    selection,
    code,
    operations,
    fileEditing,
    toggleSearch,
    profiles,
    isEmbedded,
    quit
  })
  let layout: WindowLayout | undefined
  const layoutOf = (tag: WindowLayout["tag"]) => (layout?.tag === tag ? layout : undefined)
  const overlayKeys = OverlayKeys.make({
    ...context,
    commands,
    navigation,
    operations,
    selection,
    fileEditing,
    editor,
    layoutOf,
    switchProfile
  })

  const pressPrompt = (prompt: State.Prompt, key: string) => {
    const filtersAll = key === "tab" && prompt.purpose === "filter"
    update((now) =>
      key === "enter" || filtersAll
        ? PromptFlow.submit(now, seen(), prompt)
        : PromptFlow.press(now, seen(), prompt, key)
    )
    if (filtersAll) commands.run("filterAll")
  }

  const press = (key: string) => {
    // Ignores keys that arrived together with the key that quits.
    if (hasExited()) return
    if (key === "ctrl-c") return exit({ _tag: "Interrupt" })
    const now = current()
    if (now.message !== undefined) update((now) => ({ ...now, message: undefined }))
    if (now.overlay !== undefined) overlayKeys.press(now.overlay, key)
    else if (now.prompt !== undefined) pressPrompt(now.prompt, key)
    else if (queue.isInputQueued()) {
      if (key === "escape") queue.clear()
      else queue.whenLoaded(() => press(key))
    } else sequences.press(key)
  }

  const sequences = KeySequences.make({
    keys,
    services,
    where: () => Viewport.where(current(), seen()),
    run: commands.run,
    press
  })

  const paste = (text: string): void => {
    if (hasExited()) return
    if (queue.isInputQueued()) return queue.whenLoaded(() => paste(text))
    const { overlay, prompt } = current()
    if (prompt !== undefined) {
      const input = TextInput.insert(prompt.input, text)
      return update((now) => PromptFlow.withInput(now, seen(), prompt, input))
    }
    if (overlay?._tag === "Form" || overlay?._tag === "ScreenForm")
      return update((now) => ({ ...now, overlay: { ...overlay, form: Form.paste(overlay.form, text) } }))
    if (overlay?._tag === "FileCommit")
      return update((now) => ({ ...now, overlay: { ...overlay, window: FileCommit.paste(overlay.window, text) } }))
    if ((overlay?._tag === "Palette" || overlay?._tag === "Confirmation") && overlay.input !== undefined) {
      const input = TextInput.insert(overlay.input, text)
      return update((now) => ({ ...now, overlay: { ...overlay, input } }))
    }
    showMessage("Nothing to paste into. Press / first")
  }

  const mouse = ({ action, button, column, row }: MouseEvent) => {
    if (hasExited() || action !== "press") return
    if (button === "wheelUp" || button === "wheelDown") {
      const key = button === "wheelUp" ? "up" : "down"
      for (let step = 0; step < WHEEL_ROWS; step++) press(key)
      return
    }
    const now = current()
    const { mouse } = registry.get(view)
    const choices = layoutOf("Palette")?.choices
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
    if (clicked !== undefined) return navigation.openClicked(clicked.route)
    const index = row - mouse.itemsTop
    if (index < 0 || index >= mouse.itemRows || column < mouse.mainFrom || column >= mouse.mainTo) return
    const { cursor } = Viewport.windowOf(now, seen())
    const item = Viewport.itemsByRow(now, seen())[index]
    if (item === undefined) return
    if (item === cursor && !now.isPaneFocused) return queue.whenLoaded(navigation.open)
    update((now) => CursorMovement.moveTo({ ...now, isPaneFocused: false }, seen(), item))
  }

  Effect.runForkWith(services)(
    Effect.andThen(
      Effect.sleep(IDLE_DELAY),
      Effect.sync(() => {
        Places.complete()
        update((now) => ({ ...now }))
      })
    )
  )
  registry.subscribe(state, loader.schedule)
  registry.subscribe(external, loader.schedule)
  loader.schedule()

  return {
    view,
    subscribe: (listener) => {
      const cancel = [registry.subscribe(state, listener), registry.subscribe(external, listener)]
      return () => cancel.forEach((stop) => stop())
    },
    press,
    paste,
    mouse,
    windowDrawn: (drawn) => {
      layout = drawn
    },
    resize: (columns, rows) => update((now) => ({ ...now, columns, rows })),
    session: () => Session.of(current(), clock.currentTimeMillisUnsafe()),
    dispose
  }
}
