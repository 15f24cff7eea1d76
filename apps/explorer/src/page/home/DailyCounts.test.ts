import { assert, describe, it } from "@effect/vitest"
import * as DailyCounts from "./DailyCounts.ts"

const now = Date.parse("2026-03-10T12:00:00Z")

describe("dailyCounts", () => {
  it("counts the dates of each day before now", () => {
    const moments = [
      "2026-03-10T11:00:00Z",
      "2026-03-09T13:00:00Z",
      "2026-03-09T11:00:00Z",
      "2026-03-07T12:00:01Z",
      null
    ]
    assert.deepStrictEqual(DailyCounts.dailyCounts(moments, now, 3), [1, 1, 2])
  })

  it("counts future dates as today, and ignores null and older dates", () => {
    assert.deepStrictEqual(
      DailyCounts.dailyCounts(["2027-01-01T00:00:00Z", "?", "1999-01-01T00:00:00Z"], now, 2),
      [0, 1]
    )
  })
})
