import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readAhead } from "./ReadAhead.ts"

const MEGABYTE = 1024 * 1024

/** Reads files of the sizes. Returns the order of the files, and the largest number of bytes and of files in memory. */
const measure = async (sizes: ReadonlyArray<number>) => {
  const files = sizes.map((size, number) => ({ size, number }))
  const [memory, most] = [new Set<(typeof files)[number]>(), { bytes: 0, files: 0 }]
  const read = async (file: (typeof files)[number]) => {
    memory.add(file)
    const bytes = [...memory].reduce((sum, { size }) => sum + size, 0)
    most.bytes = Math.max(most.bytes, bytes)
    most.files = Math.max(most.files, memory.size)
    await setImmediate()
    return file.number
  }
  const order: Array<number> = []
  for await (const [file, content] of readAhead(files, read)) {
    assert.strictEqual(content, file.number)
    order.push(content)
    await setImmediate()
    memory.delete(file)
  }
  return { order, most }
}

describe("readAhead", () => {
  it.effect("gives all files in their order, and reads several ahead", () =>
    Effect.gen(function* () {
      const { most, order } = yield* Effect.promise(() => measure(Array.from({ length: 2_000 }, (_, at) => at % 90)))
      assert.deepStrictEqual(order, [...Array(2_000).keys()])
      assert.isAtLeast(most.files, 100)
      assert.isAtMost(most.files, 512)
      assert.deepStrictEqual((yield* Effect.promise(() => measure([]))).order, [])
    })
  )

  it.effect("bounds the bytes in memory, and reads a larger file alone", () =>
    Effect.gen(function* () {
      const many = yield* Effect.promise(() => measure(Array.from({ length: 100 }, () => MEGABYTE)))
      assert.isAtMost(many.most.bytes, 8 * MEGABYTE)
      assert.isAtLeast(many.most.bytes, 4 * MEGABYTE)
      const large = yield* Effect.promise(() => measure([5, 20 * MEGABYTE, 5, 30 * MEGABYTE, 30 * MEGABYTE, 5]))
      assert.deepStrictEqual(large.order, [0, 1, 2, 3, 4, 5])
      assert.strictEqual(large.most.bytes, 30 * MEGABYTE)
    })
  )

  it.effect("rejects when the file with the error is due", () =>
    Effect.promise(async () => {
      const read = ({ size }: { readonly size: number }) =>
        size === 3 ? Promise.reject(new Error("unreadable")) : Promise.resolve(size)
      const order: Array<number> = []
      const problem = await (async () => {
        for await (const [, size] of readAhead([{ size: 1 }, { size: 2 }, { size: 3 }, { size: 4 }], read)) {
          order.push(size)
        }
      })().catch(String)
      assert.strictEqual(problem, "Error: unreadable")
      assert.deepStrictEqual(order, [1, 2])
    })
  )
})
