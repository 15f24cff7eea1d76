import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { Done, SearchEvent } from "@tongs/core/contract/groups/CodeSearch"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { IndexError } from "../../search/CodeIndex.ts"
import { CodeSearch } from "../../search/CodeSearch.ts"
import type { Search, SearchBatch, SearchHit } from "../../search/SearchBatch.ts"
import * as SearchEvents from "./SearchEvents.ts"

const served = { fullName: "octo/hello" } as unknown as ServedRepository // oxlint-disable-line typescript/no-unsafe-type-assertion -- the events use only the name

const hit = (path: string): SearchHit => ({
  served,
  path,
  commit: "c",
  oid: "b",
  size: 1,
  rank: 1,
  why: [],
  inPath: [],
  matchCount: 2,
  chunks: [],
  fragments: [],
  definitions: [],
  revisions: [],
  isUncommitted: false
})

const batch = (paths: ReadonlyArray<string>, remaining: number): SearchBatch => ({
  hits: paths.map(hit),
  examined: paths.length,
  remaining
})

/** Events of a search whose index gives `found`. */
const events = (found: Search["found"], options: Partial<SearchEvents.Options> = {}, search: Partial<Search> = {}) =>
  SearchEvents.make(
    CodeSearch.of({
      deadline: Duration.seconds(4),
      search: () => Effect.succeed({ found, isIncomplete: false, notes: [], unsearched: () => [], ...search })
    }),
    Result.getOrThrow(CodeQueryParser.parse("hit")),
    [],
    {
      limit: 2,
      show: { lines: "best", context: 1 },
      countsAll: false,
      searchesWorkTrees: false,
      notes: [],
      deadline: Duration.seconds(4),
      waitsForFirst: false,
      ...options
    }
  )

const paths = (all: ReadonlyArray<SearchEvent>) => all.flatMap((event) => (event._tag === "File" ? [event.path] : []))

const doneOf = (all: ReadonlyArray<SearchEvent>): Done => {
  const last = all.at(-1)
  if (last?._tag !== "Done") return assert.fail("Done is not the last event")
  return last
}

const folders = (done: Done) => done.facets.path.map(({ count, value }) => `${value} ${count}`)

/** Advances the clock in steps, because each step lets the search continue. */
const advance = (millis: number) =>
  Effect.gen(function* () {
    for (let at = 0; at < millis; at += 100) {
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust("100 millis")
    }
  })

const three = [batch(["a/b/1.ts", "a/b/2.ts"], 2), batch(["a/3.ts"], 1), batch(["c/4.ts"], 0)]

describe("SearchEvents", () => {
  it.effect("sends hits up to the limit, and counts only batches up to it", () =>
    Effect.gen(function* () {
      const all = yield* Stream.runCollect(events(Stream.fromIterable(three)))
      const done = doneOf(all)
      assert.deepStrictEqual(paths(all), ["a/b/1.ts", "a/b/2.ts"])
      assert.deepStrictEqual([done.files, done.matches, done.incomplete], [2, 4, ["limit"]])
      assert.deepStrictEqual([folders(done), done.facets_complete], [["a 2", "a/b 2"], false])
    })
  )

  it.effect("counts files beyond the limit without sending them", () =>
    Effect.gen(function* () {
      const all = yield* Stream.runCollect(events(Stream.fromIterable(three), { countsAll: true }))
      const done = doneOf(all)
      assert.deepStrictEqual(paths(all), ["a/b/1.ts", "a/b/2.ts"])
      assert.deepStrictEqual([done.files, done.matches, done.incomplete], [2, 4, ["limit"]])
      assert.deepStrictEqual([folders(done), done.facets_complete], [["a 3", "a/b 2", "c 1"], true])
      assert.deepStrictEqual(done.facets.language, [{ value: "TypeScript", count: 4 }])
    })
  )

  it.effect("sends hits while files beyond the limit are counted, and stops counting after a second", () =>
    Effect.gen(function* () {
      const seen: Array<SearchEvent> = []
      // Without an index, each batch has a separate estimate, so `remaining` is 0 although more follows.
      const found = Stream.concat(Stream.make(batch(["1.ts", "2.ts", "3.ts"], 0)), Stream.never)
      const fiber = yield* Effect.forkChild(
        Stream.runForEach(events(found, { countsAll: true }), (event) => Effect.sync(() => seen.push(event)))
      )
      yield* advance(900)
      assert.deepStrictEqual(paths(seen), ["1.ts", "2.ts"])
      assert.strictEqual(seen.at(-1)?._tag, "Progress")
      yield* advance(200)
      yield* Fiber.join(fiber)
      const done = doneOf(seen)
      assert.deepStrictEqual([done.incomplete, done.facets_complete], [["limit"], false])
      assert.deepStrictEqual(done.facets.repo, [{ value: "octo/hello", count: 3 }])
    })
  )

  it.effect("ends at the deadline, with what was found until then", () =>
    Effect.gen(function* () {
      const found = Stream.concat(Stream.make(batch(["1.ts"], 5)), Stream.never)
      const fiber = yield* Effect.forkChild(Stream.runCollect(events(found, { countsAll: true })))
      yield* advance(4_100)
      const all = yield* Fiber.join(fiber)
      const done = doneOf(all)
      assert.deepStrictEqual(paths(all), ["1.ts"])
      assert.deepStrictEqual([done.incomplete, done.facets_complete], [["deadline"], false])
      assert.isAbove(all.filter(({ _tag }) => _tag === "Progress").length, 10)
    })
  )

  it.effect("waits after the deadline for the first files, so that a slow machine finds some", () =>
    Effect.gen(function* () {
      const found = Stream.concat(
        Stream.fromEffect(Effect.delay(Effect.succeed(batch(["1.ts"], 5)), "9 seconds")),
        Stream.never
      )
      const fiber = yield* Effect.forkChild(Stream.runCollect(events(found, { waitsForFirst: true })))
      yield* advance(9_400)
      const all = yield* Fiber.join(fiber)
      assert.deepStrictEqual([paths(all), doneOf(all).incomplete], [["1.ts"], ["deadline"]])
    })
  )

  it.effect("says at the deadline what was not searched", () =>
    Effect.gen(function* () {
      const notes = Effect.fnUntraced(function* (found: Search["found"], names: ReadonlyArray<string>) {
        const fiber = yield* Effect.forkChild(
          Stream.runCollect(events(found, { waitsForFirst: true }, { unsearched: () => names }))
        )
        yield* advance(16_100)
        const { incomplete, notes } = doneOf(yield* Fiber.join(fiber))
        assert.deepStrictEqual(incomplete, ["deadline"])
        return notes
      })
      const names = ["a/1", "a/2", "a/3", "a/4", "a/5", "a/6"]
      assert.deepStrictEqual(yield* notes(Stream.never, names), [
        "Not searched before the deadline: a/1, a/2, a/3, a/4, a/5 and 1 more."
      ])
      assert.deepStrictEqual(yield* notes(Stream.concat(Stream.make(batch(["1.ts"], 999)), Stream.never), []), [
        "Searched before the deadline: 1 file that can match, of about 1,000."
      ])
    })
  )

  it.effect("does not report the deadline for counting", () =>
    Effect.gen(function* () {
      const found = Stream.concat(Stream.make(batch(["1.ts", "2.ts", "3.ts"], 5)), Stream.never)
      const options = { countsAll: true, deadline: Duration.millis(300) }
      const fiber = yield* Effect.forkChild(Stream.runCollect(events(found, options)))
      yield* advance(500)
      const done = doneOf(yield* Fiber.join(fiber))
      assert.deepStrictEqual([done.incomplete, done.facets_complete], [["limit"], false])
    })
  )

  it.effect("stops counting when the client disconnects", () =>
    Effect.gen(function* () {
      let isStopped = false
      const found = Stream.concat(Stream.make(batch(["1.ts", "2.ts", "3.ts"], 5)), Stream.never).pipe(
        Stream.ensuring(Effect.sync(() => (isStopped = true)))
      )
      const fiber = yield* Effect.forkChild(Stream.runDrain(events(found, { countsAll: true })))
      yield* advance(100)
      assert.isFalse(isStopped)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(isStopped)
    })
  )

  it.effect("sends each note once, of the caller, the search and its batches", () =>
    Effect.gen(function* () {
      const found = Stream.fromIterable([
        { ...batch(["1.ts"], 1), notes: ["Third.", "Second."] },
        { ...batch([], 0), notes: ["Third."] }
      ])
      const all = yield* Stream.runCollect(events(found, { notes: ["First."] }, { notes: ["Second."] }))
      assert.deepStrictEqual(doneOf(all).notes, ["First.", "Second.", "Third."])
    })
  )

  it.effect("reports failures, with which no count is complete", () =>
    Effect.gen(function* () {
      const failed = [
        events(Stream.make({ ...batch(["1.ts"], 0), isIncomplete: true })),
        events(Stream.make(batch(["1.ts"], 0)), {}, { isIncomplete: true }),
        events(Stream.concat(Stream.make(batch(["1.ts"], 0)), Stream.fail(new IndexError({ detail: "damaged" }))))
      ]
      for (const stream of failed) {
        const all = yield* Stream.runCollect(stream)
        const done = doneOf(all)
        assert.deepStrictEqual(paths(all), ["1.ts"])
        assert.deepStrictEqual([done.incomplete, done.facets_complete], [["failed"], false])
      }
    })
  )

  it.effect("omits revisions and uncommitted where they do not apply", () =>
    Effect.gen(function* () {
      const found = Stream.make({
        ...batch([], 0),
        hits: [hit("1.ts"), { ...hit("2.ts"), revisions: ["v1", "v2"], isUncommitted: true }]
      })
      const [plain, other] = yield* Stream.runCollect(events(found))
      assert.isFalse(plain !== undefined && ("revisions" in plain || "uncommitted" in plain))
      if (other?._tag !== "File") return assert.fail("no second file")
      assert.deepStrictEqual([other.revisions, other.uncommitted], [["v1", "v2"], true])
    })
  )
})
