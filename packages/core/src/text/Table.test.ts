import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Table from "./Table.ts"
import * as Terminal from "./Terminal.ts"

interface Row {
  readonly name: string
  readonly about: string
  readonly size: string
}

const columns: ReadonlyArray<Table.Column<Row>> = [
  { header: "NAME", value: (row) => row.name },
  { header: "ABOUT", value: (row) => row.about },
  { header: "SIZE", value: (row) => row.size, align: "right", keep: true }
]

describe("Table", () => {
  it("aligns wide characters and numbers", () => {
    assert.deepStrictEqual(
      Table.render(columns, [
        { name: "tongs", about: "forge tools", size: "12" },
        { name: "漢字", about: "wide", size: "1,200" }
      ]),
      ["NAME   ABOUT         SIZE", "tongs  forge tools     12", "漢字   wide         1,200"]
    )
  })

  it("truncates the widest column first, and never truncates protected columns", () => {
    assert.deepStrictEqual(
      Table.render(columns, [{ name: "tongs", about: "a very long description", size: "1,200" }], 24),
      ["NAME   ABOUT        SIZE", "tongs  a very lo…  1,200"]
    )
  })

  it("shows escapes in cells instead of sending them", () => {
    assert.deepStrictEqual(Table.render([{ header: "X", value: (row: string) => row }], ["\u001b[2J\n"]), [
      "X",
      "␛[2J␊"
    ])
  })

  it("has only a header without rows, and is empty without columns", () => {
    assert.deepStrictEqual(Table.render(columns, []), ["NAME  ABOUT  SIZE"])
    assert.deepStrictEqual(Table.render([], [], 10), [""])
  })

  it.prop(
    "is never wider than it may be",
    [
      Schema.Array(Schema.Struct({ name: Schema.String, about: Schema.String, size: Schema.String })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 }))
    ],
    ([rows, width]) => {
      for (const line of Table.render(columns, rows, width)) assert.isAtMost(Terminal.width(line), width)
    }
  )
})
