import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { BudgetStatus } from "@tongs/core/limits/BudgetStatus"
import * as Limits from "./Limits.ts"
import * as Stub from "./StubForge.test-support.ts"

const NOW = 1_000_000

const status: BudgetStatus = {
  scope: "s",
  limits: "stated",
  windows: [
    { resource: "core", limit: 5_000, used: 5_000, remaining: 0, reset: NOW + 1_800_000 },
    { resource: "search", limit: 30, used: 4, remaining: 26, reset: NOW - 1 }
  ],
  meters: [
    { name: "content an hour", limit: 500, used: 400, until: NOW + 60_000 },
    { name: "cpu", limit: 90_000, used: 10, until: NOW + 1_000 }
  ],
  inFlight: 3,
  waiting: [
    {
      resource: "core",
      endpoint: "GET /user/repos",
      priority: "normal",
      count: 2,
      reason: "primary",
      until: NOW + 1_800_000
    }
  ],
  holders: [
    { name: "tongs mcp", pid: 1, host: "here", isThis: true, inFlight: 1, waiting: [] },
    {
      name: "tongs",
      pid: 2,
      host: "there",
      isThis: false,
      inFlight: 2,
      waiting: [
        {
          resource: "core",
          endpoint: "GET /",
          priority: "background",
          count: 1,
          reason: "concurrency",
          until: undefined
        }
      ]
    }
  ],
  pausedUntil: NOW + 5_000
}

describe("describe", () => {
  it("explains in sentences what waits, why and until when", () => {
    assert.deepStrictEqual(
      Limits.describe(status, NOW).map(({ text }) => text),
      [
        "Paused: the forge refused a request. Requests continue in 5 s.",
        "2 requests of this process to GET /user/repos wait (normal priority), because the requests of core are used up: sent in 1,800 s.",
        "1 request of tongs (2) to GET / waits (background priority), because the maximum number of concurrent requests is in flight: sent after the next response.",
        "core: 0 of 5,000 requests left, full again in 1,800 s.",
        "search: 30 of 30 requests left, has reset.",
        "content an hour: 400 of 500 used, empty in 60 s.",
        "3 requests in flight, in all processes.",
        "tongs (2 on there) shares the limits: 2 in flight, 1 waiting."
      ]
    )
  })
})

describe("limits", () => {
  it.effect("sends nothing, and says that nothing is known before the first request", () =>
    Effect.gen(function* () {
      const { read, requests } = yield* Stub.connect(() => ({ body: [] }))
      assert.include(yield* read("limits", {}), "No limit is known yet")
      assert.deepStrictEqual(requests, [])
      yield* read("list_commits", {})
      assert.include(yield* read("limits", {}), "0 requests in flight")
      assert.deepStrictEqual(requests, ["/repos/octo/hello/commits"])
    }).pipe(Effect.scoped)
  )
})
