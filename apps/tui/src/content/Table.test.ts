import { assert, describe, it } from "@effect/vitest"
import * as Table from "./Table.ts"
import type { Row } from "./Table.ts"

const row = (id: string): Row => ({ id, title: id, copy: id, arguments: {}, value: undefined, cells: () => [] })

describe("rows with another first row", () => {
  const ids = ["a", "b", "main", "x", "y"]

  it("have each row once, wherever the first row was", () => {
    for (const first of ids) {
      const rows = Table.withFirst(Table.fromRows(ids.map(row)), row(first))
      const expected = [first, ...ids.filter((id) => id !== first)]
      assert.deepStrictEqual(
        ids.map((_, index) => rows.at(index)?.id),
        expected
      )
      assert.deepStrictEqual(
        expected.map((id) => rows.indexOf(id)),
        [0, 1, 2, 3, 4]
      )
    }
  })

  it("have the other rows at their places if the page of the first row is not loaded", () => {
    const pages = new Map([
      [1, ["a", "b"]],
      [3, ["y"]]
    ])
    const rows = Table.withFirst(Table.fromPages(pages, 2, 5, row), row("main"))
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4].map((index) => rows.at(index)?.id),
      ["main", "a", "b", undefined, undefined]
    )
    assert.deepStrictEqual(["main", "a", "y", "x"].map(rows.indexOf), [0, 1, 4, -1])
  })
})
