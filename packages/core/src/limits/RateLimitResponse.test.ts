import { assert, describe, it } from "@effect/vitest"
import * as RateLimitResponse from "./RateLimitResponse.ts"

const body = (message: string) => JSON.stringify({ message })

describe("RateLimitResponse", () => {
  it("is primary when the window is exhausted", () => {
    assert.strictEqual(
      RateLimitResponse.parse(403, { remaining: 0 }, body("API rate limit exceeded for 1"))?.limit,
      "primary"
    )
    assert.strictEqual(RateLimitResponse.parse(429, { remaining: 0 }, "")?.limit, "primary")
    assert.strictEqual(RateLimitResponse.parse(403, { remaining: 0 }, "<html>")?.limit, "primary")
  })

  it("is secondary by its message, for any remaining count", () => {
    const message = 'You have exceeded a \\ "secondary" rate limit'
    assert.deepStrictEqual(RateLimitResponse.parse(403, { remaining: 0 }, body(message)), {
      limit: "secondary",
      detail: message
    })
    assert.strictEqual(
      RateLimitResponse.parse(403, { remaining: 7, hasRetryAfter: true }, body("Wait"))?.limit,
      "secondary"
    )
    assert.strictEqual(RateLimitResponse.parse(429, {}, "")?.limit, "secondary")
  })

  it("is undefined for a missing permission, also on the last request of a window", () => {
    assert.isUndefined(RateLimitResponse.parse(403, { remaining: 12 }, body("Must have admin rights to Repository")))
    assert.isUndefined(RateLimitResponse.parse(403, { remaining: 0 }, body("Must have admin rights to Repository")))
    assert.isUndefined(RateLimitResponse.parse(403, {}, ""))
  })
})
