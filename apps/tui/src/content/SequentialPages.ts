/** Loads the pages of a list that can only be read from its start, page after page. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import { loadOptions, makeLoader, type Environment, type PagedList, type Source } from "./Source.ts"
import * as Table from "./Table.ts"

/** Number of further pages that `G` loads if pages have no numbers. */
const MAX_END_PAGES = 10

/** Creates the source of a list whose pages link only to the next one. */
export const make = <A>(environment: Environment, { definition, fetch, perPage }: PagedList<A>): Source => {
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
      if (isLoadingPage || isComplete() || last < items.length || loader.isRejected()) return
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
