import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as StyledLine from "../text/StyledLine.ts"
import * as QueryInput from "./QueryInput.ts"

const roles = (text: string) =>
  QueryInput.highlighted(text)
    .filter((span) => span.role !== "plain")
    .map((span) => [span.text, span.role])

describe("QueryInput", () => {
  it("highlights the parts of a query", () => {
    assert.deepStrictEqual(roles('a OR "b c" -path:x'), [
      ["a", "strong"],
      ["OR", "accent"],
      ['"b c"', "added"],
      ["-", "accent"],
      ["path:", "id"],
      ["x", "strong"]
    ])
  })

  it("marks errors, except at the end of the text", () => {
    assert.deepStrictEqual(roles("size:big a"), [
      ["size:", "error"],
      ["big", "error"],
      ["a", "strong"]
    ])
    assert.include(QueryInput.problem("size:big a"), "size")
    for (const text of ["", "path:", 'a "b', "a OR", "path:*"]) assert.isUndefined(QueryInput.problem(text))
  })

  it.prop("never drops text", [Schema.String], ([text]) => {
    assert.strictEqual(
      StyledLine.text(QueryInput.highlighted(text)).replace(/\s+/g, ""),
      StyledLine.text(StyledLine.line(text)).replace(/\s+/g, "")
    )
  })
})
