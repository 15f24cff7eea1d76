import { assert, describe, it } from "@effect/vitest"
import * as Failure from "@tongs/core/contract/Failure"
import * as RecoveryHint from "./RecoveryHint.ts"

const NOW = 1_800_000_000_000
const context = { tool: { operation: { effect: "read" as const }, properties: {} }, names: [], now: NOW }

const limited = (limit: "primary" | "secondary", wait: number) =>
  RecoveryHint.hintFor(
    new Failure.RateLimited({ request: "GET /x", detail: "", limit, resource: "core", until: NOW + wait }),
    context
  )

describe("the advice after a rate limit", () => {
  it("says from when on the call works, never earlier than it does", () => {
    assert.include(limited("primary", 31_200), "again in 32 s, and not before")
    assert.include(limited("primary", 121_000), "again in 3 minutes, and not before")
    assert.include(limited("primary", 3 * 3_600_000), "again in 3 hours, and not before")
    assert.include(limited("secondary", -5_000), "again in a minute, and not before")
  })

  it("says which calls it concerns", () => {
    assert.include(limited("primary", 60_000), "every call that counts for core fails")
    assert.include(limited("secondary", 60_000), "every other call of this credential can fail")
    assert.notMatch(limited("primary", 60_000), /something else/)
  })
})
