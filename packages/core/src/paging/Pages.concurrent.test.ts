/** Pages that are asked for together. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Page from "./Page.ts"
import * as Pages from "./Pages.ts"

const origin = "https://forge.test"
const at = (page: number) => `${origin}/list?per_page=2&page=${page}`

class Broken {
  readonly _tag = "Broken"
}

interface Forge {
  /** How many pages there are by now. */
  pages: number
  readonly fails?: number
  readonly last?: (pages: number) => string | undefined
  readonly next?: (page: number) => string
  /** Milliseconds that a page takes. */
  readonly latency?: (page: number) => number
}

/** A list of pages of two numbers whose links name the last page, each some time away. */
const list = (forge: Forge, options: Pages.NumberedPageOptions) => {
  const fetched: Array<number> = []
  const flying = { now: 0, most: 0 }
  const { latency = () => 50, last = at, next = (page) => at(page + 1) } = forge
  const fetch = (url: string | undefined, read: number) =>
    Effect.gen(function* () {
      const number = url === undefined ? 1 : Number(new URL(url).searchParams.get("page"))
      fetched.push(number)
      flying.most = Math.max(flying.most, ++flying.now)
      yield* Effect.ensuring(
        Effect.sleep(latency(number)),
        Effect.sync(() => flying.now--)
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
  const pages = Pages.make({ request: "GET /list", fetch, origin, start: Effect.succeed(undefined) }, options)
  return { fetched, flying, ...pages }
}

/** What a stream gives, how it ends, and after how many milliseconds. */
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

it.effect("gives the same in the same order, in a quarter of the time and less", () =>
  Effect.gen(function* () {
    const slow = yield* read(list({ pages: 50 }, {}).items)
    const fast = list({ pages: 50, latency: (page) => 10 + ((page * 7) % 5) * 10 }, { concurrency: 8 })
    const { elapsed, seen } = yield* read(fast.items)
    assert.deepStrictEqual(seen, numbers(50))
    assert.deepStrictEqual(slow.seen, seen)
    assert.strictEqual(slow.elapsed, 2500)
    assert.isAtMost(elapsed, slow.elapsed / 4)
    assert.strictEqual(fast.flying.most, 8)
    assert.deepStrictEqual(
      fast.fetched.toSorted((a, b) => a - b),
      Array.from({ length: 50 }, (_, index) => index + 1)
    )
  })
)

for (const concurrency of [2, 3, 8]) {
  it.effect(`a reader of 5 pages who stops has fetched at most ${concurrency} more, and aborts what is under way`, () =>
    Effect.gen(function* () {
      const { fetched, flying, items } = list({ pages: 50, latency: (page) => page * 10 }, { concurrency })
      assert.deepStrictEqual((yield* read(Stream.take(items, 10))).seen, numbers(5))
      assert.isAtMost(fetched.length, 5 + concurrency)
      assert.strictEqual(flying.now, 0)
      const before = fetched.length
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(fetched.length, before)
    })
  )
}

it.effect("are fetched ahead of the one that is read as well", () =>
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

it.effect("asks for no page that a limit does not need", () =>
  Effect.gen(function* () {
    const { fetched, items } = list({ pages: 50 }, { concurrency: 8, limit: 7 })
    assert.deepStrictEqual((yield* read(items)).seen, [1, 2, 3, 4, 5, 6, 7])
    assert.deepStrictEqual(fetched, [1, 2, 3, 4])
  })
)

for (const [what, forge] of [
  ["does not say which page is the last", { pages: 5, last: () => undefined }],
  ["names a last page without a number", { pages: 5, last: () => `${origin}/list?after=x` }]
] as const) {
  it.effect(`reads one by one where the forge ${what}`, () =>
    Effect.gen(function* () {
      const { flying, items } = list(forge, { concurrency: 8 })
      assert.deepStrictEqual((yield* read(items)).seen, numbers(5))
      assert.strictEqual(flying.most, 1)
    })
  )
}

it.effect("goes on where the list has grown meanwhile, and ends where it has shrunk", () =>
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

it.effect("gives what stands before a page that fails, however early it does", () =>
  Effect.gen(function* () {
    const { items } = list({ pages: 9, fails: 5, latency: (page) => (page === 5 ? 1 : 100) }, { concurrency: 8 })
    const { result, seen } = yield* read(items)
    assert.deepStrictEqual(seen, numbers(4))
    assert.strictEqual(result._tag === "Failure" ? result.failure._tag : "", "Broken")
  })
)

for (const [what, next, last] of [
  ["to a page that was read", (page: number) => at(page === 5 ? 3 : page + 1), at],
  ["to another origin", (page: number) => `https://elsewhere.test/list?page=${page + 1}`, at]
] as const) {
  it.effect(`does not follow a link ${what}`, () =>
    Effect.gen(function* () {
      const { fetched, items } = list({ pages: 9, next, last: () => last(5) }, { concurrency: 4 })
      const { result } = yield* read(items)
      assert.strictEqual(result._tag === "Failure" ? result.failure._tag : "", "UntrustedLink")
      assert.isAtMost(fetched.length, 5)
    })
  )
}

it.effect("says how far it is", () =>
  Effect.gen(function* () {
    const { pages } = list({ pages: 4 }, { concurrency: 3 })
    const { seen } = yield* read(Stream.map(pages, ({ progress }) => `${progress.pages} of ${progress.of}`))
    assert.deepStrictEqual(seen, ["1 of 4", "2 of 4", "3 of 4", "4 of 4"])
  })
)
