import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Budget from "./Budget.ts"
import * as BudgetTransitions from "./BudgetTransitions.ts"
import * as Limits from "./Limits.ts"
import type { Priority, RequestClass } from "./RequestClass.ts"

const request: RequestClass = { resource: "core", endpoint: "GET /a", method: "GET", priority: "normal" }
const ME = "me"

const window = (limit: number, remaining: number, reset: number) => ({
  remaining,
  window: { limit, remaining, used: limit - remaining, reset }
})

/** A lease for a request. Fails the test if the request has to wait. */
const lease = (budget: Budget.Budget, now: number, asked = request): readonly [Budget.Lease, Budget.Budget] => {
  const [decision, next] = Budget.admit(budget, asked, now, ME)
  if (decision._tag === "Wait") throw new Error(`waits for ${decision.reason}`)
  return [decision.lease, next]
}

const after = (observation: Parameters<typeof BudgetTransitions.reconcile>[2], now = 0): Budget.Budget => {
  const [first, budget] = lease(Budget.empty, now)
  return BudgetTransitions.reconcile(budget, first, observation, now)
}

describe("admit", () => {
  it("subtracts requests in flight from the remaining budget", () => {
    const [, one] = lease(after(window(10, 2, 60_000)), 0)
    const [, two] = lease(one, 0)
    assert.deepStrictEqual(Budget.admit(two, request, 0, ME), [
      // The forge may have counted the two already, so the responses decide, and not the reset.
      { _tag: "Wait", reason: "primary", limit: "primary", until: undefined },
      two
    ])
    const used = after(window(10, 0, 60_000))
    assert.deepStrictEqual(Budget.admit(used, request, 0, ME), [
      { _tag: "Wait", reason: "primary", limit: "primary", until: 60_000 },
      used
    ])
  })

  it("admits one request after a reset, even without room for it", () => {
    for (const limit of [0, 1]) {
      const budget = after(window(limit, 0, 60_000))
      const background: RequestClass = { ...request, priority: "background" }
      assert.strictEqual(Budget.admit(budget, background, 59_999, ME)[0]._tag, "Wait")
      const [, next] = lease(budget, 60_000, background)
      assert.strictEqual(Budget.admit(next, background, 60_000, ME)[0]._tag, "Wait")
    }
  })
})

describe("limits without headers", () => {
  /** Number of sequential requests admitted before one has to wait, and the reason for the wait. */
  const burst = (request: RequestClass, took = 0, start = after(window(5000, 5000, 3_600_000))) => {
    let budget = start
    for (let count = 0; ; count++) {
      const [decision, next] = Budget.admit(budget, request, took, ME)
      if (decision._tag === "Wait") return { count, reason: decision.reason, until: decision.until, budget }
      budget = BudgetTransitions.reconcile(next, decision.lease, { elapsed: took }, took)
    }
  }
  const write: RequestClass = { ...request, endpoint: "POST /a", method: "POST" }

  it("counts points per endpoint: 900 a minute, by endpoint or method", () => {
    assert.deepInclude(burst({ ...request, endpoint: "GET /b" }), { count: 900, reason: "points" })
    assert.deepInclude(burst({ ...request, points: 90 }), { count: 9, reason: "points" })
    const { budget } = burst({ ...request, endpoint: "GET /b" })
    assert.strictEqual(burst({ ...request, endpoint: "GET /c" }, 0, budget).count, 900)
  })

  it("counts content: 80 a minute, and 500 an hour", () => {
    const first = burst(write)
    assert.deepInclude(first, { count: 80, reason: "content" })
    let { budget } = first
    let now = first.until ?? 0
    let count = first.count
    for (; now < 1_800_000 && count < 1000; now += 62_000) {
      for (;;) {
        const [decision, next] = Budget.admit(budget, { ...write, endpoint: `POST /${count}` }, now, ME)
        if (decision._tag === "Wait") break
        budget = BudgetTransitions.reconcile(next, decision.lease, {}, now)
        count++
      }
    }
    assert.strictEqual(count, 500)
  })

  it("does not count a delete as content: its points alone limit it", () => {
    const deletion = { ...write, endpoint: "DELETE /git/refs/:ref", method: "DELETE" }
    assert.deepInclude(burst(deletion), { count: 180, reason: "points" })
  })

  it("counts access tokens apart from content: 2,000 an hour", () => {
    const token = { ...write, endpoint: "POST /app/installations/:id/access_tokens", points: 0 }
    assert.deepInclude(burst(token), { count: 2000, reason: "tokens" })
  })

  it("counts CPU time by the latency of responses: 90 seconds a minute", () => {
    assert.deepInclude(burst({ ...request, points: 0 }, 1000), { count: 90, reason: "cpu" })
  })

  it("subtracts the round trip, once a response without CPU time has measured it", () => {
    const [first, sent] = lease(after(window(5000, 5000, 3_600_000)), 0, {
      ...request,
      resource: Limits.UNMETERED,
      points: 0
    })
    const known = BudgetTransitions.reconcile(sent, first, { elapsed: 900 + Limits.UNMETERED_CPU }, 1000)
    assert.strictEqual(known.computing.roundTrip, 900)
    assert.deepInclude(burst({ ...request, points: 0 }, 1000, known), { count: 900, reason: "cpu" })
  })

  it("lowers the concurrency with the remaining CPU time, except for interactive requests", () => {
    let budget = burst({ ...request, points: 0 }, 1000, after(window(5000, 5000, 3_600_000))).budget
    budget = { ...budget, meters: new Map([["cpu", [0, 50_000]]]) }
    const inFlight = (priority: Priority) => {
      let next = budget
      for (let count = 0; ; count++) {
        const [decision, admitted] = Budget.admit(next, { ...request, priority, points: 0 }, 1000, ME)
        if (decision._tag === "Wait") return count
        next = admitted
      }
    }
    assert.strictEqual(inFlight("normal"), Limits.MIN_CONCURRENCY)
    assert.strictEqual(inFlight("interactive"), 40)
  })

  it("does not delay a request beyond its deadline because of an estimate", () => {
    const { budget } = burst({ ...request, points: 0 }, 1000)
    const reason = (deadline?: number) => {
      const [decision] = Budget.admit(budget, { ...request, points: 0 }, 1000, ME, deadline)
      return decision._tag === "Wait" ? decision.reason : undefined
    }
    assert.deepStrictEqual([reason(), reason(1001 + Limits.ESTIMATE_MARGIN)], ["cpu", "cpu"])
    assert.isUndefined(reason(1000 + Limits.ESTIMATE_MARGIN))
  })

  it("leaves a tenth of the budget unused by background requests", () => {
    assert.strictEqual(burst({ ...request, endpoint: "GET /b", priority: "background" }).count, 810)
  })

  it("does not apply if the forge reports no limits", () => {
    const [first, sent] = lease(Budget.empty, 0)
    const silent = BudgetTransitions.reconcile(sent, first, { silence: "silent" }, 0)
    for (let count = 0, budget = silent; count < 1000; count++) {
      const [one, next] = lease(budget, 0, write)
      budget = BudgetTransitions.reconcile(next, one, {}, 0)
    }
  })
})

describe("expireHolders", () => {
  it("reclaims the leases of a dead process, and counts them as used until the next response", () => {
    const [first, one] = lease(after(window(10, 3, 60_000)), 0)
    const [, two] = lease(one, 0)
    const renewed = BudgetTransitions.renewHolder(two, ME, 5000)
    assert.strictEqual(BudgetTransitions.expireHolders(renewed, 4999), renewed)
    const expired = BudgetTransitions.expireHolders(renewed, 5000)
    assert.strictEqual(Budget.inFlight(expired), 0)
    const [probe, sent] = lease(expired, 5000)
    assert.deepInclude(Budget.admit(sent, request, 5000, ME)[0], { _tag: "Wait", reason: "primary" })
    // The process was alive but slow. The lease is not released twice.
    assert.strictEqual(Budget.inFlight(BudgetTransitions.reconcile(sent, first, undefined, 5000)), 1)
    const reconciled = BudgetTransitions.reconcile(sent, probe, window(10, 2, 60_000), 6000)
    assert.strictEqual(lease(reconciled, 6000)[0].grantedAt, 6000)
  })

  it("gives the probe of a dead process to another process", () => {
    const [first, sent] = lease(Budget.empty, 0)
    const [, paused] = BudgetTransitions.recordRateLimit(
      sent,
      first,
      { retryAfter: 2000 },
      { limit: "secondary", detail: "" },
      0
    )
    const [, probing] = lease(paused, 2000)
    assert.strictEqual(Budget.admit(probing, request, 3000, "another")[0]._tag, "Wait")
    const expired = BudgetTransitions.expireHolders(BudgetTransitions.renewHolder(probing, ME, 5000), 5000)
    assert.strictEqual(Budget.admit(expired, request, 5000, "another")[0]._tag, "Admitted")
  })
})

describe("recordRateLimit", () => {
  const secondary = { limit: "secondary", detail: "" } as const // the limit must stay a literal

  it("doubles a pause that follows soon after another, and resets with time", () => {
    const [first, sent] = lease(Budget.empty, 0)
    const [until, paused] = BudgetTransitions.recordRateLimit(sent, first, { retryAfter: 2000 }, secondary, 0)
    assert.strictEqual(until, 2000)
    const [probe, probing] = lease(paused, 2000)
    const lifted = BudgetTransitions.reconcile(probing, probe, {}, 2000)
    assert.isUndefined(lifted.pause)
    const [soon, sentSoon] = lease(lifted, 3000)
    assert.strictEqual(
      BudgetTransitions.recordRateLimit(sentSoon, soon, { retryAfter: 2000 }, secondary, 3000)[0],
      7000
    )
    const [late, sentLate] = lease(lifted, 4000)
    assert.strictEqual(
      BudgetTransitions.recordRateLimit(sentLate, late, { retryAfter: 2000 }, secondary, 4000)[0],
      6000
    )
  })

  it("doubles the pause from the second rejection on, even if the forge requests none", () => {
    let budget = Budget.empty
    let now = 0
    const waits = Array.from({ length: 5 }, () => {
      const [probe, sent] = lease(budget, now)
      // With latency: rejections are consecutive if the requests were sent one after the other.
      const [until, next] = BudgetTransitions.recordRateLimit(
        sent,
        probe,
        { hasRetryAfter: true, retryAfter: 0 },
        secondary,
        now + 3000
      )
      const waited = until - (now + 3000)
      budget = next
      now = until
      return waited
    })
    assert.deepStrictEqual(waits, [0, 1000, 2000, 4000, 8000])
  })

  it("adds at most a tenth as jitter", () => {
    const [first, sent] = lease(Budget.empty, 0)
    const [, paused] = BudgetTransitions.recordRateLimit(sent, first, { retryAfter: 2000 }, secondary, 0)
    const [probe, probing] = lease(paused, 2000)
    const until = (chance: number) =>
      BudgetTransitions.recordRateLimit(probing, probe, { retryAfter: 2000 }, secondary, 2000, chance)[0]
    assert.deepStrictEqual([until(0), until(1)], [6000, 6400])
  })

  it("limits times beyond all documented limits", () => {
    const year2286 = 9_999_999_999_000
    for (const observation of [{ retryAfter: 1e12 }, window(5000, 0, year2286)]) {
      const [first, sent] = lease(Budget.empty, 0)
      const [until, next] = BudgetTransitions.recordRateLimit(
        sent,
        first,
        observation,
        { limit: "primary", detail: "" },
        0
      )
      assert.strictEqual(until, Limits.DEFAULT_PAUSE)
      assert.strictEqual(next.pause?.until, Limits.DEFAULT_PAUSE)
      assert.isUndefined(next.resources.get("core")?.window)
    }
    const reset = after(window(5000, 0, year2286)).resources.get("core")?.window?.reset
    assert.strictEqual(reset, Limits.MAX_WAIT)
  })

  it("never doubles a pause beyond an hour", () => {
    let budget = Budget.empty
    let now = 0
    for (let times = 0; times < 20; times++) {
      const [probe, sent] = lease(budget, now)
      const [until, next] = BudgetTransitions.recordRateLimit(sent, probe, {}, secondary, now)
      assert.isAtMost(until - now, Limits.MAX_PAUSE)
      budget = next
      now = until
    }
  })
})

describe("reconcile", () => {
  it("tracks a limited number of resources, and always the requested one", () => {
    let budget = Budget.empty
    const free = { ...request, points: 0 }
    for (let index = 0; index < 10_000; index++) {
      const [next, sent] = lease(budget, 0, free)
      budget = BudgetTransitions.reconcile(sent, next, { ...window(10, 9, 60_000), resource: `r${index}` }, 0)
    }
    assert.strictEqual(budget.resources.size, Limits.MAX_RESOURCES)
    assert.strictEqual(Budget.inFlight(budget), 0)
    const [next, sent] = lease(budget, 0, free)
    const seen = { ...window(10, 8, 70_000), resource: "core" }
    assert.strictEqual(BudgetTransitions.reconcile(sent, next, seen, 0).resources.get("core")?.window?.remaining, 8)
  })

  const Step = Schema.Struct({
    do: Schema.Literals(["admit", "admit", "answer", "break", "refuse"]),
    resource: Schema.Literals(["core", "search", Limits.UNMETERED]),
    pass: Schema.Literals([0, 10, 1000, 100_000]),
    remaining: Schema.Literals([0, 1, 50, 100]),
    which: Schema.Literals([0, 1, 2])
  })

  it.prop("releases every lease exactly once", [Schema.Array(Step)], ([steps]) => {
    let budget = Budget.empty
    let now = 0
    const held: Array<Budget.Lease> = []
    const giveBack = (lease: Budget.Lease, step: (typeof steps)[number]) => {
      const observation = window(100, step.remaining, Math.ceil(now / 60_000) * 60_000)
      budget =
        step.do === "refuse"
          ? BudgetTransitions.recordRateLimit(budget, lease, observation, { limit: "primary", detail: "" }, now)[1]
          : BudgetTransitions.reconcile(budget, lease, step.do === "answer" ? observation : undefined, now)
    }
    for (const step of steps) {
      now += step.pass
      if (step.do === "admit") {
        const [decision, next] = Budget.admit(budget, { ...request, resource: step.resource }, now, ME)
        budget = next
        if (decision._tag === "Admitted") held.push(decision.lease)
        else assert.isAbove(decision.until ?? Infinity, now)
      } else {
        for (const lease of held.splice(step.which, 1)) giveBack(lease, step)
      }
      assert.strictEqual(Budget.inFlight(budget), held.length)
      assert.isAtMost(held.filter((lease) => lease.probe && lease.epoch === budget.epoch).length, 1)
    }
    for (const lease of held.splice(0)) budget = BudgetTransitions.reconcile(budget, lease, undefined, now)
    assert.strictEqual(budget.holders.size, 0)
    // Every pause ends: the next request is admitted.
    assert.strictEqual(Budget.admit(budget, request, now + 2 * Limits.MAX_PAUSE, ME)[0]._tag, "Admitted")
  })
})
