import { assert, it } from "@effect/vitest"
import * as Activity from "./Activity.ts"

it("counts the commits of each of the last days in UTC", () => {
  const now = Date.parse("2026-01-10T12:00:00Z")
  const dates = ["2026-01-10T00:00:00Z", "2026-01-09T23:59:59Z", "2026-01-08T00:00:00Z", "2026-01-07T23:59:59Z"]
  const commits = [...dates, "2027-01-01T00:00:00Z", null].map((date) => ({ date }))
  assert.deepStrictEqual(Activity.countByDay(commits, now, 3), [1, 1, 2])
})
