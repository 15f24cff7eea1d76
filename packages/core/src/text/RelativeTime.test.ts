import { assert, describe, it } from "@effect/vitest"
import * as RelativeTime from "./RelativeTime.ts"

const now = Date.UTC(2026, 2, 10)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe("RelativeTime", () => {
  it("changes unit at its bounds", () => {
    const cases: ReadonlyArray<readonly [number, string]> = [
      [0, "now"],
      [-999, "now"],
      [-1000, "1 second ago"],
      [-MINUTE + 1, "59 seconds ago"],
      [-MINUTE, "1 minute ago"],
      [-HOUR + 1, "59 minutes ago"],
      [-HOUR, "1 hour ago"],
      [-3 * HOUR, "3 hours ago"],
      [-DAY + 1, "23 hours ago"],
      [-DAY, "1 day ago"],
      [-30 * DAY, "30 days ago"],
      [-31 * DAY, "1 month ago"],
      [-365 * DAY, "11 months ago"],
      [-366 * DAY, "1 year ago"],
      [-800 * DAY, "2 years ago"],
      [2 * MINUTE, "in 2 minutes"],
      [HOUR - 1, "in 59 minutes"]
    ]
    for (const [distance, text] of cases) assert.strictEqual(RelativeTime.format(now + distance, now), text)
  })

  it("names a missing time", () => {
    assert.strictEqual(RelativeTime.format(Number.NaN, now), "at an unknown time")
  })
})
