import { assert, describe, it } from "@effect/vitest"
import * as ShortAge from "./ShortAge.ts"

const now = Date.parse("2026-06-15T12:00:00Z")
const age = (date: string) => ShortAge.format(Date.parse(date), now)

describe("ShortAge", () => {
  it("uses the largest unit that fits", () => {
    assert.strictEqual(age("2026-06-15T11:59:30Z"), "now")
    assert.strictEqual(age("2026-06-15T11:55:00Z"), "5m")
    assert.strictEqual(age("2026-06-15T09:30:00Z"), "2h")
    assert.strictEqual(age("2026-06-03T12:00:00Z"), "12d")
    assert.strictEqual(age("2026-01-14T12:00:00Z"), "4mo")
    assert.strictEqual(age("2016-06-01T12:00:00Z"), "10y")
  })

  it("shows no age for the future, and nothing for an invalid time", () => {
    assert.strictEqual(age("2027-01-01T00:00:00Z"), "now")
    assert.strictEqual(age("yesterday"), "")
  })
})
