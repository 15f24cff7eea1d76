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
import type { ScopeView } from "@tongs/core/limits/View"
import * as Query from "@tongs/core/query/Query"
import * as Age from "./Age.ts"
import * as Budget from "./Budget.ts"
import type * as Content from "./Content.ts"
import { slashFilters } from "./Help.ts"
import * as Key from "./Key.ts"
import * as ListWindow from "./ListWindow.ts"
import * as Need from "./Need.ts"
import * as Place from "./Place.ts"
import * as Prompt from "./Prompt.ts"
import * as Selection from "./Selection.ts"
import * as Sources from "./Sources.ts"
import * as State from "./State.ts"
import * as View from "./View.ts"

export interface Model {
  readonly view: Atom.Atom<View.View>
  /** One key, by its name (`Key.names`). */
  readonly press: (key: string) => void
  readonly resize: (columns: number, rows: number) => void
}

export interface Options {
  readonly registry: AtomRegistry
  readonly services: Context.Context<Forge | Connection | Scheduler>
  /** The person wants to leave: with `q`, or with Ctrl-C. */
  readonly leave: (how: "quit" | "interrupt") => void
  /** Puts text on the clipboard. */
  readonly copy: (text: string) => void
}

/** Columns that a text moves sideways at once. */
const SIDEWAYS = 8

/** How often what is shown grows older. */
const TICK = "5 seconds"

export const make = ({ registry, services, leave, copy }: Options): Model => {
  const connection = Context.get(services, Connection)
  const { scope } = Context.get(services, Forge)
  const runtime = Atom.runtime(Layer.succeedContext(services))
  const sources = Sources.make(runtime)
  const state = Atom.keepAlive(Atom.make(State.make(connection.here)))
  const budgets = runtime.atom(Context.get(services, Scheduler).changes, { initialValue: [] })
  const source = Atom.make((get) => sources.of(State.place(get(state))))

  const clock = runtime.atom(Stream.fromEffectSchedule(Clock.currentTimeMillis, Schedule.spaced(TICK)))
  const world = Atom.make((get): View.World => {
    const views = AsyncResult.getOrElse(get(budgets), () => [])
    const result = get(get(source).content)
    const now = AsyncResult.getOrElse(get(clock), () => 0)
    return {
      result,
      age: Option.getOrUndefined(Option.map(AsyncResult.value(result), (reading) => Age.of(reading, now))),
      label: connection.label,
      notices: connection.notices,
      budget: Budget.line(views.map(told), scope),
      waiting: Budget.waiting(views, scope)
    }
  })
  /** The embedded forge is silent where its limits are off. */
  const told = (view: ScopeView): ScopeView =>
    connection.kind === "embedded" && view.limits === "silent" ? { ...view, limits: "none" } : view
  const view = Atom.make((get) => View.make(get(state), get(world)))

  const more = () => {
    const { more } = registry.get(source)
    if (more !== undefined) registry.set(more, undefined)
  }
  const anew = () => registry.get(source).reads.forEach((atom) => registry.refresh(atom))
  // Reading on changes what this comes from, so it comes after; and not at all where that has changed or ended before.
  const reader = Atom.make((get) => {
    const need = Need.of(get(state), get(world))
    let isTrue = true
    get.addFinalizer(() => (isTrue = false))
    queueMicrotask(() => {
      if (isTrue && need === "more") more()
      if (isTrue && need === "anew") anew()
    })
  })
  registry.mount(reader)

  const update = (f: (state: State.State) => State.State) => registry.update(state, f)
  const say = (said: string) => update((now) => ({ ...now, said }))

  const move = (command: Key.Command): void => {
    const now = registry.get(state)
    const seen = registry.get(world)
    const height = View.bodyRows(now, seen)
    const content = View.content(seen)
    if (content === undefined || content._tag === "Notice") return
    const position = State.position(now)
    if (content._tag === "Document") {
      const layout = View.layoutOf(now, content)
      const window = View.scrolled(now, layout, height)
      const sideways = command === "left" ? -SIDEWAYS : command === "right" ? SIDEWAYS : 0
      const left = Math.max(0, position.left + sideways)
      const to = partStep(layout, window.top, command)
      const step = to === undefined ? steps(command, height, layout.lines.length) : to - window.top
      update((now) =>
        State.moved(now, { ...position, left, ...ListWindow.scroll(window, step, layout.lines.length, height) })
      )
      return
    }
    const count = View.rowsOf(now, content).length
    const step = steps(command, height, count)
    update((now) => State.moved(now, { ...position, ...ListWindow.move(position, step, count, height) }))
    const atEnd = State.position(registry.get(state)).cursor >= count - 1
    // A filter that reads no more on its own does when one asks for what is beyond its end.
    if (step > 0 && atEnd && position.filter !== "" && !content.done && !seen.result.waiting) more()
  }

  const open = () => {
    const place = Selection.place(registry.get(state), registry.get(world))
    if (place !== undefined) update((now) => State.opened(now, place))
  }

  const back = () =>
    update((now) => {
      const position = State.position(now)
      if (position.filter !== "") return State.moved(now, { ...position, filter: "", cursor: 0, top: 0 })
      return now.way.length > 1 ? State.back(now) : { ...now, said: "This is the first screen: q quits" }
    })

  const ask = (purpose: Prompt.Prompt["purpose"]) => {
    const now = registry.get(state)
    if (purpose === "search" && Place.revision(State.place(now)) === undefined)
      return say("Open a repository to search its code")
    if (purpose === "filter" && View.content(registry.get(world))?._tag !== "List")
      return say("Only lists can be filtered")
    update((now) => ({ ...now, prompt: { purpose, text: purpose === "filter" ? State.position(now).filter : "" } }))
  }

  const answer = (prompt: Prompt.Prompt, key: string) => {
    const step = Prompt.press(prompt, key)
    const filtered = (now: State.State, filter: string) =>
      State.moved(now, { ...State.position(now), filter, cursor: 0, top: 0 })
    switch (step._tag) {
      case "Cancel":
        return update((now) => ({ ...(prompt.purpose === "filter" ? filtered(now, "") : now), prompt: undefined }))
      case "Edit":
        return update((now) => ({
          ...(prompt.purpose === "filter" ? filtered(now, step.prompt.text) : now),
          prompt: step.prompt
        }))
      case "Accept": {
        if (prompt.purpose === "filter") return update((now) => ({ ...now, prompt: undefined }))
        const parsed = Query.parse(prompt.text)
        if (Result.isFailure(parsed)) return say(parsed.failure[0]?.message ?? "This is no query")
        const at = Place.revision(State.place(registry.get(state)))
        if (at === undefined) return
        const place: Place.Place = { _tag: "Search", owner: at.owner, repo: at.repo, query: prompt.text.trim() }
        return update((now) => State.opened({ ...now, prompt: undefined }, place))
      }
    }
  }

  const act = (command: Exclude<Key.Command, "interrupt">): void => {
    switch (command) {
      case "quit":
        return leave("quit")
      case "help":
        return update((now) => ({ ...now, help: true }))
      case "open":
        return open()
      case "back":
        return back()
      case "nextTab":
        return update((now) => State.onTab(now, (tab) => Place.turn(tab, 1)))
      case "previousTab":
        return update((now) => State.onTab(now, (tab) => Place.turn(tab, -1)))
      case "tab1":
      case "tab2":
      case "tab3":
      case "tab4":
      case "tab5":
        return update((now) => State.onTab(now, (tab) => Place.tabs[Number(command.at(-1)) - 1] ?? tab))
      case "filter":
        return ask("filter")
      case "search":
        return ask("search")
      case "slash":
        return ask(slashFilters(State.place(registry.get(state))) ? "filter" : "search")
      case "refresh":
        return anew()
      case "copy": {
        const id = Selection.id(registry.get(state), registry.get(world))
        if (id === undefined) return say("There is nothing to copy here")
        copy(id)
        return say(`Copied ${id}`)
      }
      default:
        return move(command)
    }
  }

  return {
    view,
    press: (key) => {
      const now = registry.get(state)
      if (now.said !== undefined) update((now) => ({ ...now, said: undefined }))
      const command = Key.command(key)
      if (command === "interrupt") return leave("interrupt")
      if (now.prompt !== undefined) return answer(now.prompt, key)
      if (command === undefined) return
      if (!now.help) return act(command)
      if (command === "help" || command === "back" || command === "quit") update((now) => ({ ...now, help: false }))
    },
    resize: (columns, rows) => update((now) => ({ ...now, columns, rows }))
  }
}

/** Rows that a command moves by. */
const steps = (command: Key.Command, height: number, count: number): number => {
  const half = Math.max(1, Math.floor(height / 2))
  const page = Math.max(1, height - 1)
  switch (command) {
    case "down":
      return 1
    case "up":
      return -1
    case "halfDown":
      return half
    case "halfUp":
      return -half
    case "pageDown":
      return page
    case "pageUp":
      return -page
    case "top":
      return -count
    case "bottom":
      return count
    default:
      return 0
  }
}

/** The line at which the next or the previous part starts. */
const partStep = (layout: Content.Layout, top: number, command: Key.Command): number | undefined => {
  if (command === "nextPart") return layout.parts.find((part) => part.at > top)?.at
  if (command === "previousPart") return layout.parts.findLast((part) => part.at < top)?.at ?? 0
  return undefined
}
