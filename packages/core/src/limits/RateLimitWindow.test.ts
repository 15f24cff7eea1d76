import { assert, describe, it } from "@effect/vitest"
import * as RateLimitWindow from "./RateLimitWindow.ts"

const DATE = "Tue, 10 Mar 2026 12:00:00 GMT"
const AT = Date.parse(DATE)

describe("observe", () => {
  it("reads a window, and counts what is used where the forge does not", () => {
    const headers = {
      "x-ratelimit-limit": "5000",
      "x-ratelimit-remaining": "4990",
      "x-ratelimit-reset": "1773147600",
      "x-ratelimit-resource": "core"
    }
    assert.deepStrictEqual(RateLimitWindow.observe(headers, 0, 0), {
      resource: "core",
      remaining: 4990,
      window: { limit: 5000, remaining: 4990, used: 10, reset: 1773147600000 }
    })
  })

  it("takes no part of a window for a window, and nonsense for nothing", () => {
    assert.deepStrictEqual(RateLimitWindow.observe({ "x-ratelimit-remaining": "0" }, 0, 0), { remaining: 0 })
    assert.deepStrictEqual(
      RateLimitWindow.observe(
        { "x-ratelimit-limit": "1e3", "x-ratelimit-remaining": "-1", "retry-after": "soon", date: "never" },
        0,
        0
      ),
      { hasRetryAfter: true }
    )
    for (const limit of ["1e308", "NaN", "-1", "", "9".repeat(400)]) {
      const headers = { "x-ratelimit-limit": limit, "x-ratelimit-remaining": "5", "x-ratelimit-reset": "60" }
      assert.deepStrictEqual(RateLimitWindow.observe(headers, 0, 0), { remaining: 5 }, limit)
    }
  })

  it("takes no more for remaining than the limit, and no odd name for a resource", () => {
    const headers = { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "5000", "x-ratelimit-reset": "60" }
    const window = { limit: 10, remaining: 10, used: 0, reset: 60_000 }
    for (const resource of ["x".repeat(1_000_000), "a b", "\u001b[2J", ""]) {
      const seen = RateLimitWindow.observe({ ...headers, "x-ratelimit-resource": resource }, 0, 0)
      assert.deepStrictEqual(seen, { remaining: 10, window })
    }
    assert.strictEqual(
      RateLimitWindow.observe({ ...headers, "x-ratelimit-resource": "__proto__" }, 0, 0).resource,
      "__proto__"
    )
  })

  it("reads retry-after in seconds and as a date by the clock of the forge", () => {
    assert.deepStrictEqual(RateLimitWindow.observe({ "retry-after": "2" }, 0, 0), {
      hasRetryAfter: true,
      retryAfter: 2000
    })
    assert.strictEqual(
      RateLimitWindow.observe({ "retry-after": "Tue, 10 Mar 2026 12:00:30 GMT", date: DATE }, 0, 5).retryAfter,
      30_000
    )
  })

  it("reads each form of an HTTP date in retry-after, and nothing else that a date parser takes", () => {
    const at = (text: string) => RateLimitWindow.observe({ "retry-after": text }, 0, AT).retryAfter
    assert.strictEqual(at("Tue, 10 Mar 2026 12:00:30 GMT"), 30_000)
    assert.strictEqual(at("Tuesday, 10-Mar-26 12:00:30 GMT"), 30_000)
    assert.strictEqual(at("Tue Mar 10 12:00:30 2026"), 30_000)
    assert.strictEqual(at("Sun Nov  6 08:49:37 1994"), 0)
    assert.strictEqual(at("0"), 0)
    for (const text of ["1.5", "-5", "", "1e3", "+5", " 5", "5 s", "soon", "2026-03-10", "Mar 10 2027", "∞"]) {
      assert.isUndefined(at(text), text)
    }
    assert.isBelow(at("9".repeat(400)) ?? Infinity, Infinity)
  })

  it("ends a window within an hour of now, by the clock of the forge", () => {
    const far = { limit: 1, remaining: 0, used: 1, reset: 9_999_999_999_000 }
    assert.strictEqual(RateLimitWindow.clamp(far, undefined, AT).reset, AT + 3_601_000)
    assert.strictEqual(RateLimitWindow.clamp(far, { low: 60_000, high: 61_000 }, AT).reset, AT + 3_661_000)
    const near = { ...far, reset: AT + 3_600_000 }
    assert.strictEqual(RateLimitWindow.clamp(near, undefined, AT), near)
  })

  it("bounds the skew by when the request left and when its answer came", () => {
    assert.deepStrictEqual(RateLimitWindow.observe({ date: DATE }, AT - 60_100, AT - 60_000).skew, {
      low: 60_000,
      high: 61_100
    })
  })
})

describe("refine", () => {
  it("narrows the skew down, and starts anew when a clock was set", () => {
    const known = { low: 60_000, high: 61_100 }
    assert.deepStrictEqual(RateLimitWindow.narrow(undefined, known), known)
    assert.deepStrictEqual(RateLimitWindow.narrow(known, { low: 60_500, high: 61_600 }), { low: 60_500, high: 61_100 })
    assert.deepStrictEqual(RateLimitWindow.narrow(known, { low: 0, high: 1000 }), { low: 0, high: 1000 })
  })

  it("never puts the end of a window too early", () => {
    const window = { limit: 1, remaining: 0, used: 1, reset: AT }
    assert.strictEqual(RateLimitWindow.resetAt(window, undefined), AT)
    assert.strictEqual(RateLimitWindow.resetAt(window, { low: -60_900, high: -60_100 }), AT + 60_900)
  })
})

describe("merge", () => {
  const window = (reset: number, remaining: number) => ({ limit: 10, used: 10 - remaining, remaining, reset })

  it("lets the slower count of one window win, and a later window replace it", () => {
    assert.strictEqual(RateLimitWindow.merge(window(1000, 3), window(1000, 5)).remaining, 3)
    assert.strictEqual(RateLimitWindow.merge(window(1000, 5), window(1000, 3)).remaining, 3)
    assert.strictEqual(RateLimitWindow.merge(window(1000, 0), window(2000, 9)).remaining, 9)
    assert.strictEqual(RateLimitWindow.merge(window(2000, 9), window(1000, 0)).remaining, 9)
  })
})
