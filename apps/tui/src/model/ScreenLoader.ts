/** Loads the visible screen: the source, the visible pages, and in advance the screen of the selected row. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import { Connection } from "@tongs/connection/Connection"
import * as Route from "../content/Route.ts"
import type { Services } from "../content/Source.ts"
import type * as ModelAtoms from "./ModelAtoms.ts"
import type { ModelContext } from "./ModelContext.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"

/** Interval of refreshes of a remote forge, which cost no rate limit while nothing changes. */
const POLL_INTERVAL = "20 seconds"

/** Milliseconds that the cursor rests on a row before the row's screen is loaded in advance. */
const PREFETCH_DELAY = 120

/** Age in milliseconds from which content is refreshed when the user returns to the screen. */
const REFRESH_AGE = 10_000

/** Loads the visible screen. */
export interface ScreenLoader {
  /** Synchronizes the sources with the visible screen in a microtask, once for several changes. */
  readonly schedule: () => void
  /** Loads the visible screen again. `isQuiet` shows no sign of loading. */
  readonly refresh: (isQuiet: boolean) => void
  /** Loads the home screen again if it was open. */
  readonly refreshHome: () => void
  /** Loads the end of the visible list, then calls `onLoaded` with the position of the last row. */
  readonly loadEnd: (onLoaded: (last: number) => void) => void
  /** Ends all requests. */
  readonly dispose: () => void
}

export interface Dependencies extends ModelContext, Pick<ModelAtoms.ModelAtoms, "sources" | "started" | "paneRoute"> {
  readonly registry: AtomRegistry
  readonly services: Services
  /** Runs the commands that wait for the content. */
  readonly runQueued: () => void
}

/** Creates the loader, which refreshes the visible screen from then on. */
export const make = (dependencies: Dependencies): ScreenLoader => {
  const { current, hasExited, paneRoute, registry, runQueued, seen, services, sources, started } = dependencies
  const connection = Context.get(services, Connection)
  const clockService = Context.get(services, Clock.Clock)
  const fork = Effect.runForkWith(services)

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

  /** Starts to load the visible screen: the source, the visible pages, and the screen of the selected row. */
  const synchronize = () => {
    if (hasExited()) return
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
      const { filter, filterRows, marked } = State.position(now)
      if (filter === "") source?.show(top - height, top + 2 * height, marked.size > 0)
      else source?.show(0, Math.max(filterRows, Viewport.FIRST_FILTER_ROWS), true)
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
    runQueued()
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
            const { content, failure, isLoading } = seen().load
            if (content !== undefined && !isLoading && failure?._tag !== "BadCredentials") refresh(true)
          }),
          Schedule.spaced(POLL_INTERVAL)
        )
      : Stream.runForEach(connection.changes, () => Effect.sync(() => refresh(true)))
  )

  return {
    schedule,
    refresh,
    refreshHome: () => sources.existing(Route.make("home"))?.refresh(true),
    loadEnd: (onLoaded) => sources.existing(State.route(current()))?.loadEnd(onLoaded),
    dispose: () => {
      sources.dispose()
      Effect.runFork(Fiber.interrupt(background))
      if (prefetch !== undefined) Effect.runFork(Fiber.interrupt(prefetch))
    }
  }
}
