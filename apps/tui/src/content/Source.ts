/**
 * Loads the content of a screen through the client and keeps it current: retries after failures, refreshes in place, and
 * loads the pages of a list when they become visible.
 */
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
import * as LinkHeader from "@tongs/core/paging/LinkHeader"
import type { Page } from "@tongs/core/paging/Page"
import type { Content } from "./Content.ts"
import type { Route } from "./Route.ts"
import * as Table from "./Table.ts"

/** The state of loading a screen. Times are in epoch milliseconds. */
export interface LoadState {
  /** The last loaded content, also during a refresh and after a failure. */
  readonly content: Content | undefined
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

/** What sources need: a place for their state, and services. */
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
const TIMEOUT = 8_000

/** Delays of automatic retries in milliseconds; the last one repeats. */
const RETRY_DELAYS = [1_000, 2_000, 4_000, 8_000]

/** Delay before a list asks for the number of its items, in milliseconds, so that the visible page comes first. */
const COUNT_DELAY = 500

const loadOptions = (acceptsCached: boolean): LoadOptions => ({
  priority: "interactive",
  timeout: TIMEOUT,
  ...(acceptsCached ? { staleFor: STALE_FOR } : {})
})

const initial: LoadState = {
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
}

/** The state atom of a source, and the fibers that load it. */
const makeLoader = ({ registry, services }: Environment) => {
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
  const stop = () => {
    for (const fiber of fibers) Effect.runFork(Fiber.interrupt(fiber))
    fibers.clear()
  }
  /** Runs `load` until it succeeds. Reports each failure with the time of the next attempt. */
  const untilLoaded = <R>(load: Effect.Effect<void, Failure, R>, attempt = 0): Effect.Effect<void, never, R> =>
    load.pipe(Effect.catch((failure) => retry(load, failure, attempt)))
  const retry = <R>(load: Effect.Effect<void, Failure, R>, failure: Failure, attempt: number) =>
    Effect.gen(function* () {
      const delay = RETRY_DELAYS[Math.min(attempt, RETRY_DELAYS.length - 1)] ?? 0
      update({ failure, retryAt: (yield* Clock.currentTimeMillis) + delay, isLoading: false })
      yield* Effect.sleep(delay)
      update({ isLoading: true, retryAt: undefined })
      yield* untilLoaded(load, attempt + 1)
    })
  return { state, update, fork, stop, untilLoaded, get: () => registry.get(state) }
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
  /** Orders the items of a page. */
  readonly order?: (items: ReadonlyArray<A>) => ReadonlyArray<A>
  /**
   * Loads more about the items on the screen, for example the latest commit of each branch. Started once the visible
   * items have not changed for `DETAILS_DELAY`, and interrupted when they change. `show` shows what has been loaded.
   */
  readonly details?: (
    forge: Forge["Service"],
    visible: ReadonlyArray<A>,
    show: Effect.Effect<void>
  ) => Effect.Effect<unknown, Failure>
}

/** Delay before details of the visible items are loaded, in milliseconds, so that scrolling sends no requests. */
const DETAILS_DELAY = 150

/** Maximum number of loaded pages of one list. Distant ones are loaded again when they become visible. */
const MAX_PAGES = 30

/** Maximum number of page requests of one list in flight. */
const MAX_IN_FLIGHT = 3

/** Creates the source of a list whose pages have numbers, so that any part of it can be loaded. */
export const fromPages = <A>(environment: Environment, list: PagedList<A>): Source =>
  list.isNumbered ? numbered(environment, list) : sequential(environment, list)

const numbered = <A>(environment: Environment, list: PagedList<A>): Source => {
  const { definition, details, fetch, order = (items) => items, perPage } = list
  const loader = makeLoader(environment)
  const widest = definition.columns.map(() => 0)
  let pages = new Map<number, ReadonlyArray<A>>()
  const inFlight = new Set<number>()
  /** Number of the last page; undefined until the forge reports it. */
  let lastPage: number | undefined
  /** Number of all items; undefined until the last page is loaded, or the forge reports it. */
  let total: number | undefined
  let size = perPage
  let isIncomplete = false
  let hasStarted = false
  let visible = { above: 0, first: 0, last: 0 }
  /** The items of the last `details`, and their fiber. */
  let detailed: ReadonlyArray<A> = []
  let detailsFiber: Fiber.Fiber<unknown, unknown> | undefined
  let endListeners: ReadonlyArray<(last: number) => void> = []
  let keepsAllPages = false

  /** Drops the pages that are furthest from the visible rows, but not the last one, which shows the length of the list. */
  const dropPages = () => {
    if (keepsAllPages || pages.size <= MAX_PAGES) return
    const at = pageOf((visible.first + visible.last) / 2)
    const last = Math.max(...pages.keys())
    const distant = [...pages.keys()]
      .filter((number) => number !== last)
      .toSorted((a, b) => Math.abs(b - at) - Math.abs(a - at))
      .slice(0, pages.size - MAX_PAGES)
    pages = new Map(pages)
    for (const number of distant) pages.delete(number)
  }

  const record = (number: number, page: Page<A>) => {
    const last = LinkHeader.pageNumber(page.links.last)
    if (number === 1 && page.links.next !== undefined && page.items.length > 0) size = page.items.length
    pages.set(number, order(page.items))
    if (page.links.next === undefined) {
      lastPage = number
      total = (number - 1) * size + page.items.length
    } else if (last !== undefined) lastPage = Math.max(last, number)
    if (page.totalCount !== undefined) total = Math.max(page.totalCount, page.items.length)
    if (page.totalCount !== undefined) lastPage ??= Math.max(1, Math.ceil(page.totalCount / size))
    isIncomplete ||= page.incompleteResults
  }

  const table = () => {
    const furthest = Math.max(0, ...pages.keys())
    const known = (furthest - 1) * size + (pages.get(furthest)?.length ?? 0)
    const count = total ?? Math.max(known, lastPage === undefined ? 0 : (lastPage - 1) * size + 1)
    const rows = Table.fromPages(pages, size, count, definition.row)
    return Table.make(definition, rows, {
      widest,
      isCounted: total !== undefined,
      isFullyLoaded: total !== undefined && rows.loaded >= total,
      incompleteResults: isIncomplete
    })
  }

  const publish = (age: number, change: Partial<LoadState> = {}) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      loader.update({
        content: table(),
        confirmedAt: Math.min(age > 0 ? now - age : Infinity, now),
        isStale: age > 0,
        failure: undefined,
        retryAt: undefined,
        isLoading: inFlight.size > 0,
        ...change
      })
      if (total === undefined) return
      const listeners = endListeners
      endListeners = []
      for (const listener of listeners) listener(Math.max(0, total - 1))
    })

  const request = (number: number, acceptsCached: boolean) =>
    Effect.gen(function* () {
      const forge = yield* Forge
      return yield* fetch(forge, { ...loadOptions(acceptsCached), perPage, page: number })
    })

  const loadPage = (number: number, acceptsCached = true) => {
    if (inFlight.has(number) || inFlight.size >= MAX_IN_FLIGHT) return
    inFlight.add(number)
    loader.update({ isLoading: true })
    loader.fork(
      loader
        .untilLoaded(
          Effect.gen(function* () {
            const page = yield* request(number, acceptsCached)
            record(number, page)
            dropPages()
            inFlight.delete(number)
            const age = ResponseAge.age(page)
            yield* publish(age)
            if (age > 0 && acceptsCached) return refresh(true)
            ensure()
            loadDetails()
            if (number === 1 && total === undefined)
              loader.fork(Effect.ignore(Effect.andThen(Effect.sleep(COUNT_DELAY), count())))
          })
        )
        .pipe(Effect.ensuring(Effect.sync(() => inFlight.delete(number))))
    )
  }

  const pageOf = (index: number) => Math.floor(index / size) + 1

  /** Requests the pages of the visible rows that are not loaded, and the end if it is wanted. */
  const ensure = () => {
    const end = lastPage ?? Math.max(0, ...pages.keys()) + 1
    for (let number = pageOf(visible.first); number <= Math.min(pageOf(visible.last), end); number++)
      if (!pages.has(number)) loadPage(number)
    if (endListeners.length > 0 && lastPage !== undefined && !pages.has(lastPage)) loadPage(lastPage)
  }

  /** Loads details of the items on the screen. `show` announces a screen above and below it, too. */
  const loadDetails = () => {
    if (details === undefined) return
    const height = Math.ceil((visible.last - visible.above) / 3)
    const from = Math.max(0, visible.above + height)
    const items = Array.from({ length: height + 1 }, (_, index) => itemAt(from + index)).flatMap((item) => item ?? [])
    if (items.length === detailed.length && items.every((item, index) => item === detailed[index])) return
    detailed = items
    if (detailsFiber !== undefined) Effect.runFork(Fiber.interrupt(detailsFiber))
    const show = Effect.sync(() => loader.update({ content: table() }))
    detailsFiber = loader.fork(
      Effect.gen(function* () {
        yield* Effect.sleep(DETAILS_DELAY)
        // The list is useful without details, so their failure is not reported.
        yield* Effect.ignore(details(yield* Forge, items, show))
      })
    )
  }

  const itemAt = (index: number): A | undefined => pages.get(pageOf(index))?.[index % size]

  /** Loads the visible pages again, and drops the others, whose items may have moved. */
  const refresh = (isQuiet = false) => {
    loader.stop()
    detailed = []
    inFlight.clear()
    if (!isQuiet) loader.update({ isLoading: true, retryAt: undefined })
    const from = pageOf(visible.first)
    const to = Math.min(pageOf(visible.last), from + MAX_IN_FLIGHT - 1, lastPage ?? Infinity)
    const numbers = Array.from({ length: Math.max(1, to - from + 1) }, (_, index) => from + index)
    loader.fork(
      loader.untilLoaded(
        Effect.gen(function* () {
          const found = yield* Effect.forEach(numbers, (number) => request(number, false), {
            concurrency: MAX_IN_FLIGHT
          })
          const known = total
          pages = new Map()
          total = undefined
          lastPage = undefined
          isIncomplete = false
          for (const [index, page] of found.entries()) record(numbers[index] ?? 1, page)
          const isCounted = total !== undefined
          total ??= known
          yield* publish(0, { isLoading: false })
          ensure()
          loadDetails()
          // The number may have changed, and a first count may have been cancelled.
          if (!isCounted) yield* Effect.ignore(count(true))
        })
      )
    )
  }

  /** Asks for the number of items: with one item a page, it is the number of the last page. */
  const count = Effect.fnUntraced(function* (replacesTotal = false) {
    const forge = yield* Forge
    const page = yield* fetch(forge, { ...loadOptions(false), perPage: 1, page: 1 })
    if (total !== undefined && !replacesTotal) return
    total = page.totalCount ?? LinkHeader.pageNumber(page.links.last) ?? page.items.length
    lastPage = Math.max(1, Math.ceil(total / size))
    yield* publish(0, { isLoading: inFlight.size > 0 })
    ensure()
  })

  return {
    state: loader.state,
    start: () => {
      if (hasStarted) return
      hasStarted = true
      loadPage(1)
    },
    refresh,
    show: (first, last, keepsAll = false) => {
      keepsAllPages = keepsAll
      visible = { above: first, first: Math.max(0, first), last }
      ensure()
      loadDetails()
    },
    loadEnd: (onLoaded) => {
      if (total !== undefined) return onLoaded(Math.max(0, total - 1))
      endListeners = [...endListeners, onLoaded]
      loader.fork(Effect.ignore(count()))
    },
    dispose: loader.stop
  }
}

/** Number of further pages that `G` loads if pages have no numbers. */
const MAX_END_PAGES = 10

/** Creates the source of a list whose pages link only to the next one. */
const sequential = <A>(environment: Environment, { definition, fetch, perPage }: PagedList<A>): Source => {
  const loader = makeLoader(environment)
  const widest = definition.columns.map(() => 0)
  let items: ReadonlyArray<A> = []
  let pagesLoaded = 0
  let cursor: string | undefined
  let isIncomplete = false
  let isLoadingPage = false
  let hasStarted = false
  let wantedPages = 1

  const isComplete = () => pagesLoaded > 0 && cursor === undefined

  const publish = (age: number) =>
    Effect.map(Clock.currentTimeMillis, (now) =>
      loader.update({
        content: Table.make(definition, Table.fromRows(items.map(definition.row)), {
          widest,
          isCounted: isComplete(),
          isFullyLoaded: isComplete(),
          incompleteResults: isIncomplete
        }),
        confirmedAt: now - age,
        isStale: age > 0,
        failure: undefined,
        retryAt: undefined,
        isLoading: isLoadingPage
      })
    )

  /** Reads pages from the start or from the cursor until `wantedPages` are loaded. */
  const read = (fromStart: boolean, acceptsCached: boolean) =>
    Effect.gen(function* () {
      const forge = yield* Forge
      let found: ReadonlyArray<A> = fromStart ? [] : items
      let read = fromStart ? 0 : pagesLoaded
      let next = fromStart ? undefined : cursor
      let age = 0
      do {
        const page = yield* fetch(forge, {
          ...loadOptions(acceptsCached),
          perPage,
          ...(next === undefined ? {} : { cursor: next })
        })
        found = [...found, ...page.items]
        read++
        next = page.cursor
        age = Math.max(age, ResponseAge.age(page))
        isIncomplete ||= page.incompleteResults
      } while (next !== undefined && read < wantedPages)
      items = found
      pagesLoaded = read
      cursor = next
      isLoadingPage = false
      yield* publish(age)
      if (age > 0) run(true, false)
    })

  const run = (fromStart: boolean, acceptsCached: boolean, isQuiet = false) => {
    loader.stop()
    isLoadingPage = true
    if (!isQuiet) loader.update({ isLoading: true, retryAt: undefined })
    loader.fork(loader.untilLoaded(read(fromStart, acceptsCached)))
  }

  return {
    state: loader.state,
    start: () => {
      if (!hasStarted) run(true, true)
      hasStarted = true
    },
    refresh: (isQuiet) => run(true, false, isQuiet),
    show: (_first, last) => {
      if (isLoadingPage || isComplete() || last < items.length) return
      wantedPages = pagesLoaded + 1
      run(false, false)
    },
    loadEnd: (onLoaded) => {
      if (!isComplete() && !isLoadingPage) {
        wantedPages = pagesLoaded + MAX_END_PAGES
        run(false, false)
      }
      onLoaded(Math.max(0, items.length - 1))
    },
    dispose: loader.stop
  }
}
