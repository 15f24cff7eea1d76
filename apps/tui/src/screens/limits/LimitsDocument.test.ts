import { assert, describe, it } from "@effect/vitest"
import type { BudgetStatus } from "@tongs/core/limits/BudgetStatus"
import * as StyledLine from "../../text/StyledLine.ts"
import * as LimitsDocument from "./LimitsDocument.ts"
import * as RateLimits from "./RateLimits.ts"

const NOW = 1_000_000

const status: BudgetStatus = {
  scope: "test",
  limits: "stated",
  windows: [
    { resource: "search", limit: 30, used: 28, remaining: 2, reset: NOW + 59_000 },
    { resource: "core", limit: 5_000, used: 10, remaining: 4_990, reset: NOW + 3_600_000 },
    { resource: "past", limit: 100, used: 100, remaining: 0, reset: NOW - 1 }
  ],
  meters: [{ name: "content a minute", limit: 80, used: 60, until: NOW + 60_000 }],
  inFlight: 1,
  waiting: [
    {
      resource: "search",
      endpoint: "GET /search/code",
      priority: "normal",
      count: 2,
      reason: "primary",
      until: NOW + 59_000
    }
  ],
  holders: [
    { name: "tongs", pid: 1, host: "here", isThis: true, inFlight: 1, waiting: [] },
    { name: "tongs mcp\u001b[2J", pid: 2, host: "here", isThis: false, inFlight: 3, waiting: [] }
  ],
  pausedUntil: undefined
}

const text = (status: BudgetStatus | undefined, columns: number) => {
  const layout = LimitsDocument.make(status, ["octo"]).layout(columns)
  return Array.from({ length: layout.length }, (_, index) => StyledLine.text(layout.lineAt(index, NOW).line))
}

describe("LimitsDocument", () => {
  it("shows windows, counters, waiting requests and processes", () => {
    const lines = text(status, 100)
    const has = (...words: ReadonlyArray<string>) =>
      assert.isTrue(
        lines.some((line) => words.every((word) => line.includes(word))),
        words.join(" ")
      )
    has("search", "] ", "2 of", "30", "resets in 59s")
    has("past", "has reset")
    has("content a minute", "60 of 80 used")
    has("2 × GET /search/code", "normal")
    has("the search rate limit is used up, 59s left")
    // The process with the most requests is first.
    assert.isBelow(
      lines.findIndex((line) => line.includes("process 2")),
      lines.findIndex((line) => line.includes("process 1"))
    )
    assert.isFalse(lines.join("").includes("\u001b"))
  })

  it("says that limits are off or unknown", () => {
    const off = text({ ...status, limits: "none" }, 80).join("\n")
    assert.include(off, "no rate limits")
    assert.notInclude(off, "60 of 80 used")
    assert.include(text(undefined, 80).join("\n"), "No requests yet")
  })

  it("fits gauges into narrow screens", () => {
    const wide = text(status, 36).filter((line) => line.includes("of") && line.length > 46)
    assert.deepStrictEqual(wide, [])
  })

  it("finds the windows that run dry", () => {
    assert.deepStrictEqual(
      RateLimits.runningDry(status, NOW).map(({ resource }) => resource),
      ["search"]
    )
  })
})
