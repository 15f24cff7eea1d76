/** The atoms of the model: the state, the content of the visible screen, and the view of both. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as AsyncResult from "effect/reactivity/AsyncResult"
import * as Atom from "effect/reactivity/Atom"
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type * as KeyBindings from "../actions/KeyBindings.ts"
import type { Content } from "../content/Content.ts"
import type { Document } from "../content/Document.ts"
import * as Route from "../content/Route.ts"
import { initial, type LoadState, type Services } from "../content/Source.ts"
import * as RateLimits from "../screens/limits/RateLimits.ts"
import * as RateLimitSummary from "./RateLimitSummary.ts"
import * as Session from "./Session.ts"
import * as Sources from "./Sources.ts"
import * as State from "./State.ts"
import * as View from "./View.ts"
import type * as Viewport from "./Viewport.ts"

/** Interval of updates of the displayed ages. */
const CLOCK_INTERVAL = "5 seconds"

/** Interval of updates of the time to the next attempt. */
const COUNTDOWN_INTERVAL = "1 second"

/** The atoms, and the sources that the atoms read. */
export interface ModelAtoms {
  readonly state: Atom.Writable<State.State>
  /** The loaded content and the settings, which the view shows beside the state. */
  readonly external: Atom.Atom<Viewport.ExternalState>
  readonly view: Atom.Atom<View.View>
  readonly sources: Sources.Sources
  /** Counts the sources that have been started, because sources are not atoms. */
  readonly started: Atom.Writable<number>
  /** The screen of the row under the cursor, after a short rest of the cursor on the row. */
  readonly paneRoute: Atom.Writable<Route.Route | undefined>
  /** Why the forge refuses operations, by `OperationFlow.refusalKey`. */
  readonly refusals: Atom.Writable<ReadonlyMap<string, string>>
  /** Previews of rows by route id, shown while the screen loads for the first time. */
  readonly placeholders: Map<string, Document>
}

export interface Dependencies {
  readonly registry: AtomRegistry
  readonly services: Services
  readonly keys: KeyBindings.KeyBindings
  readonly isReadOnly: boolean
  /** The saved session. */
  readonly session: unknown
}

/** Creates the atoms. Opens the repository of the working directory, or else the home. */
export const make = ({ isReadOnly, keys, registry, services, session }: Dependencies): ModelAtoms => {
  const connection = Context.get(services, Connection)
  const { scope } = Context.get(services, Forge)
  const clockService = Context.get(services, Clock.Clock)
  const runtime = Atom.runtime(Layer.succeedContext(services))

  const state = Atom.keepAlive(
    Atom.make({
      ...Session.restore(State.make(firstRoutes(connection)), session, clockService.currentTimeMillisUnsafe()),
      message: keys.problems.length === 0 ? undefined : { text: keys.problems.join(" "), isError: true }
    })
  )
  const searches = Atom.make((get) => get(state).searches)
  const sources = Sources.make({ registry, services, searches })
  const paneRoute = Atom.keepAlive(Atom.make<Route.Route | undefined>(undefined))
  const refusals = Atom.keepAlive(Atom.make<ReadonlyMap<string, string>>(new Map()))
  const statuses = runtime.atom(Context.get(services, Scheduler).changes, { initialValue: [] })
  const placeholders = new Map<string, Document>()

  const clockAtom = (interval: typeof CLOCK_INTERVAL | typeof COUNTDOWN_INTERVAL) =>
    runtime.atom(Stream.fromEffectSchedule(Clock.currentTimeMillis, Schedule.spaced(interval)))
  const slowClock = clockAtom(CLOCK_INTERVAL)
  const fastClock = clockAtom(COUNTDOWN_INTERVAL)

  const load = Atom.make((get): LoadState => {
    const source = sources.existing(get(route))
    get(started)
    return source === undefined ? initial : get(source.state)
  })
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

  return { state, external, view, sources, started, paneRoute, refusals, placeholders }
}

const homeRoute = Route.make("home")

const firstRoutes = ({
  isOutsideRepository,
  repository
}: Pick<Connection["Service"], "isOutsideRepository" | "repository">): State.State["routes"] =>
  repository === undefined || isOutsideRepository === true
    ? [homeRoute]
    : [homeRoute, Route.make("commits.list", { owner: repository.owner, repo: repository.repo })]
