import { assert, describe, it } from "@effect/vitest"
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import * as OutlineTree from "./OutlineTree.ts"

const symbol = (name: string, line: number, more: Partial<CodeSymbol> = {}): CodeSymbol => ({
  name,
  line,
  kind: "function",
  ...more
})

const tree = OutlineTree.make([
  symbol("Shape", 1, { end_line: 20 }),
  symbol("area", 3, { end_line: 9 }),
  symbol("inner", 5, { end_line: 6 }),
  symbol("name", 12, { end_line: 14 }),
  symbol("main", 25, { end_line: 30 })
])

describe("OutlineTree", () => {
  it("nests symbols by their lines", () => {
    const rows = tree.map(({ depth, hasChildren, parent, symbol: { name } }) => [name, depth, parent, hasChildren])
    assert.deepStrictEqual(rows, [
      ["Shape", 0, -1, true],
      ["area", 1, 0, true],
      ["inner", 2, 1, false],
      ["name", 1, 0, false],
      ["main", 0, -1, false]
    ])
  })

  it("nests symbols by name if their last line is not known", () => {
    const items = OutlineTree.make([
      symbol("b", 9, { scope: "ns::A" }),
      symbol("A", 1),
      symbol("a", 2, { scope: "A" }),
      symbol("c", 12)
    ])
    assert.deepStrictEqual(
      items.map(({ depth, symbol: { name } }) => [name, depth]),
      [
        ["A", 0],
        ["a", 1],
        ["b", 1],
        ["c", 0]
      ]
    )
  })

  it("finds the innermost symbol of a line", () => {
    const names = [1, 4, 5, 8, 10, 13, 22, 30, 31].map((line) => tree[OutlineTree.at(tree, line)]?.symbol.name)
    assert.deepStrictEqual(names, ["Shape", "area", "inner", "area", "Shape", "name", undefined, "main", undefined])
    assert.strictEqual(OutlineTree.at(tree, 0), -1)
    assert.deepStrictEqual(OutlineTree.path(tree, 2), [0, 1, 2])
    assert.deepStrictEqual(OutlineTree.path(tree, -1), [])
  })

  it("hides collapsed symbols, unless a filter finds them", () => {
    assert.deepStrictEqual(OutlineTree.shown(tree, "", new Set([1])), [0, 1, 3, 4])
    assert.deepStrictEqual(OutlineTree.shown(tree, "", new Set([0])), [0, 4])
    assert.deepStrictEqual(OutlineTree.shown(tree, "NA", new Set([0])), [3])
  })
})
