import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as MergeByDate from "./MergeByDate.ts"

const options = { date: (item: number) => item, concurrency: 2, maxOpen: 4, maxWaitMillis: 10_000 }

/** A source of items that records whether the source was opened. */
const source = (...items: ReadonlyArray<number>) => {
  const state = {
    isOpen: false,
    newest: items[0] ?? 0,
    items: Stream.suspend(() => {
      state.isOpen = true
      return Stream.fromIterable(items)
    })
  }
  return state
}

it.live("emits the newest item of all sources first", () =>
  Effect.gen(function* () {
    const sources = [
      source(...Array.from({ length: 100 }, (_, at) => 1_000 - at * 3)),
      source(999, 500, 1),
      source(),
      source(2_000, 700)
    ]
    const found = yield* Stream.runCollect(MergeByDate.merge(sources, options))
    assert.strictEqual(found.length, 105)
    assert.deepStrictEqual(
      found,
      found.toSorted((a, b) => b - a)
    )
  })
)

it.live("opens no source whose newest item is not needed", () =>
  Effect.gen(function* () {
    const [recent, old] = [source(100, 99, 98), source(50)]
    const found = yield* Stream.runCollect(
      Stream.take(MergeByDate.merge([old, recent], { ...options, concurrency: 1 }), 2)
    )
    assert.deepStrictEqual(found, [100, 99])
    assert.isFalse(old.isOpen)
  })
)

it.live("merges more sources than it may open", () =>
  Effect.gen(function* () {
    const sources = Array.from({ length: 20 }, (_, at) => source(100 + at, 50 + at, at))
    const found = yield* Stream.runCollect(MergeByDate.merge(sources, { ...options, maxWaitMillis: 1 }))
    assert.deepStrictEqual(new Set(found).size, 60)
  })
)

it.live("does not wait longer than the patience for a source without items", () =>
  Effect.gen(function* () {
    const silent = { newest: 100, items: Stream.never }
    const found = yield* Stream.runCollect(
      Stream.take(MergeByDate.merge([silent, source(5, 4)], { ...options, maxWaitMillis: 20 }), 2)
    )
    assert.deepStrictEqual(found, [5, 4])
  })
)
