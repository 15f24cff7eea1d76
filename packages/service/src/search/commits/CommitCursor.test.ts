import { assert, it } from "@effect/vitest"
import * as CommitCursor from "./CommitCursor.ts"

const oid = "1".repeat(40)

it("prints and parses positions", () => {
  for (const position of [
    { seconds: 1_700_000_000, oids: [oid] },
    { seconds: -5, oids: [] },
    { seconds: 0, oids: [oid, "a".repeat(64)] }
  ])
    assert.deepStrictEqual(CommitCursor.parse(CommitCursor.print(position)), position)
  assert.deepStrictEqual(CommitCursor.parse(CommitCursor.print({ seconds: Number.POSITIVE_INFINITY, oids: [] })), {
    seconds: Number.MAX_SAFE_INTEGER,
    oids: []
  })
})

it("rejects other texts", () => {
  for (const text of ["", "x", "1.2", `1.${oid}0`, `1.${oid}.`, "1 2"]) assert.isUndefined(CommitCursor.parse(text))
})

it("combines positions to the newest date", () => {
  const [a, b, c] = [
    { seconds: 10, oids: ["a"] },
    { seconds: 20, oids: ["b"] },
    { seconds: 20, oids: ["c"] }
  ]
  assert.deepStrictEqual(CommitCursor.combine([a, b, c]), { seconds: 20, oids: ["b", "c"] })
  assert.isUndefined(CommitCursor.combine([]))
})
