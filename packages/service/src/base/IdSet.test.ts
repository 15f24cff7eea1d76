import { assert, describe, it } from "@effect/vitest"
import { forEachNumber, IdSet } from "./IdSet.ts"

const a = [0, 31, 32, 65_535, 65_536, 4_000_000_000]
const b = [31, 33, 65_536, 9_000_000_000_000]

describe("a set of ids", () => {
  it("has the ids that were added", () => {
    const set = new IdSet([...a, 31])
    assert.deepStrictEqual(set.ids(), a)
    assert.strictEqual(set.size, a.length)
    assert.isTrue(set.has(65_536))
    assert.isFalse(set.has(65_537))
    assert.isFalse(set.has(131_072))
  })

  it("is combined with another set", () => {
    const [one, other] = [new IdSet(a), new IdSet(b)]
    assert.deepStrictEqual(
      one.union(other).ids(),
      [...new Set([...a, ...b])].sort((x, y) => x - y)
    )
    assert.deepStrictEqual(
      one.intersection(other).ids(),
      a.filter((id) => b.includes(id))
    )
    assert.deepStrictEqual(
      one.difference(other).ids(),
      a.filter((id) => !b.includes(id))
    )
    assert.strictEqual(one.union(other).size, 8)
  })
})

it("a list of numbers is read", () => {
  const read = (list: string) => {
    const values: Array<number> = []
    forEachNumber(list, (value) => values.push(value))
    return values
  }
  assert.deepStrictEqual(read("12,0,9000000000000"), [12, 0, 9_000_000_000_000])
  assert.deepStrictEqual(read(""), [])
})
