import { assert, it } from "@effect/vitest"
import * as FinderQuery from "./FinderQuery.ts"

it("parses a line after the path", () => {
  const lines = { first: 12, last: 12 }
  assert.deepStrictEqual(FinderQuery.parse(" src/a.ts "), { q: "src/a.ts", lines: undefined })
  assert.deepStrictEqual(FinderQuery.parse("src/a.ts:12"), { q: "src/a.ts", lines })
  assert.deepStrictEqual(FinderQuery.parse("src/a.ts#L12"), { q: "src/a.ts", lines })
  assert.deepStrictEqual(FinderQuery.parse("a:0"), { q: "a:0", lines: undefined })
})
