import { assert, describe, it } from "@effect/vitest"
import type { SearchTarget } from "../CodeIndex.ts"
import { TargetNumbers } from "./TargetNumbers.ts"

const target = (name: string, commit: string): SearchTarget => ({ gitDir: `/${name}`, fullName: `a/${name}`, commit })

/** Sends all targets as targets of shard 1. Gives the numbers, the newly defined commits and whether they begin again. */
const send = (numbers: TargetNumbers, targets: ReadonlyArray<SearchTarget>) => {
  const { defined, isReset, parts } = numbers.message(targets, new Map([[1, [...targets.keys()]]]))
  return [[...(parts[0]?.targets ?? [])], defined.map(([number, { commit }]) => `${number} ${commit}`), isReset]
}

describe("TargetNumbers", () => {
  it("defines each target once", () => {
    const numbers = new TargetNumbers()
    assert.deepStrictEqual(send(numbers, [target("x", "1"), target("y", "2")]), [[0, 1], ["0 1", "1 2"], false])
    assert.deepStrictEqual(send(numbers, [target("y", "2"), target("x", "3")]), [[1, 2], ["2 3"], false])
    const renamed = { ...target("y", "2"), fullName: "a/z" }
    assert.deepStrictEqual(send(numbers, [renamed]), [[3], ["3 2"], false])
  })

  it("begins again above the bound", () => {
    const numbers = new TargetNumbers(3)
    send(numbers, [target("x", "1"), target("x", "2")])
    assert.deepStrictEqual(send(numbers, [target("x", "1"), target("x", "3")]), [[0, 1], ["0 1", "1 3"], true])
  })

  it("sends work trees whole, after the commits", () => {
    const tree = { ...target("x", "1"), workTree: { folder: "/x", changed: [], removed: [] } }
    const targets = [tree, target("y", "2")]
    const { parts } = new TargetNumbers().message(targets, new Map([[0, [0, 1]]]))
    assert.deepStrictEqual(parts, [
      { shard: 0, targets: Uint32Array.of(0), workTrees: [tree], places: Uint32Array.of(1, 0) }
    ])
  })
})
