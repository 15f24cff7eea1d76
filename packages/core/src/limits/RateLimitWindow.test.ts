import { assert, describe, it } from "@effect/vitest"
import * as RateLimitWindow from "./RateLimitWindow.ts"

const at = Date.parse("Tue, 10 Mar 2026 12:00:00 GMT")

describe("clamp", () => {
  it("limits the reset to an hour from now, by the forge's clock", () => {
    const far = { limit: 1, remaining: 0, used: 1, reset: 9_999_999_999_000 }
    assert.strictEqual(RateLimitWindow.clamp(far, undefined, at).reset, at + 3_601_000)
    assert.strictEqual(RateLimitWindow.clamp(far, { low: 60_000, high: 61_000 }, at).reset, at + 3_661_000)
    const near = { ...far, reset: at + 3_600_000 }
    assert.strictEqual(RateLimitWindow.clamp(near, undefined, at), near)
  })
})

describe("narrow", () => {
  it("narrows the clock skew, and restarts when a clock is set", () => {
    const known = { low: 60_000, high: 61_100 }
    assert.deepStrictEqual(RateLimitWindow.narrow(undefined, known), known)
    assert.deepStrictEqual(RateLimitWindow.narrow(known, { low: 60_500, high: 61_600 }), { low: 60_500, high: 61_100 })
    assert.deepStrictEqual(RateLimitWindow.narrow(known, { low: 0, high: 1000 }), { low: 0, high: 1000 })
  })

  it("never resets a window too early", () => {
    const window = { limit: 1, remaining: 0, used: 1, reset: at }
    assert.strictEqual(RateLimitWindow.resetAt(window, undefined), at)
    assert.strictEqual(RateLimitWindow.resetAt(window, { low: -60_900, high: -60_100 }), at + 60_900)
  })
})

describe("merge", () => {
  const window = (reset: number, remaining: number) => ({ limit: 10, used: 10 - remaining, remaining, reset })

  it("keeps the lower remaining count of a window, and replaces it by a later window", () => {
    assert.strictEqual(RateLimitWindow.merge(window(1000, 3), window(1000, 5)).remaining, 3)
    assert.strictEqual(RateLimitWindow.merge(window(1000, 5), window(1000, 3)).remaining, 3)
    assert.strictEqual(RateLimitWindow.merge(window(1000, 0), window(2000, 9)).remaining, 9)
    assert.strictEqual(RateLimitWindow.merge(window(2000, 9), window(1000, 0)).remaining, 9)
  })
})
