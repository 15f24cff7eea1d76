import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { entries, resultSchemas } from "@tongs/core/contract/Catalog"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import * as Terminal from "@tongs/core/text/Terminal"
import * as ResultText from "./ResultText.ts"

const plain = (text: string) => text
const paint = { bold: plain, dim: plain, match: plain, good: plain, bad: plain }
const now = Date.parse("2026-02-01T12:00:00Z")

describe("a table", () => {
  for (const entry of entries) {
    const schemas = resultSchemas(entry)
    const items = Presentation.itemSchemas(schemas)
    const [ast] = items
    if (ast === undefined || Presentation.isFreeForm(items)) continue

    it(`of ${entry.group}.${entry.name} begins with its identity and fits the terminal`, () => {
      const item = Samples.of(Schema.make<Schema.Top>(ast))
      const columns = Presentation.columns(items)
      for (const width of [20, 40, 80, 200]) {
        const [header = "", row = ""] = ResultText.list([item], items, { columns: width, now, paint })
        assert.isTrue(header.startsWith(columns[0]?.header ?? "?"), header)
        for (const column of columns.filter(({ identifies }) => identifies)) {
          const value = String(Presentation.valueAt(item, column.path))
          if (width >= 40) assert.include(row, value.slice(0, 7), column.header)
        }
        for (const line of [header, row]) assert.isAtMost(Terminal.width(line), width)
      }
    })

    it(`of ${entry.group}.${entry.name} is one line of all columns for programs`, () => {
      const item = Samples.of(Schema.make<Schema.Top>(ast))
      const columns = Presentation.columns(items)
      const records = ResultText.list([item, {}], items, { columns: Number.POSITIVE_INFINITY, now, paint })
      const [cells = [], empty = []] = records.map((record) => record.split("\t"))
      assert.deepStrictEqual([records.length, cells.length, empty.length], [2, columns.length, columns.length])
      for (const [index, { identifies, path }] of columns.entries()) {
        if (identifies) assert.strictEqual(cells[index], String(Presentation.valueAt(item, path)))
      }
    })
  }
})

const listed = (items: ReadonlyArray<unknown>, columns: number) => ResultText.list(items, [], { columns, now, paint })

describe("a list for programs", () => {
  it("has whole values without tabs, newlines and control characters", () => {
    const long = "x".repeat(300)
    const items = [
      { name: "a\tb\r\nc", text: long, count: 12345, ok: true, at: "2026-01-31T12:00:00Z", bell: "\u0007é" }
    ]
    assert.deepStrictEqual(listed(items, Number.POSITIVE_INFINITY), [
      `a b\t${long}\t12345\ttrue\t2026-01-31T12:00:00Z\t␇é`
    ])
    assert.deepStrictEqual(listed(["a\nb", "c"], Number.POSITIVE_INFINITY), ["a b", "c"])
  })

  it("is empty without items, unlike on a terminal", () => {
    assert.deepStrictEqual(listed([], Number.POSITIVE_INFINITY), [])
    assert.deepStrictEqual(listed([], 80), ["Nothing."])
  })
})

describe("a list for a terminal", () => {
  it("aligns and truncates wide characters", () => {
    const items = [
      { name: "霧笛霧笛霧笛", text: "short" },
      { name: "fog", text: "👩‍🚀 and a long text that does not fit" }
    ]
    const lines = listed(items, 30)
    assert.deepStrictEqual(lines, ["NAME          TEXT", "霧笛霧笛霧笛  short", "fog           👩‍🚀 and a long t…"])
    for (const line of lines) assert.isAtMost(Terminal.width(line), 30)
  })
})

describe("an object", () => {
  const value = { sha: "a".repeat(40), commit: { message: "Add a lantern\n\nIt is red.", author: { name: "Ann" } } }
  const linesAt = (columns: number) => ResultText.lines(value, [], { columns, now, paint })

  it("has its values beside their names", () => {
    assert.deepStrictEqual(linesAt(60), [
      `sha                 ${"a".repeat(40)}`,
      "commit.message      Add a lantern",
      "",
      "                    It is red.",
      "commit.author.name  Ann"
    ])
  })

  it("has its values below their names in a narrow terminal", () => {
    const lines = linesAt(30)
    assert.deepStrictEqual(lines.slice(0, 4), ["sha", `  ${"a".repeat(27)}…`, "commit.message", "  Add a lantern"])
    for (const line of lines) assert.isAtMost(Terminal.width(line), 30)
  })
})
