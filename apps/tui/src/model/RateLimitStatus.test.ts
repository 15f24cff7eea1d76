import { assert, describe, it } from "@effect/vitest"
import type { ScopeStatus } from "@tongs/core/limits/ScopeStatus"
import * as RateLimitStatus from "./RateLimitStatus.ts"
import * as StyledLine from "./StyledLine.ts"

const view: ScopeStatus = {
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

describe("Budget", () => {
  it("says that there are no limits", () => {
    assert.strictEqual(StyledLine.text(RateLimitStatus.summary([view], "s")), "no limits")
    assert.strictEqual(StyledLine.text(RateLimitStatus.summary([{ ...view, limits: "silent" }], "s")), "no limits told")
    assert.strictEqual(StyledLine.text(RateLimitStatus.summary([view], "another")), "no requests yet")
  })

  it("says what is left of each window, and warns of a low one", () => {
    const line = RateLimitStatus.summary(
      [
        {
          ...view,
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

  it("says why a request waits, and until when", () => {
    const waiting = [
      {
        resource: "code_search",
        endpoint: "GET /search/code",
        priority: "interactive",
        count: 3,
        reason: "primary",
        until: noon
      } as const // literals
    ]
    assert.strictEqual(
      RateLimitStatus.waitReason([{ ...view, waiting }], "s"),
      "the code_search budget is used up, until 12:00"
    )
    assert.include(StyledLine.text(RateLimitStatus.summary([{ ...view, waiting }], "s")), "3 waiting")
    assert.strictEqual(RateLimitStatus.waitReason([view], "s"), undefined)
  })
})
