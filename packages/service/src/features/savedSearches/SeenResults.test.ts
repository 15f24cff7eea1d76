import { assert, describe, it } from "@effect/vitest"
import { encode, newOf, type Result, version } from "./SeenResults.ts"

const file = (path: string, ...texts: ReadonlyArray<string>): ReadonlyArray<Result> =>
  texts.map((text) => ({ repository: 1, path, text }))

const found = (before: ReadonlyArray<Result>, now: ReadonlyArray<Result>) =>
  newOf(encode(before), now).map(({ path, text }) => `${path}:${text}`)

describe("newOf", () => {
  it("finds lines that are new, and no lines that moved", () => {
    const before = [...file("a.ts", "one()", "two()", "two()"), ...file("b.ts", "three()")]
    assert.deepStrictEqual(found(before, before.toReversed()), [])
    assert.deepStrictEqual(found(before, file("c.ts", "  two()", "three()", "one()", "two()")), [])
    assert.deepStrictEqual(found(before, [...before, ...file("a.ts", "four()")]), ["a.ts:four()"])
    assert.deepStrictEqual(found(before, []), [])
  })

  it("finds a further copy of a line where it was added", () => {
    const before = file("b.ts", "one()")
    assert.deepStrictEqual(found(before, [...file("a.ts", "one()"), ...before]), ["a.ts:one()"])
    assert.deepStrictEqual(found(before, file("b.ts", "one()", "one()")), ["b.ts:one()"])
  })

  it("separates repositories", () => {
    const elsewhere = file("a.ts", "one()").map((line) => ({ ...line, repository: 2 }))
    assert.deepStrictEqual(found(file("a.ts", "one()"), elsewhere), ["a.ts:one()"])
  })
})

describe("version", () => {
  it("depends on the results, not on their order", () => {
    const results = file("a.ts", "one()", "two()")
    assert.strictEqual(version(encode(results)), version(encode(results.toReversed())))
    assert.notStrictEqual(version(encode(results)), version(encode(results.slice(1))))
  })
})
