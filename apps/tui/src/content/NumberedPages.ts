/** Loads the visible pages of a list whose pages have numbers. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Forge } from "@tongs/core/client/Forge"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import * as LinkHeader from "@tongs/core/paging/LinkHeader"
import type { Page } from "@tongs/core/paging/Page"
import { loadOptions, makeLoader, type Environment, type LoadState, type PagedList, type Source } from "./Source.ts"
import * as Table from "./Table.ts"

/** Delay before details of the visible items are loaded, in milliseconds, so that scrolling sends no requests. */
const DETAILS_DELAY = 150

/** Maximum height of the screen in rows: a filter makes far more rows visible. */
const MAX_HEIGHT = 300

/** Maximum number of loaded pages of one list. Distant ones are loaded again when they become visible. */
const MAX_PAGES = 30

/** Maximum number of page requests of one list in flight. */
const MAX_IN_FLIGHT = 3

/** Delay before a list asks for the number of its items, in milliseconds, so that the visible page comes first. */
const COUNT_DELAY = 500

/** Creates the source of a list whose pages have numbers, so that any part of it can be loaded. */
export const make = <A>(environment: Environment, list: PagedList<A>): Source => {
  const { definition, details, fetch, first = () => undefined, perPage } = list
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
  let above: ReadonlyArray<Table.Row> = []
  let keepsAllPages = false

  /**
   * Drops the pages that are furthest from the visible rows, but not the last one, which shows the length of the list.
   */
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
    pages.set(number, page.items)
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
    const inOrder = Table.fromPages(pages, size, count, definition.row)
    const item = first()
    const rows = item === undefined ? inOrder : Table.withFirst(inOrder, definition.row(item))
    return Table.make(definition, above.length === 0 ? rows : Table.withRowsAbove(rows, above), {
      widest,
      above: above.length,
      isCounted: total !== undefined,
      isFullyLoaded: total !== undefined && rows.loaded >= total,
      incompleteResults: isIncomplete
    })
  }

  const lastRow = (total: number) => Math.max(0, above.length + total - 1)

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
      for (const listener of listeners) listener(lastRow(total))
    })

  const request = (number: number, acceptsCached: boolean) =>
    Effect.gen(function* () {
      const forge = yield* Forge
      return yield* fetch(forge, { ...loadOptions(acceptsCached), perPage, page: number })
    })

  const loadPage = (number: number, acceptsCached = true) => {
    if (inFlight.has(number) || inFlight.size >= MAX_IN_FLIGHT || loader.isRejected()) return
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
            if (number === 1) loadAbove()
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
    const height = Math.min(MAX_HEIGHT, Math.ceil((visible.last - visible.above) / 3))
    const from = Math.max(0, visible.above + height)
    const pinned = first()
    // The first item moves other items by one.
    const loaded = Array.from({ length: height + 2 }, (_, index) => itemAt(from - 1 + index))
    const items = [from === 0 ? pinned : undefined, ...loaded].flatMap((item) => item ?? [])
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

  const loadAbove = () => {
    if (list.above === undefined) return
    const load = Effect.flatMap(Forge, (forge) => list.above?.(forge, loadOptions(false)) ?? Effect.succeed([]))
    // The frame with the items is drawn first.
    loader.fork(
      Effect.map(
        Effect.orElseSucceed(Effect.andThen(Effect.yieldNow, load), () => []),
        (rows) => {
          if (rows.length === 0 && above.length === 0) return
          above = rows
          loader.update({ content: table() })
        }
      )
    )
  }

  const itemAt = (index: number): A | undefined => pages.get(pageOf(index))?.[index % size]

  /** Loads the visible pages again, and drops all other pages, because their items may have moved. */
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
          loadAbove()
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
    show: (top, last, keepsAll = false) => {
      keepsAllPages = keepsAll
      const from = top - above.length
      const isMoved = list.first?.() !== undefined
      visible = { above: from, first: Math.max(0, isMoved ? from - 1 : from), last: last - above.length }
      ensure()
      loadDetails()
    },
    loadEnd: (onLoaded) => {
      if (total !== undefined) return onLoaded(lastRow(total))
      endListeners = [...endListeners, onLoaded]
      loader.fork(Effect.ignore(count()))
    },
    dispose: loader.stop
  }
}
