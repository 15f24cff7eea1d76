import { assert, it } from "@effect/vitest"
import * as LineTable from "./LineTable.ts"

const lines = (text: string) => {
  const table = LineTable.make(text)
  return table.starts.map((_, at) => {
    const { end, start } = LineTable.line(table, at + 1)
    return text.slice(start, end)
  })
}

it("excludes line feeds and the carriage returns before them from lines", () => {
  assert.deepStrictEqual(lines("a\r\nb\n\nc"), ["a", "b", "", "c"])
  assert.deepStrictEqual(lines("a\r\n"), ["a"])
  assert.deepStrictEqual(lines("\n"), [""])
  assert.deepStrictEqual(lines("\n\n"), ["", ""])
  assert.deepStrictEqual(lines(""), [""])
  assert.deepStrictEqual(lines("a\rb"), ["a\rb"])
})

it("gives the line number of an offset", () => {
  const table = LineTable.make("ab\ncd\n\nef")
  assert.deepStrictEqual(
    [0, 2, 3, 5, 6, 7, 8].map((offset) => LineTable.at(table, offset)),
    [1, 1, 2, 2, 3, 4, 4]
  )
})
