import { assert, it } from "@effect/vitest"
import * as OlderLine from "./OlderLine.ts"

const lines = (text: string) => text.split(" ")

it("finds an unchanged line in the older text", () => {
  assert.strictEqual(OlderLine.indexIn(lines("a b c"), lines("new a b c"), 3), 2)
})

it("finds the line in the same place of the replaced lines", () => {
  const older = lines("a old1 old2 z")
  const newer = lines("a new1 new2 new3 z")
  assert.deepStrictEqual(
    [1, 2, 3].map((index) => OlderLine.indexIn(older, newer, index)),
    [1, 2, 2]
  )
})

it("finds the line after added lines, and the last line at the end", () => {
  assert.strictEqual(OlderLine.indexIn(lines("a z"), lines("a new z"), 1), 1)
  assert.strictEqual(OlderLine.indexIn(lines("a"), lines("a new1 new2"), 2), 0)
  assert.strictEqual(OlderLine.indexIn([], lines("new"), 0), 0)
})
