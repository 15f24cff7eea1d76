import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as StyledLine from "./StyledLine.ts"
import * as QueryInput from "./QueryInput.ts"

const roles = (text: string) =>
  QueryInput.highlighted(text)
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
    assert.include(QueryInput.problem("path:*.ts a"), "extension:ts")
    for (const text of ["", "path:", 'a "b', "a OR", "path:*"]) assert.isUndefined(QueryInput.problem(text))
  })

  it.prop("shows all of the text, whatever it is", [Schema.String], ([text]) => {
    assert.strictEqual(
      StyledLine.text(QueryInput.highlighted(text)).replace(/\s+/g, ""),
      StyledLine.text(StyledLine.line(text)).replace(/\s+/g, "")
    )
  })
})
