import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { IndexError } from "../CodeIndex.ts"
import type { ReaderBatch } from "../workers/WorkerMethods.ts"
import * as CandidateMerge from "./CandidateMerge.ts"

const broken = Effect.fail(new IndexError({ detail: "broken" }))

/** A source with batches of keys. `undefined` is a failure. */
const source = (
  target: number,
  batches: ReadonlyArray<ReadonlyArray<number> | undefined>
): CandidateMerge.CandidateSource => {
  let at = 0
  const next = Effect.suspend(() => {
    const keys = batches[at++]
    if (keys === undefined) return broken
    const candidates = keys.map((key) => ({
      targets: [target] as const,
      gitDir: "",
      path: String(key),
      oid: "",
      size: 0,
      definitions: undefined
    }))
    return Effect.succeed<ReaderBatch>({ candidates, keys, left: batches.slice(at).flat().length })
  })
  return { begin: next, next, targets: [target] }
}

const run = (sources: ReadonlyArray<CandidateMerge.CandidateSource>) =>
  Effect.map(Stream.runCollect(CandidateMerge.merge(sources)), (batches) => ({
    paths: batches.map(({ candidates }) => candidates.map(({ path }) => Number(path))),
    left: batches.map(({ left }) => left),
    failed: batches.map(({ failed }) => failed?.map(({ detail, target }) => `${target} ${detail}`))
  }))

describe("CandidateMerge", () => {
  it.effect("gives the best candidates of all sources first", () =>
    Effect.gen(function* () {
      const sources = [
        source(0, [
          [9, 7],
          [3, 2]
        ]),
        source(1, [[8, 6, 5, 4], [1]]),
        source(2, [[]])
      ]
      const { left, paths } = yield* run(sources)
      // A batch ends with the last loaded candidate of a source.
      assert.deepStrictEqual(paths, [
        [9, 8, 7],
        [6, 5, 4],
        [3, 2, 1]
      ])
      assert.deepStrictEqual(left, [6, 3, 0])
    })
  )

  it.effect("gives equal candidates in the order of their targets", () =>
    Effect.gen(function* () {
      const batches = yield* Stream.runCollect(
        CandidateMerge.merge([source(2, [[5]]), source(0, [[5]]), source(1, [[5]])])
      )
      assert.deepStrictEqual(
        batches.flatMap(({ candidates }) => candidates.map(({ targets }) => targets[0])),
        [0, 1, 2]
      )
    })
  )

  it.effect("gives one batch without candidates, and none without sources", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* run([source(0, [[]])])).paths, [[]])
      assert.deepStrictEqual((yield* run([])).paths, [[]])
    })
  )

  it.effect("limits the first batch", () =>
    Effect.gen(function* () {
      const keys = Array.from({ length: 300 }, (_, at) => 300 - at)
      const { paths } = yield* run([source(0, [keys])])
      assert.deepStrictEqual(
        paths.map(({ length }) => length),
        [64, 128, 108]
      )
    })
  )

  it.effect("names the targets of a source that fails, and fails if all fail at the beginning", () =>
    Effect.gen(function* () {
      const later = yield* run([source(0, [[9], undefined, [1]]), source(1, [[8, 7]]), source(2, [undefined])])
      assert.deepStrictEqual(later.paths.flat(), [9, 8, 7])
      assert.deepStrictEqual(later.failed.flat().filter(Boolean), ["2 broken", "0 broken"])
      const error = yield* Effect.flip(run([source(0, [undefined]), source(1, [undefined])]))
      assert.strictEqual(error.detail, "broken")
    })
  )

  it.effect("does not wait long for a slow source", () =>
    Effect.gen(function* () {
      const slow = source(0, [[9]])
      const sources = [{ ...slow, begin: Effect.delay(slow.begin, "10 seconds") }, source(1, [[8], [7]])]
      const running = yield* Effect.forkChild(run(sources), { startImmediately: true })
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual((yield* Fiber.join(running)).paths, [[8], [7], [9]])
    })
  )
})
