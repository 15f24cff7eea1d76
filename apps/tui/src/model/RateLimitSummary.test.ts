import { assert, describe, it } from "@effect/vitest"
import type { BudgetStatus } from "@tongs/core/limits/BudgetStatus"
import * as RateLimitSummary from "./RateLimitSummary.ts"
import * as StyledLine from "../text/StyledLine.ts"

const status: BudgetStatus = {
  scope: "s",
  limits: "none",
  windows: [],
  meters: [],
  inFlight: 0,
  waiting: [],
  holders: [],
  pausedUntil: undefined
}

const noon = new Date(2026, 0, 1, 12, 0).getTime()

describe("RateLimitSummary", () => {
  it("distinguishes no limits, unreported limits and no requests", () => {
    assert.strictEqual(StyledLine.text(RateLimitSummary.summary([status], "s")), "no limits")
    assert.strictEqual(
      StyledLine.text(RateLimitSummary.summary([{ ...status, limits: "silent" }], "s")),
      "limits not reported"
    )
    assert.strictEqual(StyledLine.text(RateLimitSummary.summary([status], "another")), "no requests yet")
  })

  it("shows the remaining requests of a window, and warns if few are left", () => {
    const line = RateLimitSummary.summary(
      [
        {
          ...status,
          limits: "stated",
          inFlight: 2,
          windows: [{ resource: "core", limit: 5_000, used: 4_900, remaining: 100, reset: noon }]
        }
      ],
      "s"
    )
    assert.strictEqual(StyledLine.text(line), "core 100/5,000 resets 12:00 · 2 in flight")
    assert.strictEqual(line.find(({ text }) => text === "100/5,000")?.role, "warning")
  })

  it("gives the reason and the end of the wait", () => {
    const waiting = [
      {
        resource: "code_search",
        endpoint: "GET /search/code",
        priority: "interactive",
        count: 3,
        reason: "primary",
        until: noon
      } as const // literal types
    ]
    assert.strictEqual(
      RateLimitSummary.waitReason([{ ...status, waiting }], "s"),
      "the code_search rate limit is used up, until 12:00"
    )
    assert.include(StyledLine.text(RateLimitSummary.summary([{ ...status, waiting }], "s")), "3 waiting")
    assert.strictEqual(RateLimitSummary.waitReason([status], "s"), undefined)
  })
})
