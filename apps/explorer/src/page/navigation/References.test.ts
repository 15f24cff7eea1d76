import { assert, describe, it } from "@effect/vitest"
import { reference } from "./Navigation.test-support.ts"
import * as References from "./References.ts"

const file = { owner: "octo", repo: "hello", path: "src/a.ts", ref: "main", commit: "c".repeat(40) }

describe("References", () => {
  it("keeps the position of the name, from 1", () => {
    assert.deepStrictEqual(References.usesOf(file, { text: "hit", line: 3, column: 6 }), {
      name: "hit",
      at: { path: "src/a.ts", line: 3, column: 7 }
    })
  })

  it("requests pages until all uses are loaded", () => {
    const { getNextPageParam } = References.pagesOptions(file, { name: "hit" })
    const page = (length: number, total_count: number) => ({
      total_count,
      incomplete_results: false,
      items: Array.from({ length }, (_, at) => reference("a.ts", at + 1))
    })
    assert.strictEqual(getNextPageParam(page(100, 250), [], 1), 2)
    assert.strictEqual(getNextPageParam(page(100, 250), [], 2), 3)
    assert.isUndefined(getNextPageParam(page(50, 250), [], 3))
    assert.isUndefined(getNextPageParam(page(100, 200), [], 2))
  })
})
