import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Line from "./Line.ts"
import * as SearchBox from "./SearchBox.ts"

const roles = (text: string) =>
  SearchBox.typed(text)
    .filter((span) => span.role !== "plain")
    .map((span) => [span.text, span.role])

describe("SearchBox", () => {
  it("colours the parts of a query", () => {
    assert.deepStrictEqual(roles('a OR "b c" -path:x'), [
      ["a", "strong"],
      ["OR", "accent"],
      ['"b c"', "added"],
      ["-", "accent"],
      ["path:", "id"],
      ["x", "strong"]
    ])
  })

  it("marks what is wrong, but not what is still being typed", () => {
    assert.deepStrictEqual(roles("path:*.ts a"), [
      ["path:", "error"],
      ["*.ts", "error"],
      ["a", "strong"]
    ])
    assert.include(SearchBox.hint("path:*.ts a"), "extension:ts")
    for (const text of ["", "path:", 'a "b', "a OR", "path:*"]) assert.isUndefined(SearchBox.hint(text))
  })

  it.prop("shows all of the text, whatever it is", [Schema.String], ([text]) => {
    assert.strictEqual(
      Line.text(SearchBox.typed(text)).replace(/\s+/g, ""),
      Line.text(Line.line(text)).replace(/\s+/g, "")
    )
  })
})
