import { assert, describe, it } from "@effect/vitest"
import * as RateLimitHeaders from "./RateLimitHeaders.ts"

const DATE = "Tue, 10 Mar 2026 12:00:00 GMT"
const dateMillis = Date.parse(DATE)

describe("parse", () => {
  it("reads a window, and derives a missing used count", () => {
    const headers = {
      "x-ratelimit-limit": "5000",
      "x-ratelimit-remaining": "4990",
      "x-ratelimit-reset": "1773147600",
      "x-ratelimit-resource": "core"
    }
    assert.deepStrictEqual(RateLimitHeaders.parse(headers, 0, 0), {
      resource: "core",
      remaining: 4990,
      window: { limit: 5000, remaining: 4990, used: 10, reset: 1773147600000 }
    })
  })

  it("ignores incomplete windows and invalid values", () => {
    assert.deepStrictEqual(RateLimitHeaders.parse({ "x-ratelimit-remaining": "0" }, 0, 0), { remaining: 0 })
    assert.deepStrictEqual(
      RateLimitHeaders.parse(
        { "x-ratelimit-limit": "1e3", "x-ratelimit-remaining": "-1", "retry-after": "soon", date: "never" },
        0,
        0
      ),
      { hasRetryAfter: true }
    )
    for (const limit of ["1e308", "NaN", "-1", "", "9".repeat(400)]) {
      const headers = { "x-ratelimit-limit": limit, "x-ratelimit-remaining": "5", "x-ratelimit-reset": "60" }
      assert.deepStrictEqual(RateLimitHeaders.parse(headers, 0, 0), { remaining: 5 }, limit)
    }
  })

  it("limits remaining to the limit, and ignores invalid resource names", () => {
    const headers = { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "5000", "x-ratelimit-reset": "60" }
    const window = { limit: 10, remaining: 10, used: 0, reset: 60_000 }
    for (const resource of ["x".repeat(1_000_000), "a b", "\u001b[2J", ""]) {
      const seen = RateLimitHeaders.parse({ ...headers, "x-ratelimit-resource": resource }, 0, 0)
      assert.deepStrictEqual(seen, { remaining: 10, window })
    }
    assert.strictEqual(
      RateLimitHeaders.parse({ ...headers, "x-ratelimit-resource": "__proto__" }, 0, 0).resource,
      "__proto__"
    )
  })

  it("reads retry-after in seconds, and as a date by the forge's clock", () => {
    assert.deepStrictEqual(RateLimitHeaders.parse({ "retry-after": "2" }, 0, 0), {
      hasRetryAfter: true,
      retryAfter: 2000
    })
    assert.strictEqual(
      RateLimitHeaders.parse({ "retry-after": "Tue, 10 Mar 2026 12:00:30 GMT", date: DATE }, 0, 5).retryAfter,
      30_000
    )
  })

  it("reads the HTTP date formats in retry-after, but no other dates", () => {
    const at = (text: string) => RateLimitHeaders.parse({ "retry-after": text }, 0, dateMillis).retryAfter
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

  it("bounds the clock skew by the times of request and response", () => {
    assert.deepStrictEqual(RateLimitHeaders.parse({ date: DATE }, dateMillis - 60_100, dateMillis - 60_000).skew, {
      low: 60_000,
      high: 61_100
    })
  })
})
