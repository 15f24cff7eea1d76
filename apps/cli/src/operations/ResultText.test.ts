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
      for (const width of [40, 80, Number.POSITIVE_INFINITY]) {
        const [header = "", row = ""] = ResultText.list([item], items, { columns: width, now, paint })
        assert.isTrue(header.startsWith(columns[0]?.header ?? "?"), header)
        for (const column of columns.filter(({ identifies }) => identifies)) {
          const value = String(Presentation.valueAt(item, column.path))
          assert.include(row, width === Number.POSITIVE_INFINITY ? value : value.slice(0, 7), column.header)
        }
        for (const line of [header, row]) assert.isAtMost(Terminal.width(line), width)
      }
    })
  }
})
