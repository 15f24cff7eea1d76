import { assert, describe, it } from "@effect/vitest"
import { RankedFiles } from "./FileCandidates.ts"

const file = (number: number) => ({
  targets: [0] as [number],
  gitDir: "a.git",
  path: `f${number}`,
  document: 0,
  oid: undefined,
  size: 1
})

describe("RankedFiles", () => {
  it("lists each of thousands of files once, in every order", () => {
    const found = new RankedFiles()
    const numbers = Array.from({ length: 3_000 }, (_, number) => number)
    // A third of the files is not indexed.
    for (const number of numbers) found.add({ file }, number, number % 7, number % 3 === 0 ? 0 : number)
    for (const order of ["best", "newest", "oldest"] as const) {
      const places = found.order(order)
      assert.deepStrictEqual(
        [...places].toSorted((a, b) => a - b),
        numbers,
        order
      )
      for (const place of places) assert.strictEqual(found.file(place).path, `f${place}`)
    }
    assert.strictEqual(found.order("newest")[0], 0)
    assert.strictEqual(found.order("oldest")[0], 1)
    assert.strictEqual((found.order("best")[0] ?? 0) % 7, 6)
  })
})
