/** Loads the content of a screen through the client and keeps it current: retries after failures, refreshes in place. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as Atom from "effect/reactivity/Atom"
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import type { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import type { Failure } from "@tongs/core/contract/Failure"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import type { Page } from "@tongs/core/paging/Page"
import type { Content } from "./Content.ts"
import type { Route } from "./Route.ts"
import type * as Table from "./Table.ts"

/** The state of loading a screen. Times are in epoch milliseconds. */
export interface LoadState {
  /** The last loaded content, also during a refresh and after a failure. */
  readonly content: Content | undefined
  /** Names the files that the content shows, for example `work tree of main`. Undefined without a choice of files. */
  readonly view?: string | undefined
  /** Time at which the forge last confirmed the content. */
  readonly confirmedAt: number
  /** True if the content came from the client's cache and is being refreshed. */
  readonly isStale: boolean
  readonly isLoading: boolean
  /** Time since which the forge has not answered; undefined while nothing loads. */
  readonly loadingSince: number | undefined
  /** The failure of the last load. */
  readonly failure: Failure | undefined
  /** Time of the next automatic attempt after a failure. */
  readonly retryAt: number | undefined
  /** The cause if loading died, which is a bug. */
  readonly defect: Cause.Cause<unknown> | undefined
}

/** The content of one screen, and how to load it. */
export interface Source {
  readonly state: Atom.Atom<LoadState>
  /** Loads the content if nothing has loaded it yet. */
  readonly start: () => void
  /**
   * Loads the visible content again. The old content stays until the new content has loaded. `isQuiet` shows no sign of
   * loading, for refreshes that the user did not ask for.
   */
  readonly refresh: (isQuiet?: boolean) => void
  /**
   * Loads the pages of rows `first` to `last` that are not loaded. Drops distant pages of a long list, unless `keepsAll` is
   * set: marked rows must stay.
   */
  readonly show: (first: number, last: number, keepsAll?: boolean) => void
  /** Loads the end of a list, then calls `onLoaded` with the position of the last row. */
  readonly loadEnd: (onLoaded: (last: number) => void) => void
  /** Ends all requests and retries. */
  readonly dispose: () => void
}

/** The services that sources use. */
export type Services = Context.Context<Forge | Connection | Scheduler>

/** The dependencies of sources: the registry of their atoms, and services. */
export interface Environment {
  readonly registry: AtomRegistry
  readonly services: Services
  /** The searches that the user has saved, for the home screen. */
  readonly searches?: Atom.Atom<ReadonlyArray<Route>>
}

/** Call options of the first load, and of refreshes, which do not accept cached responses. */
export interface LoadOptions {
  readonly priority: "interactive"
  readonly timeout: number
  readonly staleFor?: number
}

/** Maximum age in milliseconds of cached content that is shown while a refresh is in flight. */
const STALE_FOR = 60 * 60_000

/** Time limit of one attempt in milliseconds. A hanging forge is then reported, and retried. */
const TIMEOUT = 7_000

/** Milliseconds from the start of an attempt to the start of the next one; the last value repeats. */
const retryIntervals = [1_000, 2_000, 4_000, 6_000]

/**
 * Minimum delay after a failed attempt in milliseconds. An attempt that waited in vain for a response was no load for the
 * forge, so the next one follows soon: less than 10 s after the forge responds again.
 */
const MIN_RETRY_DELAY = 1_000

/** Returns the call options of a load. */
export const loadOptions = (acceptsCached: boolean): LoadOptions => ({
  priority: "interactive",
  timeout: TIMEOUT,
  ...(acceptsCached ? { staleFor: STALE_FOR } : {})
})

/** The state of a source that has not loaded anything. */
export const initial: LoadState = {
  content: undefined,
  confirmedAt: Infinity,
  isStale: false,
  isLoading: true,
  loadingSince: undefined,
  failure: undefined,
  retryAt: undefined,
  defect: undefined
}

/** Content with the age of the response that contained it, in milliseconds. */
export interface Loaded {
  readonly content: Content
  readonly age: number
  readonly view?: string | undefined
}

/** Creates the state atom of a source, and runs the fibers that load it. */
export const makeLoader = ({ registry, services }: Environment) => {
  const state = Atom.keepAlive(Atom.make(initial))
  const fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  const clock = Context.get(services, Clock.Clock)
  const update = (change: Partial<LoadState>) =>
    registry.update(state, (now) => {
      const next = { ...now, ...change }
      const since = now.loadingSince !== undefined && now.isLoading ? now.loadingSince : clock.currentTimeMillisUnsafe()
      return { ...next, loadingSince: next.isLoading ? since : undefined }
    })
  const fork = (effect: Effect.Effect<unknown, never, Forge | Connection | Scheduler>) => {
    const fiber = Effect.runForkWith(services)(effect)
    fibers.add(fiber)
    fiber.addObserver((exit) => {
      fibers.delete(fiber)
      if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) update({ defect: exit.cause })
    })
    return fiber
  }
  let isRejected = false
  const stop = () => {
    isRejected = false
    for (const fiber of fibers) Effect.runFork(Fiber.interrupt(fiber))
    fibers.clear()
  }
  /** Runs `load` until it succeeds. Reports each failure with the time of the next attempt. */
  const untilLoaded = <R>(load: Effect.Effect<void, Failure, R>, attempt = 0): Effect.Effect<void, never, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (startedAt) =>
      load.pipe(Effect.catch((failure) => retry(load, failure, attempt, startedAt)))
    )
  const retry = <R>(load: Effect.Effect<void, Failure, R>, failure: Failure, attempt: number, startedAt: number) =>
    Effect.gen(function* () {
      // The forge would reject each further request, and may block the address after many.
      if (failure._tag === "BadCredentials") {
        isRejected = true
        return update({ failure, retryAt: undefined, isLoading: false })
      }
      const interval = retryIntervals[Math.min(attempt, retryIntervals.length - 1)] ?? 0
      const now = yield* Clock.currentTimeMillis
      const delay = Math.max(MIN_RETRY_DELAY, startedAt + interval - now)
      update({ failure, retryAt: now + delay, isLoading: false })
      yield* Effect.sleep(delay)
      update({ isLoading: true, retryAt: undefined })
      yield* untilLoaded(load, attempt + 1)
    })
  return {
    state,
    update,
    fork,
    stop,
    untilLoaded,
    get: () => registry.get(state),
    /** Returns true if the forge rejected the credential in the last attempt. */
    isRejected: () => isRejected
  }
}

/** Creates the source of content from a stream of states, of which the last is complete. */
export const fromStream = (
  environment: Environment,
  request: (forge: Forge["Service"], options: LoadOptions) => Stream.Stream<Loaded, Failure, Connection | Scheduler>
): Source => {
  const loader = makeLoader(environment)
  let hasStarted = false
  const load = (acceptsCached: boolean): Effect.Effect<void, Failure, Forge | Connection | Scheduler> =>
    Effect.gen(function* () {
      const forge = yield* Forge
      let age = 0
      yield* Stream.runForEach(request(forge, loadOptions(acceptsCached)), (loaded) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          age = Math.max(age, loaded.age)
          loader.update({
            content: loaded.content,
            view: loaded.view,
            confirmedAt: now - loaded.age,
            isStale: loaded.age > 0,
            failure: undefined,
            retryAt: undefined
          })
        })
      )
      if (age > 0) return yield* load(false)
      loader.update({ isLoading: false })
    })
  const run = (acceptsCached: boolean, isQuiet: boolean) => {
    loader.stop()
    if (!isQuiet) loader.update({ isLoading: true, retryAt: undefined })
    loader.fork(loader.untilLoaded(load(acceptsCached)))
  }
  return {
    state: loader.state,
    start: () => {
      if (!hasStarted) run(true, false)
      hasStarted = true
    },
    refresh: (isQuiet = false) => run(false, isQuiet),
    show: () => {},
    loadEnd: () => {},
    dispose: loader.stop
  }
}

/** Creates the source of content from one response. */
export const fromEffect = <A>(
  environment: Environment,
  request: (forge: Forge["Service"], options: LoadOptions) => Effect.Effect<A, Failure, Connection | Scheduler>,
  render: (response: A) => Content,
  ageOf: (response: A) => number = ResponseAge.age
): Source =>
  fromStream(environment, (forge, options) =>
    Stream.fromEffect(
      Effect.map(request(forge, options), (response) => ({ content: render(response), age: ageOf(response) }))
    )
  )

/** Options of a page request: the number of the page, or the cursor after the previous page. */
export interface PageRequest extends LoadOptions {
  readonly perPage: number
  readonly page?: number
  readonly cursor?: string
}

/** A list with pages. */
export interface PagedList<A> {
  readonly definition: Table.TableDefinition<A>
  readonly fetch: (forge: Forge["Service"], request: PageRequest) => Effect.Effect<Page<A>, Failure>
  /** True if every page can be requested by its number. */
  readonly isNumbered: boolean
  readonly perPage: number
  /** Loads rows above a numbered list, once the first page is loaded and with each refresh. A failure means no rows. */
  readonly above?: (
    forge: Forge["Service"],
    options: LoadOptions
  ) => Effect.Effect<ReadonlyArray<Table.Row>, Failure, Connection>
  /** Returns the item to show first. The list must be sorted by the ids of its rows. */
  readonly first?: () => A | undefined
  /**
   * Loads more about the items on the screen, for example the latest commit of each branch. Started once the visible
   * items have not changed for `DETAILS_DELAY`, and interrupted when they change. `show` shows the loaded details.
   */
  readonly details?: (
    forge: Forge["Service"],
    visible: ReadonlyArray<A>,
    show: Effect.Effect<void>
  ) => Effect.Effect<unknown, Failure>
}
