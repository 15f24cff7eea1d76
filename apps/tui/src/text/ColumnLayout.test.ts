import { assert, describe, it } from "@effect/vitest"
import * as ColumnLayout from "./ColumnLayout.ts"
import * as StyledLine from "./StyledLine.ts"

const columns: ReadonlyArray<ColumnLayout.Column> = [
  { size: "fit" },
  { size: "grow" },
  { size: "fit", optional: 1 },
  { size: "fit", align: "right" }
]

describe("ColumnLayout", () => {
  it("gives the remaining width to the column that grows", () => {
    assert.deepStrictEqual(ColumnLayout.columnWidths(columns, [7, 50, 5, 4], 80), [7, 58, 5, 4])
  })

  it("hides an optional column if the others would be too narrow", () => {
    assert.deepStrictEqual(ColumnLayout.columnWidths(columns, [7, 50, 5, 4], 40), [7, 25, 0, 4])
  })

  it("hides columns that are empty in every row", () => {
    assert.deepStrictEqual(ColumnLayout.columnWidths(columns, [7, 50, 0, 4], 40), [7, 25, 0, 4])
  })

  it("fills the width without a column that grows", () => {
    assert.deepStrictEqual(
      ColumnLayout.columnWidths([{ size: "fit", maxShare: 0.5 }, { size: "fit" }], [30, 4], 40),
      [34, 4]
    )
  })

  it("aligns the cells of a row", () => {
    const cells = ["abc", "subject", "x", "1"].map((text) => StyledLine.line(text))
    assert.strictEqual(StyledLine.text(ColumnLayout.joinCells(columns, [4, 5, 0, 3], cells)), "abc   subj…    1")
  })
})
