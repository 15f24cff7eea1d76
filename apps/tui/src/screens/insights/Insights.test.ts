import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Timestamp } from "@tongs/core/contract/Scalars"
import * as ModelDriver from "../../ModelDriver.test-support.ts"
import { linesOf, now, open, routesOf } from "../organization/OpenScreen.test-support.ts"
import * as Registry from "../Registry.ts"
import * as Period from "./Period.ts"
import * as Statistics from "./Statistics.ts"

const API = "/orgs/acme/insights/api"

const EVIL = "evil\u001b[2J\u0007name"

const subject = (subject_type: string, subject_id: number, subject_name: string, total: number, limited: number) => ({
  subject_type,
  subject_id,
  subject_name,
  total_request_count: total,
  rate_limited_request_count: limited,
  last_request_timestamp: "2026-11-22T11:00:00Z",
  last_rate_limited_timestamp: null
})

const bodies: Readonly<Record<string, unknown>> = {
  [`${API}/summary-stats`]: { total_request_count: 12_345, rate_limited_request_count: 1_234 },
  [`${API}/time-stats`]: [
    { timestamp: "2026-11-21T00:00:00Z", total_request_count: 2_345, rate_limited_request_count: 0 },
    { timestamp: "2026-11-22T00:00:00Z", total_request_count: 10_000, rate_limited_request_count: 1_234 }
  ],
  [`${API}/subject-stats`]: [subject("installation", 7, EVIL, 9_000, 1_234), subject("user", 3, "mona", 3_345, 0)]
}

const empty = {
  [`${API}/summary-stats`]: { total_request_count: 0, rate_limited_request_count: 0 },
  [`${API}/time-stats`]: [],
  [`${API}/subject-stats`]: []
}

it.effect("opens without a form: the last 30 days by day", () =>
  Effect.gen(function* () {
    // The fibers of a screen run on the real clock.
    const from = new Date(Date.now() - 30 * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10)
    const requests: Array<string> = []
    const { content } = yield* open("insights.getSummaryStats", { org: "acme" }, bodies, (path) => requests.push(path))
    const lines = linesOf(content)
    assert.include(lines[0], "[30 days]")
    assert.include(lines, "12,345 requests, 1,234 rate limited (10 %)")
    assert.isTrue(
      requests.every((path) => path.includes(`min_timestamp=${from}T00%3A00%3A00Z`)),
      requests.join("\n")
    )
    assert.isTrue(requests.some((path) => path.includes("timestamp_increment=1d")))
  })
)

it.effect("leads from the caller with the most requests to its routes, in the same period", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const { content } = yield* open("insights.getSummaryStats", { org: "acme", period: "7d" }, bodies)
    const [[line, route] = ["", undefined], [, user] = []] = [...routesOf(content)]
    assert.notInclude(line, "\u001b")
    assert.include(line, "9,000")
    assert.deepStrictEqual(route, {
      screen: "insights.getRouteStatsByActor",
      arguments: { org: "acme", actor_name: EVIL, period: "7d", actor_type: "installation", actor_id: 7 }
    })
    assert.strictEqual(user?.screen, "insights.getSummaryStatsByUser")
  })
)

it.effect("says so if there are no requests", () =>
  Effect.gen(function* () {
    const summary = yield* open("insights.getSummaryStats", { org: "acme" }, empty)
    assert.strictEqual(linesOf(summary.content).filter((line) => line === "No requests in this time").length, 3)
    const { content } = yield* open("insights.getSubjectStats", { org: "acme" }, empty)
    assert.strictEqual(content?._tag === "Table" ? content.emptyMessage.title : "", "No requests in this time")
  })
)

it.effect("shows the parts that the forge allows, and the reason for the others", () =>
  Effect.gen(function* () {
    const { content } = yield* open(
      "insights.getSummaryStats",
      { org: "acme" },
      { ...bodies, [`${API}/subject-stats`]: 403 }
    )
    const lines = linesOf(content)
    assert.isTrue(lines.some((line) => line.startsWith("Access denied")))
    assert.isTrue(lines.some((line) => line.startsWith("12,345 requests")))
    assert.isFalse(lines.some((line) => line.includes("\u001b")))
    const { failure } = yield* open("insights.getSummaryStats", { org: "acme" }, {})
    assert.strictEqual(failure?._tag, "NotFound")
  })
)

it.effect("lists callers with bars, and control characters escaped", () =>
  Effect.gen(function* () {
    const { content } = yield* open("insights.getSubjectStats", { org: "acme" }, bodies)
    const [first = "", second = ""] = linesOf(content)
    assert.include(first, "█")
    assert.notInclude(first, "\u001b")
    assert.include(second, "mona | user | 3,345 |")
    assert.include(second, "none")
  })
)

it("changes the period within its limits", () => {
  const screen = Registry.find("insights.getTimeStats")
  assert.deepStrictEqual(screen?.changePeriod?.({ org: "acme" }, 1, now), { org: "acme", period: "90d" })
  assert.isUndefined(screen?.changePeriod?.({ org: "acme", period: "90d" }, 1, now))
  assert.isUndefined(screen?.changePeriod?.({ org: "acme", period: "24h" }, -1, now))
  // Leaves a period with the parameters of the contract.
  const custom = { org: "acme", min_timestamp: "2026-01-01T00:00:00Z" }
  assert.deepStrictEqual(Period.query(custom, now), { min_timestamp: "2026-01-01T00:00:00Z" })
  assert.deepStrictEqual(screen?.changePeriod?.(custom, 1, now), { org: "acme", period: "30d" })
})

it("fills intervals without requests", () => {
  const stats = [
    { timestamp: Timestamp.make("2026-11-22T10:00:00Z"), total_request_count: 5, rate_limited_request_count: 1 }
  ]
  const intervals = Statistics.intervals(stats, Period.of({ period: "24h" }), now)
  assert.strictEqual(intervals.length, 25)
  assert.deepStrictEqual(
    intervals.map(({ total_request_count }) => total_request_count).filter((count) => count > 0),
    [5]
  )
  const rows = Statistics.overTime(stats, Period.of({ period: "24h" }), now, { columns: 60, rows: 9 })
  assert.strictEqual(rows.length, 9)
})

it.live("is opened from the palette without timestamps, and changes its period with one key", () =>
  Effect.gen(function* () {
    const requests: Array<string> = []
    const ui = yield* ModelDriver.start({
      respond: (path) => (path.startsWith(API) ? { status: 200, body: bodies[path] } : undefined),
      onRequest: (path) => requests.push(path)
    })
    yield* ui.until("log")
    ui.press(":")
    ui.paste("over time")
    ui.press("enter")
    ui.paste("acme")
    ui.press("ctrl-s")
    yield* ui.until("[30 days]", "Requests per day")
    ui.press("[")
    yield* ui.until("[7 days]", "Requests per hour")
    ui.press("[", "[")
    yield* ui.until("This is the first period")
    assert.isTrue(requests.some((path) => path.includes("timestamp_increment=1h")))
  })
)
