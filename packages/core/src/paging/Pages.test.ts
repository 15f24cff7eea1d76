import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as LinkHeader from "./LinkHeader.ts"
import * as Page from "./Page.ts"
import * as Pages from "./Pages.ts"

const ORIGIN = "https://forge.test"
const at = (page: number) => `${ORIGIN}/list?page=${page}`

const page = (items: ReadonlyArray<number>, pages: number, links: LinkHeader.Links): Page.Page<number> => ({
  items,
  totalCount: pages * 3,
  incompleteResults: false,
  links,
  cursor: Page.encodeCursor(links),
  progress: { pages: 1, of: undefined }
})

/** A list with three numbers per page, whose links can point to other origins. */
const list = (
  pages: number,
  options: Pages.NumberedPageOptions = {},
  next = (page: number): string => at(page + 1),
  start?: string
) => {
  const fetched: Array<number> = []
  const fetch = (url: string | undefined) =>
    Effect.sync(() => {
      const number = url === undefined ? 1 : Number(new URL(url).searchParams.get("page"))
      fetched.push(number)
      const items = [1, 2, 3].map((item) => (number - 1) * 3 + item)
      const links = number < pages ? { next: next(number) } : {}
      return page(items, pages, links)
    })
  const numbers = Pages.make({ request: "GET /list", fetch, origin: ORIGIN, start: Effect.succeed(start) }, options)
  return Object.assign(numbers, { fetched })
}

it.effect("gives every item, and every page", () =>
  Effect.gen(function* () {
    const numbers = list(3)
    assert.deepStrictEqual(yield* Stream.runCollect(numbers.items), [1, 2, 3, 4, 5, 6, 7, 8, 9])
    const pages = yield* Stream.runCollect(list(3).pages)
    assert.deepStrictEqual(
      pages.map(({ items }) => items),
      [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 9]
      ]
    )
    assert.deepStrictEqual(numbers.fetched, [1, 2, 3])
  })
)

it.effect("fetches again when read twice", () =>
  Effect.gen(function* () {
    const numbers = list(2)
    yield* Stream.runDrain(numbers.items)
    yield* Stream.runDrain(numbers.items)
    assert.deepStrictEqual(numbers.fetched, [1, 2, 1, 2])
  })
)

for (const [take, pages] of [
  [1, 1],
  [3, 1],
  [4, 2],
  [6, 2],
  [7, 3]
] as const) {
  it.effect(`fetches ${pages} pages for ${take} items`, () =>
    Effect.gen(function* () {
      const taken = list(5)
      assert.strictEqual((yield* Stream.runCollect(Stream.take(taken.items, take))).length, take)
      assert.strictEqual(taken.fetched.length, pages)
      for (const prefetch of [0, 3]) {
        const limited = list(5, { limit: take, prefetch })
        assert.strictEqual((yield* Stream.runCollect(limited.items)).length, take)
        assert.strictEqual(limited.fetched.length, pages)
        assert.strictEqual((yield* Stream.runCollect(limited.pages)).length, pages)
      }
    })
  )
}

it.effect("fetches nothing for no items", () =>
  Effect.gen(function* () {
    const none = list(3, { limit: 0 })
    assert.deepStrictEqual(yield* Stream.runCollect(none.items), [])
    assert.deepStrictEqual(none.fetched, [])
  })
)

it.effect("fetches the first page alone", () =>
  Effect.gen(function* () {
    const numbers = list(3)
    const { cursor, items, totalCount } = yield* numbers.first
    assert.deepStrictEqual([items, totalCount], [[1, 2, 3], 9])
    assert.deepStrictEqual(numbers.fetched, [1])
    assert.isDefined(cursor)
  })
)

for (const prefetch of [1, 2, 4]) {
  it.effect(`prefetches ${prefetch} pages`, () =>
    Effect.gen(function* () {
      const numbers = list(20, { prefetch })
      const ahead: Array<number> = []
      yield* Stream.runForEach(Stream.take(numbers.pages, 5), () =>
        Effect.gen(function* () {
          for (let turn = 0; turn < 50; turn++) yield* Effect.yieldNow
          ahead.push(numbers.fetched.length - ahead.length - 1)
        })
      )
      assert.deepStrictEqual(ahead, [prefetch, prefetch, prefetch, prefetch, prefetch])
    })
  )
}

for (const elsewhere of [
  "https://elsewhere.test/list?page=2",
  "http://forge.test/list?page=2",
  "/list?page=2",
  "javascript:1",
  ""
]) {
  it.effect(`does not follow a link to ${JSON.stringify(elsewhere)}, and gives the items before it`, () =>
    Effect.gen(function* () {
      const numbers = list(3, {}, () => elsewhere)
      const seen: Array<number> = []
      const error = yield* Effect.flip(Stream.runForEach(numbers.items, (item) => Effect.sync(() => seen.push(item))))
      assert.deepInclude(
        { ...error },
        { _tag: "UntrustedLink", url: elsewhere.replace("?page=2", ""), request: "GET /list" }
      )
      assert.deepStrictEqual(seen, [1, 2, 3])
      assert.deepStrictEqual(numbers.fetched, [1])
      assert.deepStrictEqual(yield* Stream.runCollect(Stream.take(numbers.items, 3)), [1, 2, 3])
    })
  )
}

it.effect("rejects a cursor to another origin", () =>
  Effect.gen(function* () {
    const numbers = list(3, {}, undefined, "https://elsewhere.test/list?page=2")
    assert.strictEqual((yield* Effect.flip(numbers.first))._tag, "UntrustedLink")
    assert.strictEqual((yield* Effect.flip(Stream.runDrain(numbers.items)))._tag, "UntrustedLink")
    assert.deepStrictEqual(numbers.fetched, [])
  })
)

it.effect("ends a list whose links form a cycle", () =>
  Effect.gen(function* () {
    const numbers = list(100, {}, (page) => at(page === 3 ? 2 : page + 1))
    const error = yield* Effect.flip(Stream.runDrain(numbers.items))
    assert.deepInclude({ ...error }, { _tag: "UntrustedLink", url: `${ORIGIN}/list` })
    assert.deepStrictEqual(numbers.fetched, [1, 2, 3])
  })
)

/** An endless list whose pages are empty, except the pages with the given numbers. */
const empties = (full: ReadonlySet<number>, options: Pages.NumberedPageOptions) => {
  let fetched = 0
  const fetch = (url: string | undefined) =>
    Effect.sync(() => {
      fetched++
      const number = url === undefined ? 1 : Number(new URL(url).searchParams.get("page"))
      return page(full.has(number) ? [number] : [], 1, { next: at(number + 1), last: at(999_999_999) })
    })
  const pages = Pages.make({ request: "GET /list", fetch, origin: ORIGIN, start: Effect.undefined }, options)
  return Object.assign(pages, { fetched: () => fetched })
}

for (const concurrency of [1, 4]) {
  it.effect(`ends an endless list of empty pages, ${concurrency} at a time`, () =>
    Effect.gen(function* () {
      const { fetched, items } = empties(new Set([1]), { concurrency })
      const error = yield* Effect.flip(Stream.runDrain(items))
      assert.strictEqual(error._tag, "UntrustedLink")
      assert.match(error.message, /20 empty pages/)
      assert.isAtMost(fetched(), 2 + Pages.MAX_EMPTY_PAGES + 2 * concurrency)
    })
  )

  it.effect(`continues after some empty pages, ${concurrency} at a time`, () =>
    Effect.gen(function* () {
      const full = new Set([1, Pages.MAX_EMPTY_PAGES, 2 * Pages.MAX_EMPTY_PAGES])
      const { items } = empties(full, { concurrency })
      assert.deepStrictEqual(yield* Stream.runCollect(Stream.take(items, 3)), [...full])
    })
  )
}
