import { assert, describe, it } from "@effect/vitest"
import type { BudgetStatus } from "@tongs/core/limits/BudgetStatus"
import * as StyledLine from "../text/StyledLine.ts"
import * as RateLimitSummary from "./RateLimitSummary.ts"

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
const line = (statuses: ReadonlyArray<BudgetStatus>, scope = "s", now = noon - 10 * 60_000) =>
  RateLimitSummary.line(RateLimitSummary.of(statuses, scope), now)
const text = (...args: Parameters<typeof line>) => StyledLine.text(line(...args))

const withWindow = (remaining: number, limit: number): BudgetStatus => ({
  ...status,
  limits: "stated",
  windows: [{ resource: "core", limit, used: limit - remaining, remaining, reset: noon }]
})

describe("RateLimitSummary", () => {
  it("distinguishes no limits, unreported limits and no requests", () => {
    assert.strictEqual(text([status]), "no limits")
    assert.strictEqual(text([{ ...status, limits: "silent" }]), "limits not reported")
    assert.strictEqual(text([status], "another"), "no requests yet")
  })

  it("shows the remaining requests of a window as a bar, and warns if few are left", () => {
    assert.strictEqual(text([withWindow(2_500, 5_000)]), "core ███░░░ 2,500/5,000 10m")
    const low = line([withWindow(100, 5_000)])
    assert.strictEqual(StyledLine.text(low), "core ░░░░░░ 100/5,000 10m")
    assert.strictEqual(low.find(({ text }) => text === " 100")?.role, "warning")
  })

  it("shows the fullest of several windows", () => {
    const [core] = withWindow(4_990, 5_000).windows
    const [search] = withWindow(3, 30).windows
    if (core === undefined || search === undefined) return assert.fail()
    assert.include(
      text([{ ...withWindow(1, 1), windows: [core, { ...search, resource: "code_search" }] }]),
      "code_search █░░░░░ 3/30"
    )
  })

  it("does not change each minute long before the reset", () => {
    const at = (minutes: number) => text([withWindow(1, 10)], "s", noon - minutes * 60_000)
    assert.include(at(59), " until 12:00")
    assert.strictEqual(at(59), at(11))
    assert.include(at(9), " 9m")
  })

  it("counts hours from two hours on, and says when a window is over", () => {
    assert.include(text([withWindow(1, 10)], "s", noon - 3 * 3_600_000), " 3h")
    assert.include(text([withWindow(1, 10)], "s", noon + 1), "resets now")
  })

  it("fits a window whose limit is 0", () => {
    assert.include(text([withWindow(0, 0)]), "░░░░░░ 0/0")
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
    const waits = { ...status, waiting }
    assert.strictEqual(
      RateLimitSummary.of([waits], "s").waitReason,
      "the code_search rate limit is used up, until 12:00"
    )
    assert.include(text([waits]), "3 waiting")
    const background = waiting.map((one) => ({ ...one, priority: "background" }) as const) // a literal type
    assert.notInclude(text([{ ...status, waiting: background }]), "waiting")
    assert.strictEqual(RateLimitSummary.of([status], "s").waitReason, undefined)
  })
})
