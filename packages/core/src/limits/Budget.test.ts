import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Budget from "./Budget.ts"
import * as Limits from "./Limits.ts"
import * as Settlement from "./Settlement.ts"

const ask: Budget.Ask = { resource: "core", endpoint: "GET /a", method: "GET", priority: "normal" }
const me = "me"

const window = (limit: number, remaining: number, reset: number) => ({
  remaining,
  window: { limit, remaining, used: limit - remaining, reset }
})

/** Admits, or fails the test. */
const lease = (budget: Budget.Budget, now: number, asked = ask): readonly [Budget.Lease, Budget.Budget] => {
  const [decision, next] = Budget.admit(budget, asked, now, me)
  if (decision._tag === "Wait") throw new Error(`waits for ${decision.reason}`)
  return [decision.lease, next]
}

const after = (observation: Parameters<typeof Settlement.settle>[2], now = 0): Budget.Budget => {
  const [first, budget] = lease(Budget.empty, now)
  return Settlement.settle(budget, first, observation, now)
}

describe("admit", () => {
  it("takes requests in flight for uncounted", () => {
    const [, one] = lease(after(window(10, 2, 60_000)), 0)
    const [, two] = lease(one, 0)
    assert.deepStrictEqual(Budget.admit(two, ask, 0, me), [
      { _tag: "Wait", reason: "primary", limit: "primary", until: 60_000 },
      two
    ])
  })

  it("lets one find out about a new window, even one that leaves no room", () => {
    for (const limit of [0, 1]) {
      const budget = after(window(limit, 0, 60_000))
      const background: Budget.Ask = { ...ask, priority: "background" }
      assert.strictEqual(Budget.admit(budget, background, 59_999, me)[0]._tag, "Wait")
      const [, next] = lease(budget, 60_000, background)
      assert.strictEqual(Budget.admit(next, background, 60_000, me)[0]._tag, "Wait")
    }
  })
})

describe("refuse", () => {
  const secondary = { limit: "secondary", detail: "" } as const // the limit must stay a literal

  it("doubles when a refusal follows soon after a pause, and forgets in time", () => {
    const [first, sent] = lease(Budget.empty, 0)
    const [until, paused] = Settlement.refuse(sent, first, { retryAfter: 2000 }, secondary, 0)
    assert.strictEqual(until, 2000)
    const [probe, probing] = lease(paused, 2000)
    const lifted = Settlement.settle(probing, probe, {}, 2000)
    assert.isUndefined(lifted.pause)
    const [soon, sentSoon] = lease(lifted, 3000)
    assert.strictEqual(Settlement.refuse(sentSoon, soon, { retryAfter: 2000 }, secondary, 3000)[0], 7000)
    assert.strictEqual(Settlement.refuse(sentSoon, soon, { retryAfter: 2000 }, secondary, 4000)[0], 6000)
  })

  it("never pauses for longer than an hour by itself", () => {
    let budget = Budget.empty
    let now = 0
    for (let times = 0; times < 20; times++) {
      const [probe, sent] = lease(budget, now)
      const [until, next] = Settlement.refuse(sent, probe, {}, secondary, now)
      assert.isAtMost(until - now, Limits.MAX_PAUSE)
      budget = next
      now = until
    }
  })
})

describe("settle", () => {
  it("tells apart as many resources as it may, and ignores the others", () => {
    let budget = Budget.empty
    for (let index = 0; index < 2 * Limits.MAX_RESOURCES; index++) {
      const [next, sent] = lease(budget, 0)
      budget = Settlement.settle(sent, next, { ...window(10, 9, 60_000), resource: `r${index}` }, 0)
    }
    assert.strictEqual(budget.resources.size, Limits.MAX_RESOURCES)
    assert.strictEqual(Budget.inFlight(budget), 0)
  })

  const Step = Schema.Struct({
    do: Schema.Literals(["admit", "admit", "answer", "break", "refuse"]),
    resource: Schema.Literals(["core", "search", Limits.FREE]),
    pass: Schema.Literals([0, 10, 1000, 100_000]),
    remaining: Schema.Literals([0, 1, 50, 100]),
    which: Schema.Literals([0, 1, 2])
  })

  it.prop("gives every lease back once, whatever happens", [Schema.Array(Step)], ([steps]) => {
    let budget = Budget.empty
    let now = 0
    const held: Array<Budget.Lease> = []
    const giveBack = (lease: Budget.Lease, step: (typeof steps)[number]) => {
      const observation = window(100, step.remaining, Math.ceil(now / 60_000) * 60_000)
      budget =
        step.do === "refuse"
          ? Settlement.refuse(budget, lease, observation, { limit: "primary", detail: "" }, now)[1]
          : Settlement.settle(budget, lease, step.do === "answer" ? observation : undefined, now)
    }
    for (const step of steps) {
      now += step.pass
      if (step.do === "admit") {
        const [decision, next] = Budget.admit(budget, { ...ask, resource: step.resource }, now, me)
        budget = next
        if (decision._tag === "Admitted") held.push(decision.lease)
        else assert.isAbove(decision.until ?? Infinity, now)
      } else {
        for (const lease of held.splice(step.which, 1)) giveBack(lease, step)
      }
      assert.strictEqual(Budget.inFlight(budget), held.length)
      assert.isAtMost(held.filter((lease) => lease.probe && lease.epoch === budget.epoch).length, 1)
    }
    for (const lease of held.splice(0)) budget = Settlement.settle(budget, lease, undefined, now)
    assert.strictEqual(budget.holders.size, 0)
    // Nothing is stuck: sooner or later somebody may go.
    assert.strictEqual(Budget.admit(budget, ask, now + 2 * Limits.MAX_PAUSE, me)[0]._tag, "Admitted")
  })
})
