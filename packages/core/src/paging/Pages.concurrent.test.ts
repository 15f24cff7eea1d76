/** Concurrent fetching of pages. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Page from "./Page.ts"
import * as Pages from "./Pages.ts"

const ORIGIN = "https://forge.test"
const at = (page: number) => `${ORIGIN}/list?per_page=2&page=${page}`

class Broken {
  readonly _tag = "Broken"
}

interface Forge {
  /** Current number of pages. */
  pages: number
  readonly fails?: number
  readonly last?: (pages: number) => string | undefined
  readonly next?: (page: number) => string
  /** Latency of a page in milliseconds. */
  readonly latency?: (page: number) => number
}

/** A list with two numbers per page, links to the last page, and a latency. */
const list = (forge: Forge, options: Pages.NumberedPageOptions) => {
  const fetched: Array<number> = []
  const inFlight = { now: 0, most: 0 }
  const { latency = () => 50, last = at, next = (page) => at(page + 1) } = forge
  const fetch = (url: string | undefined, read: number) =>
    Effect.gen(function* () {
      const number = url === undefined ? 1 : Number(new URL(url).searchParams.get("page"))
      fetched.push(number)
      inFlight.most = Math.max(inFlight.most, ++inFlight.now)
      yield* Effect.ensuring(
        Effect.sleep(latency(number)),
        Effect.sync(() => inFlight.now--)
      )
      if (number === forge.fails) return yield* Effect.fail(new Broken())
      const end = last(forge.pages)
      const links = number < forge.pages ? { next: next(number), ...(end === undefined ? {} : { last: end }) } : {}
      const { progress } = Page.make([], { ...links, prev: at(number - 1) }, read)
      const items = number > forge.pages ? [] : [number * 2 - 1, number * 2]
      return {
        items,
        totalCount: undefined,
        incompleteResults: false,
        links,
        cursor: Page.encodeCursor(links),
        progress
      }
    })
  const pages = Pages.make({ request: "GET /list", fetch, origin: ORIGIN, start: Effect.succeed(undefined) }, options)
  return Object.assign(pages, { fetched, inFlight })
}

/** The items of a stream, the exit and the duration in milliseconds. */
const read = <A, E>(stream: Stream.Stream<A, E>) =>
  Effect.gen(function* () {
    const seen: Array<A> = []
    const started = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const fiber = yield* Effect.forkChild(
      Effect.result(Stream.runForEach(stream, (item) => Effect.sync(() => seen.push(item))))
    )
    let elapsed = 0
    while (fiber.pollUnsafe() === undefined && elapsed < 60_000) {
      yield* TestClock.adjust("10 millis")
      elapsed = (yield* Effect.clockWith((clock) => clock.currentTimeMillis)) - started
    }
    return { seen, elapsed, result: yield* Fiber.join(fiber) }
  })

const numbers = (pages: number) => Array.from({ length: pages * 2 }, (_, index) => index + 1)

it.effect("gives the same items in the same order, at least four times as fast", () =>
  Effect.gen(function* () {
    const slow = yield* read(list({ pages: 50 }, {}).items)
    const fast = list({ pages: 50, latency: (page) => 10 + ((page * 7) % 5) * 10 }, { concurrency: 8 })
    const { elapsed, seen } = yield* read(fast.items)
    assert.deepStrictEqual(seen, numbers(50))
    assert.deepStrictEqual(slow.seen, seen)
    assert.strictEqual(slow.elapsed, 2500)
    assert.isAtMost(elapsed, slow.elapsed / 4)
    assert.strictEqual(fast.inFlight.most, 8)
    assert.deepStrictEqual(
      fast.fetched.toSorted((a, b) => a - b),
      Array.from({ length: 50 }, (_, index) => index + 1)
    )
  })
)

for (const concurrency of [2, 3, 8]) {
  it.effect(`fetches at most ${concurrency} more pages than are read, and aborts those in flight`, () =>
    Effect.gen(function* () {
      const { fetched, inFlight, items } = list({ pages: 50, latency: (page) => page * 10 }, { concurrency })
      assert.deepStrictEqual((yield* read(Stream.take(items, 10))).seen, numbers(5))
      assert.isAtMost(fetched.length, 5 + concurrency)
      assert.strictEqual(inFlight.now, 0)
      const before = fetched.length
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(fetched.length, before)
    })
  )
}

it.effect("prefetches pages as well", () =>
  Effect.gen(function* () {
    const { fetched, pages } = list({ pages: 50 }, { concurrency: 3, prefetch: 2 })
    const ahead: Array<number> = []
    const reading = Stream.runForEach(Stream.take(pages, 9), () =>
      Effect.andThen(
        Effect.sleep(1000),
        Effect.sync(() => ahead.push(fetched.length - ahead.length - 1))
      )
    )
    yield* read(Stream.fromEffect(reading))
    assert.strictEqual(ahead.length, 9)
    for (const pages of ahead) assert.isAtMost(pages, 3 + 2)
    assert.isAtLeast(Math.max(...ahead), 3)
  })
)

it.effect("fetches no page beyond the limit", () =>
  Effect.gen(function* () {
    const { fetched, items } = list({ pages: 50 }, { concurrency: 8, limit: 7 })
    assert.deepStrictEqual((yield* read(items)).seen, [1, 2, 3, 4, 5, 6, 7])
    assert.deepStrictEqual(fetched, [1, 2, 3, 4])
  })
)

for (const [name, forge] of [
  ["does not say which page is the last", { pages: 5, last: () => undefined }],
  ["names a last page without a number", { pages: 5, last: () => `${ORIGIN}/list?after=x` }]
] as const) {
  it.effect(`fetches sequentially if the forge ${name}`, () =>
    Effect.gen(function* () {
      const { inFlight, items } = list(forge, { concurrency: 8 })
      assert.deepStrictEqual((yield* read(items)).seen, numbers(5))
      assert.strictEqual(inFlight.most, 1)
    })
  )
}

it.effect("continues if the list has grown meanwhile, and ends if it has shrunk", () =>
  Effect.gen(function* () {
    const growing: Forge = { pages: 4, latency: (page) => (page === 1 ? 10 : 100) }
    const grown = list(growing, { concurrency: 3 })
    yield* Effect.forkChild(
      Effect.andThen(
        Effect.sleep(50),
        Effect.sync(() => (growing.pages = 6))
      )
    )
    assert.deepStrictEqual((yield* read(grown.items)).seen, numbers(6))
    const shrinking: Forge = { pages: 9, latency: (page) => (page === 1 ? 10 : 100) }
    const shrunk = list(shrinking, { concurrency: 3 })
    yield* Effect.forkChild(
      Effect.andThen(
        Effect.sleep(50),
        Effect.sync(() => (shrinking.pages = 2))
      )
    )
    assert.deepStrictEqual((yield* read(shrunk.items)).seen, numbers(2))
    assert.isAtMost(shrunk.fetched.length, 5)
  })
)

it.effect("gives the items before a failed page, even if it fails first", () =>
  Effect.gen(function* () {
    const { items } = list({ pages: 9, fails: 5, latency: (page) => (page === 5 ? 1 : 100) }, { concurrency: 8 })
    const { result, seen } = yield* read(items)
    assert.deepStrictEqual(seen, numbers(4))
    assert.strictEqual(result._tag === "Failure" ? result.failure._tag : "", "Broken")
  })
)

for (const [name, next, last] of [
  ["to a page that was read", (page: number) => at(page === 5 ? 3 : page + 1), at],
  ["to another origin", (page: number) => `https://elsewhere.test/list?page=${page + 1}`, at]
] as const) {
  it.effect(`does not follow a link ${name}`, () =>
    Effect.gen(function* () {
      const { fetched, items } = list({ pages: 9, next, last: () => last(5) }, { concurrency: 4 })
      const { result } = yield* read(items)
      assert.strictEqual(result._tag === "Failure" ? result.failure._tag : "", "UntrustedLink")
      assert.isAtMost(fetched.length, 5)
    })
  )
}

it.effect("reports the progress", () =>
  Effect.gen(function* () {
    const { pages } = list({ pages: 4 }, { concurrency: 3 })
    const { seen } = yield* read(Stream.map(pages, ({ progress }) => `${progress.pages} of ${progress.of}`))
    assert.deepStrictEqual(seen, ["1 of 4", "2 of 4", "3 of 4", "4 of 4"])
  })
)
