import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { CandidateOrder } from "../CodeIndex.ts"
import type { SearchHit, VerifiedFile } from "../SearchBatch.ts"
import * as RankedMerge from "./RankedMerge.ts"

const servedOf = (id: number) => ({ row: { id } }) as unknown as ServedRepository // oxlint-disable-line typescript/no-unsafe-type-assertion -- all that the merge reads

/** A file whose rank is the last digit of the key. */
const file = (key: number, id: number, matches = true): VerifiedFile => {
  const served = servedOf(id)
  return {
    key,
    served,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that the merge reads
    hit: matches ? ({ served, path: `${key}`, rank: key % 10 } as unknown as SearchHit) : undefined
  }
}

const batch = (verified: ReadonlyArray<VerifiedFile>, remaining = 0): RankedMerge.SourceBatch => ({
  verified,
  remaining,
  isIncomplete: false,
  notes: []
})

const remark = (note: string): RankedMerge.SourceBatch => ({ ...batch([]), isIncomplete: true, notes: [note] })

const merge = (sources: ReadonlyArray<Stream.Stream<RankedMerge.SourceBatch>>, order: CandidateOrder = "newest") =>
  RankedMerge.merge(sources, { order, placeOf: ({ served }) => served.row.id })

const keys = ({ hits }: { readonly hits: ReadonlyArray<SearchHit> }) => hits.map(({ path }) => Number(path))

describe("RankedMerge", () => {
  it.live("merges by key, then by repository, in batches of the sizes of one process", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 300 }, (_, at) => 1_000 - (at >> 1))
      const source = (id: number) => {
        const own = all.filter((_, at) => at % 3 === id - 1).map((key) => file(key, id, key % 4 !== 0))
        return Stream.fromIterable(
          Array.from({ length: 10 }, (_, at) => batch(own.slice(at * 10, at * 10 + 10), 90 - at * 10))
        )
      }
      const batches = yield* Stream.runCollect(merge([source(3), source(1), source(2)]))
      assert.deepStrictEqual(
        batches.map(({ examined, isEarly, remaining }) => [examined, remaining, isEarly]),
        [
          [16, 284, false],
          [48, 236, false],
          [128, 108, false],
          [108, 0, false]
        ]
      )
      assert.deepStrictEqual(
        batches.flatMap(keys),
        all.filter((key) => key % 4 !== 0)
      )
      const ids = batches.flatMap(({ hits }) => hits).map(({ path, served }) => [Number(path), served.row.id] as const)
      for (const [at, [key, id]] of ids.entries()) {
        const [before, other] = ids[at - 1] ?? [0, 0]
        if (before === key) assert.isBelow(other, id)
      }
    })
  )

  it.live("orders each batch by rank, and keeps other orders", () =>
    Effect.gen(function* () {
      const sources = [Stream.make(batch([file(28, 1), file(21, 1)])), Stream.make(batch([file(25, 2)]))]
      assert.deepStrictEqual((yield* Stream.runCollect(merge(sources, "best"))).map(keys), [[28, 25, 21]])
      const other = [Stream.make(batch([file(31, 1), file(20, 1)])), Stream.make(batch([file(29, 2)]))]
      assert.deepStrictEqual((yield* Stream.runCollect(merge(other, "best"))).map(keys), [[29, 31, 20]])
      assert.deepStrictEqual((yield* Stream.runCollect(merge(other))).map(keys), [[31, 29, 20]])
    })
  )

  it.live("sends remarks at once, and does not wait long for a silent process", () =>
    Effect.gen(function* () {
      const silent = Stream.concat(Stream.make(remark("slow")), Stream.never)
      const begun = performance.now()
      const batches = yield* merge([silent, Stream.make(batch([file(2, 1)]))]).pipe(Stream.take(2), Stream.runCollect)
      assert.deepStrictEqual(
        batches.map((one) => [keys(one), one.isIncomplete, one.isEarly, one.notes]),
        [
          [[], true, false, ["slow"]],
          [[2], false, true, []]
        ]
      )
      assert.isBelow(performance.now() - begun, 3_000)
    })
  )

  it.live("reads few batches ahead", () =>
    Effect.gen(function* () {
      let read = 0
      const source = Stream.fromIterable(Array.from({ length: 100 }, (_, at) => at)).pipe(
        Stream.rechunk(1),
        Stream.map((at) => {
          read += 1
          return batch(Array.from({ length: 16 }, (_, one) => file(1_000_000 - at * 16 - one, 1)))
        })
      )
      const taken = yield* Effect.forkChild(Stream.runCollect(Stream.take(merge([source]), 1)))
      assert.deepStrictEqual((yield* Fiber.join(taken)).length, 1)
      assert.isBelow(read, 20)
    })
  )
})
