import { assert, describe, it } from "@effect/vitest"
import { fileResult } from "./SearchResults.test-support.ts"
import * as ResultRows from "./ResultRows.ts"

const rows = ResultRows.make([fileResult("a"), fileResult("b"), fileResult("c", { repo: "other" })])

describe("ResultRows", () => {
  it("puts a heading before the files of each repository", () => {
    assert.deepStrictEqual(
      rows.all.map((row) => (row._tag === "Group" ? row.name : row.result.path)),
      ["octo/hello", "a", "b", "octo/other", "c"]
    )
    assert.deepStrictEqual(rows.groups, [
      { name: "octo/hello", files: 2, row: 0, lastRow: 2 },
      { name: "octo/other", files: 1, row: 3, lastRow: 4 }
    ])
  })

  it("converts between rows and files", () => {
    assert.deepStrictEqual([0, 1, 2].map(rows.rowOf), [1, 2, 4])
    assert.deepStrictEqual([0, 1, 2, 3, 4].map(rows.fileAt), [0, 0, 1, 2, 2])
    assert.deepStrictEqual([0, 1, 2, 3, 4].map(rows.filesThrough), [0, 1, 2, 2, 3])
  })

  it("is empty without files", () => {
    assert.deepStrictEqual(
      [ResultRows.make([]).all.length, ResultRows.make([]).rowOf(0), ResultRows.make([]).fileAt(3)],
      [0, 0, 0]
    )
  })
})
