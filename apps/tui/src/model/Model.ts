/** The terminal UI without a terminal: keys go in, a view comes out. */
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
import type { ScopeStatus } from "@tongs/core/limits/ScopeStatus"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import * as ContentAge from "./ContentAge.ts"
import * as RateLimitStatus from "./RateLimitStatus.ts"
import * as KeyBindings from "./KeyBindings.ts"
import * as CursorMovement from "./CursorMovement.ts"
import * as AutoLoad from "./AutoLoad.ts"
import * as Route from "./Route.ts"
import * as Prompt from "./Prompt.ts"
import * as Selection from "./Selection.ts"
import * as ContentSource from "./ContentSource.ts"
import * as Slash from "./Slash.ts"
import * as State from "./State.ts"
import * as View from "./View.ts"

export interface Model {
  readonly view: Atom.Atom<View.View>
  /** One key, by its name (`Key.names`). */
  readonly press: (key: string) => void
  /** Text from the clipboard: it goes where one types, and nowhere else. */
  readonly paste: (text: string) => void
  readonly resize: (columns: number, rows: number) => void
}

export interface Options {
  readonly registry: AtomRegistry
  readonly services: Context.Context<Forge | Connection | Scheduler>
  /** The person wants to leave: with `q`, or with Ctrl-C. */
  readonly onExit: (how: "quit" | "interrupt") => void
  /** Puts text on the clipboard. */
  readonly copy: (text: string) => void
  /** Opens a page on the web. */
  readonly browse: (url: URL) => void
}

/** Keys that are kept while what they are for is on its way. */
const MAX_AHEAD = 64

/** How often what is shown grows older. */
const TICK = "5 seconds"

export const make = ({ registry, services, onExit, copy, browse }: Options): Model => {
  const connection = Context.get(services, Connection)
  const { scope } = Context.get(services, Forge)
  const runtime = Atom.runtime(Layer.succeedContext(services))
  const sources = ContentSource.make(runtime)
  const state = Atom.keepAlive(Atom.make(State.make(connection.repository)))
  const budgets = runtime.atom(Context.get(services, Scheduler).changes, { initialValue: [] })
  const source = Atom.make((get) => sources.of(State.route(get(state))))

  const clock = runtime.atom(Stream.fromEffectSchedule(Clock.currentTimeMillis, Schedule.spaced(TICK)))
  const world = Atom.make((get): View.ExternalState => {
    const views = AsyncResult.getOrElse(get(budgets), () => [])
    const result = get(get(source).content)
    const now = AsyncResult.getOrElse(get(clock), () => 0)
    return {
      result,
      age: Option.getOrUndefined(Option.map(AsyncResult.value(result), (reading) => ContentAge.label(reading, now))),
      label: connection.label,
      notices: connection.notices,
      budget: RateLimitStatus.summary(views.map(told), scope),
      waiting: RateLimitStatus.waitReason(views, scope)
    }
  })
  /** The embedded forge is silent where its limits are off. */
  const told = (view: ScopeStatus): ScopeStatus =>
    connection.kind === "embedded" && view.limits === "silent" ? { ...view, limits: "none" } : view
  const view: Atom.Atom<View.View> = Atom.make((get) =>
    View.make(get(state), get(world), Option.getOrUndefined(get.self<View.View>())?.body)
  )

  const more = () => {
    const { nextPage } = registry.get(source)
    if (nextPage !== undefined) registry.set(nextPage, undefined)
  }
  const anew = () => registry.get(source).refreshable.forEach((atom) => registry.refresh(atom))
  // Reading on changes what this comes from, so it comes after; and not at all where that has changed or ended before.
  const reader = Atom.make((get) => {
    const need = AutoLoad.next(get(state), get(world))
    let isTrue = true
    get.addFinalizer(() => (isTrue = false))
    queueMicrotask(() => {
      if (isTrue && need === "more") more()
      if (isTrue && need === "anew") anew()
      if (isTrue) catchUp()
    })
  })

  /** What was asked of a content before it came, and where: whoever types fast has not seen that it is not there. */
  let ahead: { readonly place: Route.Route; readonly steps: ReadonlyArray<() => void> } | undefined
  const isLoading = () => registry.get(view).body._tag === "Loading"
  const whenThere = (step: () => void) => {
    if (!isLoading()) return step()
    const place = State.route(registry.get(state))
    const steps = ahead?.place === place ? ahead.steps : []
    ahead = { place, steps: [...steps, step].slice(0, MAX_AHEAD) }
  }
  const catchUp = () => {
    if (ahead === undefined || isLoading()) return
    const { place, steps } = ahead
    ahead = undefined
    if (place === State.route(registry.get(state))) steps.forEach(whenThere)
  }
  registry.mount(reader)

  let hasLeft = false
  const quit = (how: "quit" | "interrupt") => {
    hasLeft = true
    onExit(how)
  }

  const update = (f: (state: State.State) => State.State) => registry.update(state, f)
  const say = (said: string) => update((now) => ({ ...now, message: said }))

  const move = (command: KeyBindings.Command): void => {
    const seen = registry.get(world)
    const content = View.contentOf(seen)
    const before = State.position(registry.get(state))
    update((now) => CursorMovement.move(now, seen, command))
    if (content?._tag !== "List" || before.filter === "" || content.isFullyLoaded || seen.result.waiting) return
    // A filter that reads no more on its own does when one asks for what is beyond its end.
    const { cursor } = State.position(registry.get(state))
    const isLast = cursor >= View.filteredRows(registry.get(state), content).length - 1
    if (isLast && CursorMovement.movesDown(command)) more()
  }

  /** The next place in the text with the words, or the one before. */
  const look = (words: string, direction: 1 | -1) => {
    const seen = registry.get(world)
    update((now) => CursorMovement.findNext(now, seen, words, direction))
  }

  const open = () => {
    const place = Selection.route(registry.get(state), registry.get(world))
    if (place !== undefined) update((now) => State.push(now, place))
  }

  /** To the next or the previous of what one looks for; of the parts, where one looks for nothing. */
  const goOn = (command: "next" | "previous") => {
    const { findText } = State.position(registry.get(state))
    if (findText === "") return move(command === "next" ? "nextPart" : "previousPart")
    return look(findText, command === "next" ? 1 : -1)
  }

  const copySelected = () => {
    const id = Selection.copyText(registry.get(state), registry.get(world))
    if (id === undefined) return say("There is nothing to copy here")
    copy(id)
    // Whether the terminal took it nobody can know; where it did not, it can be copied by hand from here.
    return say(`${id} sent to the clipboard`)
  }

  const browseSelected = () => {
    if (connection.kind === "embedded") return say("The embedded forge has no web pages: see tongs explore")
    const page = Selection.webUrl(registry.get(state), registry.get(world))
    if (page === undefined) return say("There is no web page of this")
    browse(page)
    return say(`Opening ${page.href}`)
  }

  const back = () =>
    update((now) => {
      const position = State.position(now)
      if (position.filter !== "") return State.withPosition(now, { ...position, filter: "", cursor: 0, top: 0 })
      if (position.findText !== "") return State.withPosition(now, { ...position, findText: "" })
      return now.routes.length > 1 ? State.pop(now) : { ...now, message: "This is the first screen: q quits" }
    })

  const ask = (purpose: Prompt.Prompt["purpose"]) => {
    const now = registry.get(state)
    if (purpose === "search" && Route.revision(State.route(now)) === undefined)
      return say("Open a repository to search its code")
    const content = View.contentOf(registry.get(world))
    const isList = content === undefined ? !Route.isDocument(State.route(now)) : content._tag === "List"
    if (purpose === "filter" && !isList) return say("Only lists can be filtered")
    update((now) => ({ ...now, prompt: { purpose, text: purpose === "filter" ? State.position(now).filter : "" } }))
  }

  const answer = (prompt: Prompt.Prompt, step: Prompt.Step) => {
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
          return prompt.purpose === "find" && prompt.text !== "" ? whenThere(() => look(prompt.text, 1)) : undefined
        }
        const parsed = SearchQuery.parse(prompt.text)
        if (Result.isFailure(parsed)) return say(parsed.failure[0]?.message ?? "This is no query")
        const at = Route.revision(State.route(registry.get(state)))
        if (at === undefined) return
        const place: Route.Route = { _tag: "Search", owner: at.owner, repo: at.repo, query: prompt.text.trim() }
        return update((now) => State.push({ ...now, prompt: undefined }, place))
      }
    }
  }

  const act = (command: Exclude<KeyBindings.Command, "interrupt">): void => {
    switch (command) {
      case "quit":
        return quit("quit")
      case "help":
        return update((now) => ({ ...now, helpTop: 0 }))
      case "open":
        return whenThere(open)
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
        return ask("filter")
      case "search":
        return ask("search")
      case "next":
      case "previous":
        return whenThere(() => goOn(command))
      case "slash":
        return ask(Slash.slashPurpose(State.route(registry.get(state)), View.contentOf(registry.get(world))))
      case "refresh":
        return anew()
      case "copy":
        return whenThere(copySelected)
      case "browse":
        return whenThere(browseSelected)
      default:
        return whenThere(() => move(command))
    }
  }

  return {
    view,
    press: (key) => {
      // Keys that came with the last one are for nobody.
      if (hasLeft) return
      const now = registry.get(state)
      if (now.message !== undefined) update((now) => ({ ...now, message: undefined }))
      const command = KeyBindings.commandFor(key)
      if (command === "interrupt") return quit("interrupt")
      if (now.prompt !== undefined) return answer(now.prompt, Prompt.press(now.prompt, key))
      if (command === undefined) return
      if (now.helpTop === undefined) return act(command)
      if (command === "help" || command === "back" || command === "quit")
        update((now) => ({ ...now, helpTop: undefined }))
      else update((now) => CursorMovement.scrollHelp(now, registry.get(world), command))
    },
    paste: (text) => {
      if (hasLeft) return
      const { prompt } = registry.get(state)
      if (prompt === undefined) say("There is nothing to paste into here: / asks for words")
      else answer(prompt, Prompt.paste(prompt, text))
    },
    resize: (columns, rows) => update((now) => ({ ...now, columns, rows }))
  }
}
