import { assert, describe, it } from "@effect/vitest"
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import * as OutlineCodec from "./OutlineCodec.ts"

const symbols: ReadonlyArray<CodeSymbol> = [
  { name: "Point", kind: "class", line: 1, column: 6, end_line: 40 },
  { name: "x", kind: "field", line: 2, column: 0, end_line: 2, scope: "Point" },
  { name: "y", kind: "enum_member", line: 300, column: 1_000, end_line: 300, scope: "Point" },
  { name: "move", kind: "method", line: 301, column: 2, end_line: 302, scope: "Point", declaration: true },
  { name: "later", kind: "function", line: 400 },
  { name: "heading", kind: "module", line: 401, scope: "Other" }
]

describe("OutlineCodec", () => {
  it("decodes what it encoded", () => {
    assert.deepStrictEqual(OutlineCodec.find(OutlineCodec.encode(symbols), /./), symbols)
  })

  it("keeps the scope of symbols whose neighbors do not match", () => {
    assert.deepStrictEqual(OutlineCodec.find(OutlineCodec.encode(symbols), /move/), symbols.slice(3, 4))
  })

  it("drops names that would break a line", () => {
    assert.strictEqual(OutlineCodec.encode([{ name: "a\tb", kind: "type", line: 1 }]), "")
  })
})
