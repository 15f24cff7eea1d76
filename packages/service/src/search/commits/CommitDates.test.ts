import { assert, it } from "@effect/vitest"
import * as CommitDates from "./CommitDates.ts"

it("accepts the dates that git reads", () => {
  for (const date of [
    "2024-01-31",
    "2024-01-31T12:00:00Z",
    "2024-01-31 12:00:00 +0200",
    "31 Jan 2024",
    "Wed, 31 Jan 2024 12:00:00 +0100",
    "31.01.2024",
    "01/31/2024",
    "2.weeks.ago",
    "yesterday",
    "last friday",
    "noon",
    "@1700000000",
    "2024"
  ])
    assert.isTrue(CommitDates.isDate(date), date)
})

it("rejects other texts, which git reads as now", () => {
  for (const date of ["", "soon", "2024-13-01", "2024-01-32", "v1.0 release", "<script>", "--all", "2 fortnights"])
    assert.isFalse(CommitDates.isDate(date), date)
})
