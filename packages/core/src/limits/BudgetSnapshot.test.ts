import { assert, describe, it } from "@effect/vitest"
import * as Budget from "./Budget.ts"
import * as BudgetSnapshot from "./BudgetSnapshot.ts"
import * as BudgetTransitions from "./BudgetTransitions.ts"
import type { RequestClass } from "./RequestClass.ts"

const request: RequestClass = { resource: "core", endpoint: "POST /a", method: "POST", priority: "normal" }

const lease = (budget: Budget.Budget, now: number): readonly [Budget.Lease, Budget.Budget] => {
  const [decision, next] = Budget.admit(budget, request, now, "me")
  if (decision._tag === "Wait") throw new Error(`waits for ${decision.reason}`)
  return [decision.lease, BudgetTransitions.renewHolder(next, "me", now + 3000)]
}

/** A budget with all parts. */
const full = (): Budget.Budget => {
  const [first, one] = lease(Budget.empty, 1000)
  const [second, two] = lease(one, 1000)
  const window = { limit: 10, remaining: 9, used: 1, reset: 60_000 }
  const answered = BudgetTransitions.reconcile(
    two,
    first,
    { resource: "core", window, skew: { low: -5, high: 900 } },
    1200
  )
  const [, three] = lease(BudgetTransitions.reconcile(answered, second, undefined, 1300), 1300)
  const [fourth, four] = lease(three, 1300)
  return BudgetTransitions.recordRateLimit(
    four,
    fourth,
    { retryAfter: 2000 },
    { limit: "secondary", detail: "" },
    1400
  )[1]
}

describe("BudgetSnapshot", () => {
  it("restores the budget", () => {
    for (const budget of [Budget.empty, full()]) {
      assert.deepStrictEqual(BudgetSnapshot.decode(BudgetSnapshot.encode(budget, 1400), 1400), budget)
    }
  })

  it("omits expired parts", () => {
    const later = BudgetSnapshot.decode(BudgetSnapshot.encode(full(), 1400 + 120_000), 1400)
    assert.deepStrictEqual([...(later?.meters.keys() ?? [])], ["content an hour"])
  })

  it("drops times beyond all documented limits, and keeps the rest", () => {
    const year2286 = 9_999_999_999_000
    const budget = full()
    const pause = { until: year2286, limit: "primary", length: 1e12, probing: undefined } as const // a literal limit
    const resources = new Map([
      [
        "core",
        { window: { limit: 10, used: 10, remaining: 0, reset: year2286 }, countedBy: undefined, lost: undefined }
      ],
      ["search", { window: { limit: 10, used: 1, remaining: 9, reset: 60_000 }, countedBy: undefined, lost: undefined }]
    ])
    const locked = { ...budget, pause, lifted: pause, resources, skew: undefined }
    const healed = BudgetSnapshot.decode(BudgetSnapshot.encode(locked, 1400), 1400)
    assert.deepInclude(healed, { pause: undefined, lifted: undefined })
    assert.isUndefined(healed?.resources.get("core")?.window)
    assert.deepStrictEqual(healed?.resources.get("search"), resources.get("search"))
    assert.deepStrictEqual(healed?.meters, budget.meters)
  })

  it("keeps the longest possible pause and window", () => {
    const pause = { until: 1400 + 3_600_000, limit: "primary", length: 3_600_000, probing: undefined } as const // a literal limit
    const healed = BudgetSnapshot.decode(BudgetSnapshot.encode({ ...full(), pause }, 1400), 1400)
    assert.deepStrictEqual(healed?.pause, pause)
  })

  it("rejects invalid budgets", () => {
    for (const text of ["", "{", "null", "{}", BudgetSnapshot.encode(full(), 1400).slice(0, -3)]) {
      assert.isUndefined(BudgetSnapshot.decode(text, 1400))
    }
  })
})
