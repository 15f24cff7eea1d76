/** The terminal UI without a terminal: handles keys and computes views. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as AsyncResult from "effect/reactivity/AsyncResult"
import * as Atom from "effect/reactivity/Atom"
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type { BudgetStatus } from "@tongs/core/limits/BudgetStatus"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import * as ContentAge from "./ContentAge.ts"
import * as RateLimitSummary from "./RateLimitSummary.ts"
import * as KeyBindings from "./KeyBindings.ts"
import * as CursorMovement from "./CursorMovement.ts"
import * as AutoLoad from "./AutoLoad.ts"
import * as Route from "./Route.ts"
import * as Prompt from "./Prompt.ts"
import * as Selection from "./Selection.ts"
import * as ContentSource from "./ContentSource.ts"
import * as State from "./State.ts"
import * as View from "./View.ts"
import * as Viewport from "./Viewport.ts"

/** The inputs and the output of the terminal UI. */
export interface Model {
  readonly view: Atom.Atom<View.View>
  /** Handles a key by its name (`KeyBindings.keyNames`). */
  readonly press: (key: string) => void
  /** Inserts pasted text into the prompt. Never runs the text as commands. */
  readonly paste: (text: string) => void
  /** Sets the size of the terminal. */
  readonly resize: (columns: number, rows: number) => void
}

/** The dependencies of the model. */
export interface Options {
  readonly registry: AtomRegistry
  readonly services: Context.Context<Forge | Connection | Scheduler>
  /** Called once, when the user quits with `q` or interrupts with Ctrl-C. */
  readonly onExit: (reason: "quit" | "interrupt") => void
  /** Sends text to the clipboard. */
  readonly copy: (text: string) => void
  /** Opens a web page. */
  readonly browse: (url: URL) => void
}

/** Maximum number of commands to queue while content loads. */
const MAX_QUEUED = 64

/** Interval of updates of the displayed ages. */
const CLOCK_INTERVAL = "5 seconds"

/** Creates the model. Opens the current repository of the connection, if any. */
export const make = ({ registry, services, onExit, copy, browse }: Options): Model => {
  const connection = Context.get(services, Connection)
  const { scope } = Context.get(services, Forge)
  const runtime = Atom.runtime(Layer.succeedContext(services))
  const sourceOf = ContentSource.make(runtime)
  const state = Atom.keepAlive(Atom.make(State.make(connection.repository)))
  const statuses = runtime.atom(Context.get(services, Scheduler).changes, { initialValue: [] })
  const source = Atom.make((get) => sourceOf(State.route(get(state))))

  const clock = runtime.atom(Stream.fromEffectSchedule(Clock.currentTimeMillis, Schedule.spaced(CLOCK_INTERVAL)))
  const external = Atom.make((get): Viewport.ExternalState => {
    const limits = AsyncResult.getOrElse(get(statuses), () => []).map(withoutLimits)
    const result = get(get(source).content)
    const now = AsyncResult.getOrElse(get(clock), () => 0)
    return {
      result,
      age: Option.getOrUndefined(Option.map(AsyncResult.value(result), (loaded) => ContentAge.label(loaded, now))),
      label: connection.label,
      notices: connection.notices,
      rateLimits: RateLimitSummary.summary(limits, scope),
      waitReason: RateLimitSummary.waitReason(limits, scope)
    }
  })
  /**
   * Marks the limits as off if the embedded forge sends no rate-limit headers. It sends headers if its limits are on.
   */
  const withoutLimits = (status: BudgetStatus): BudgetStatus =>
    connection.kind === "embedded" && status.limits === "silent" ? { ...status, limits: "none" } : status
  const view: Atom.Atom<View.View> = Atom.make((get) =>
    View.make(get(state), get(external), Option.getOrUndefined(get.self<View.View>())?.body)
  )

  const loadNextPage = () => {
    const { nextPage } = registry.get(source)
    if (nextPage !== undefined) registry.set(nextPage, undefined)
  }
  const refresh = () => registry.get(source).refreshable.forEach((atom) => registry.refresh(atom))
  // Deferred to a microtask, because loading a page invalidates this atom. Skipped if already disposed.
  const autoLoader = Atom.make((get) => {
    const next = AutoLoad.next(get(state), get(external))
    let isCurrent = true
    get.addFinalizer(() => (isCurrent = false))
    queueMicrotask(() => {
      if (isCurrent && next === "nextPage") loadNextPage()
      if (isCurrent && next === "refresh") refresh()
      if (isCurrent) runQueue()
    })
  })

  /** Commands that wait until the content of their screen is loaded, so that the user can type before. */
  let queue: { readonly route: Route.Route; readonly commands: ReadonlyArray<() => void> } | undefined
  const isLoading = () => registry.get(view).body._tag === "Loading"
  const whenLoaded = (command: () => void) => {
    if (!isLoading()) return command()
    const route = State.route(registry.get(state))
    const commands = queue?.route === route ? queue.commands : []
    queue = { route, commands: [...commands, command].slice(0, MAX_QUEUED) }
  }
  const runQueue = () => {
    if (queue === undefined || isLoading()) return
    const { commands, route } = queue
    queue = undefined
    if (route === State.route(registry.get(state))) commands.forEach(whenLoaded)
  }
  registry.mount(autoLoader)

  let hasExited = false
  const exit = (reason: "quit" | "interrupt") => {
    hasExited = true
    onExit(reason)
  }

  const update = (f: (state: State.State) => State.State) => registry.update(state, f)
  const showMessage = (message: string) => update((now) => ({ ...now, message }))

  const move = (command: KeyBindings.Command): void => {
    const seen = registry.get(external)
    const content = Viewport.contentOf(seen)
    const before = State.position(registry.get(state))
    update((now) => CursorMovement.move(now, seen, command))
    if (content?._tag !== "List" || before.filter === "" || content.isFullyLoaded || seen.result.waiting) return
    // With a filter, automatic loading of pages stops, so moving past the last row loads the next page.
    const { cursor } = State.position(registry.get(state))
    const isLast = cursor >= Viewport.filteredRows(registry.get(state), content).length - 1
    if (isLast && CursorMovement.movesDown(command)) loadNextPage()
  }

  const find = (text: string, direction: 1 | -1) => {
    const seen = registry.get(external)
    update((now) => CursorMovement.findNext(now, seen, text, direction))
  }

  const open = () => {
    const route = Selection.route(registry.get(state), registry.get(external))
    if (route !== undefined) update((now) => State.push(now, route))
  }

  /** Goes to the next or previous match; without a search, to the next or previous section. */
  const goToMatch = (command: "next" | "previous") => {
    const { findText } = State.position(registry.get(state))
    if (findText === "") return move(command === "next" ? "nextSection" : "previousSection")
    return find(findText, command === "next" ? 1 : -1)
  }

  const copySelected = () => {
    const id = Selection.copyText(registry.get(state), registry.get(external))
    if (id === undefined) return showMessage("Nothing to copy")
    copy(id)
    // The terminal does not confirm the copy, so the message contains the text, which the user can copy by hand.
    return showMessage(`${id} sent to the clipboard`)
  }

  const browseSelected = () => {
    if (connection.kind === "embedded") return showMessage("The embedded forge has no web pages. Try tongs explore")
    const page = Selection.webUrl(registry.get(state), registry.get(external))
    if (page === undefined) return showMessage("This item has no web page")
    browse(page)
    return showMessage(`Opening ${page.href}`)
  }

  const back = () =>
    update((now) => {
      const position = State.position(now)
      if (position.filter !== "") return State.withPosition(now, { ...position, filter: "", cursor: 0, top: 0 })
      if (position.findText !== "") return State.withPosition(now, { ...position, findText: "" })
      return now.routes.length > 1 ? State.pop(now) : { ...now, message: "This is the first screen. Press q to quit" }
    })

  const openPrompt = (purpose: Prompt.Prompt["purpose"]) => {
    const now = registry.get(state)
    if (purpose === "search" && Route.revision(State.route(now)) === undefined)
      return showMessage("Open a repository to search its code")
    const content = Viewport.contentOf(registry.get(external))
    const isList = content === undefined ? !Route.isDocument(State.route(now)) : content._tag === "List"
    if (purpose === "filter" && !isList) return showMessage("Only lists can be filtered")
    update((now) => ({ ...now, prompt: { purpose, text: purpose === "filter" ? State.position(now).filter : "" } }))
  }

  const updatePrompt = (prompt: Prompt.Prompt, step: Prompt.Step) => {
    const filtered = (now: State.State, filter: string) =>
      State.withPosition(now, { ...State.position(now), filter, cursor: 0, top: 0 })
    switch (step._tag) {
      case "Cancel":
        return update((now) => ({ ...(prompt.purpose === "filter" ? filtered(now, "") : now), prompt: undefined }))
      case "Edit":
        return update((now) => ({
          ...(prompt.purpose === "filter" ? filtered(now, step.prompt.text) : now),
          prompt: step.prompt
        }))
      case "Accept": {
        if (prompt.purpose !== "search") {
          update((now) => ({ ...now, prompt: undefined }))
          return prompt.purpose === "find" && prompt.text !== "" ? whenLoaded(() => find(prompt.text, 1)) : undefined
        }
        const parsed = SearchQuery.parse(prompt.text)
        if (Result.isFailure(parsed)) return showMessage(parsed.failure[0]?.message ?? "Invalid query")
        const at = Route.revision(State.route(registry.get(state)))
        if (at === undefined) return
        const route: Route.Route = { _tag: "Search", owner: at.owner, repo: at.repo, query: prompt.text.trim() }
        return update((now) => State.push({ ...now, prompt: undefined }, route))
      }
    }
  }

  const run = (command: Exclude<KeyBindings.Command, "interrupt">): void => {
    switch (command) {
      case "quit":
        return exit("quit")
      case "help":
        return update((now) => ({ ...now, helpTop: 0 }))
      case "open":
        return whenLoaded(open)
      case "back":
        return back()
      case "nextTab":
        return update((now) => State.changeTab(now, (tab) => Route.adjacentTab(tab, 1)))
      case "previousTab":
        return update((now) => State.changeTab(now, (tab) => Route.adjacentTab(tab, -1)))
      case "tab1":
      case "tab2":
      case "tab3":
      case "tab4":
      case "tab5":
        return update((now) => State.changeTab(now, (tab) => Route.tabs[Number(command.at(-1)) - 1] ?? tab))
      case "filter":
        return openPrompt("filter")
      case "search":
        return openPrompt("search")
      case "next":
      case "previous":
        return whenLoaded(() => goToMatch(command))
      case "slash":
        return openPrompt(
          Prompt.slashPurpose(State.route(registry.get(state)), Viewport.contentOf(registry.get(external)))
        )
      case "refresh":
        return refresh()
      case "copy":
        return whenLoaded(copySelected)
      case "browse":
        return whenLoaded(browseSelected)
      default:
        return whenLoaded(() => move(command))
    }
  }

  return {
    view,
    press: (key) => {
      // Ignores keys that arrived together with the key that quits.
      if (hasExited) return
      const now = registry.get(state)
      if (now.message !== undefined) update((now) => ({ ...now, message: undefined }))
      const command = KeyBindings.commandFor(key)
      if (command === "interrupt") return exit("interrupt")
      if (now.prompt !== undefined) return updatePrompt(now.prompt, Prompt.press(now.prompt, key))
      if (command === undefined) return
      if (now.helpTop === undefined) return run(command)
      if (command === "help" || command === "back" || command === "quit")
        update((now) => ({ ...now, helpTop: undefined }))
      else update((now) => CursorMovement.scrollHelp(now, registry.get(external), command))
    },
    paste: (text) => {
      if (hasExited) return
      const { prompt } = registry.get(state)
      if (prompt === undefined) showMessage("Nothing to paste into. Press / first")
      else updatePrompt(prompt, Prompt.paste(prompt, text))
    },
    resize: (columns, rows) => update((now) => ({ ...now, columns, rows }))
  }
}
