import { assert, describe, it, vi } from "@effect/vitest"
import { createForge, type ForgeOptions, RateLimited, type Wait } from "./index.ts"

/** A client whose budget is exhausted for `seconds` after the first request. */
const limited = async (seconds: number, options: Partial<ForgeOptions>) => {
  const reset = Math.ceil(Date.now() / 1000) + seconds
  const headers = { "x-ratelimit-limit": "1", "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) }
  const fetch = async () => Response.json({}, { headers: { ...headers, "x-ratelimit-resource": "core" } })
  const forge = createForge({ baseUrl: "https://forge.test", fetch, ...options })
  await forge.request("GET /a")
  return { forge, reset: reset * 1000 }
}

describe("a used-up budget", () => {
  it("rejects a call that would wait longer than two minutes", async () => {
    const { forge, reset } = await limited(1800, {})
    const error = await forge.request("GET /b").catch((error: unknown) => error)
    assert.instanceOf(error, RateLimited)
    assert.closeTo(error.until, reset, 1_500)
    assert.match(error.message, /longer than `maxWait` \(120 s\)\. The primary limit of core lifts at 20/)
    await forge.close()
  })

  it("calls onWait as soon as a long wait is known", async () => {
    const waits: Array<Wait> = []
    const { forge, reset } = await limited(60, { onWait: (wait) => waits.push(wait), log: () => assert.fail("logged") })
    const call = forge.request("GET /repos/{owner}/x", { owner: "o" }).catch(() => {})
    await vi.waitFor(() => assert.strictEqual(waits.length, 1))
    const { until, ...rest } = waits[0] ?? assert.fail("no wait")
    assert.deepStrictEqual(rest, { reason: "primary", resource: "core", request: "GET /repos/{owner}/x" })
    assert.closeTo(until ?? 0, reset, 1_500)
    await forge.close()
    await call
  })

  it("warns once of many waits", async () => {
    const warnings: Array<string> = []
    const { forge } = await limited(60, { log: (message) => warnings.push(message) })
    const calls = Array.from({ length: 20 }, (_, index) => forge.request(`GET /b/${index}`).catch(() => {}))
    await vi.waitFor(() => assert.strictEqual(warnings.length, 1))
    assert.match(warnings[0] ?? "", /^tongs: GET \/b\/\d+ waits until 20.*Z: the core rate limit is used up$/)
    await forge.close()
    await Promise.all(calls)
    assert.strictEqual(warnings.length, 1)
  })
})
