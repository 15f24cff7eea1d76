import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as StyledLine from "../../text/StyledLine.ts"
import { linesOf, now, open, routesOf } from "../organization/OpenScreen.test-support.ts"
import * as Registry from "../Registry.ts"
import * as Money from "./Money.ts"
import * as Month from "./Month.ts"

const USAGE = "/organizations/acme/settings/billing/usage"

const item = (date: string, product: string, sku: string, netAmount: number, quantity = 10) => ({
  date,
  product,
  sku,
  quantity,
  unitType: "minutes",
  pricePerUnit: 0.008,
  grossAmount: netAmount + 1,
  discountAmount: 1,
  netAmount,
  organizationName: "acme",
  repositoryName: "hello"
})

const items = [
  item("2026-11-03", "Actions", "Linux \u001b[31mred", 1_234.5),
  item("2026-11-01T00:00:00Z", "Packages", "storage", 2),
  item("2026-10-09", "Actions", "Linux", 1_000),
  item("2026-10-10", "Git LFS", "data", 5)
]

it.effect("compares a month with the one before, per product", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const requests: Array<string> = []
    const { content } = yield* open(
      "billing.getUsageReportForOrg",
      { org: "acme", year: 2026, month: 11 },
      { [USAGE]: { usageItems: items } },
      (path) => requests.push(path)
    )
    const lines = linesOf(content, 100)
    const row = (name: string) => lines.find((line) => line.startsWith(name))?.replaceAll(/ +/g, " ")
    assert.include(lines[0], "November 2026")
    // The fake forge sends the same items for both years.
    assert.deepStrictEqual(
      requests.map((path) => path.split("?")[1]),
      ["year=2025", "year=2026"]
    )
    assert.strictEqual(row("Actions"), "Actions $2,469.00 $2,000.00 +$469.00 up 23 %")
    assert.strictEqual(row("Packages"), "Packages $4.00 $0.00 +$4.00 new")
    assert.strictEqual(row("Git LFS"), "Git LFS $0.00 $10.00 -$10.00 no more")
    assert.isFalse(lines.some((line) => line.includes("\u001b")))
    assert.isTrue(lines.includes("Usage in November 2026 (4 items)"))
  })
)

it.effect("opens another month, and the repository of an item", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const values = { org: "acme", year: 2026, month: 11 }
    const { content } = yield* open("billing.getUsageReportForOrg", values, { [USAGE]: { usageItems: items } })
    const routes = [...routesOf(content, 120)]
    assert.deepStrictEqual(routes.find(([line]) => line.startsWith("October 2026"))?.[1].arguments, {
      org: "acme",
      year: 2026,
      month: 10
    })
    assert.deepStrictEqual(routes.find(([line]) => line.includes("storage"))?.[1].arguments, {
      owner: "acme",
      repo: "hello"
    })
  })
)

it.effect("says so if there is no usage", () =>
  Effect.gen(function* () {
    const { content } = yield* open("billing.getUsageReportForOrg", { org: "acme" }, { [USAGE]: {} })
    const lines = linesOf(content)
    for (const words of ["No costs in these months", "No usage in these 12 months", "No usage in this month"])
      assert.include(lines, words)
  })
)

it.effect("shows AI credits by model and by user", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const amounts = {
      product: "Assistant",
      sku: "AI credits",
      unitType: "credits",
      pricePerUnit: 0.01,
      grossQuantity: 5,
      grossAmount: 3,
      discountQuantity: 0,
      discountAmount: 0,
      netQuantity: 5,
      netAmount: 3
    }
    const report = {
      timePeriod: { year: 2026, month: 11 },
      organization: "acme",
      usageItems: [{ ...amounts, model: "large\u001b[2J" }]
    }
    const subject = {
      subject_id: 1,
      total_request_count: 1,
      rate_limited_request_count: 0,
      last_request_timestamp: null
    }
    const { content } = yield* open(
      "billing.getAiCreditUsageReportForOrg",
      { org: "acme" },
      {
        "/organizations/acme/settings/billing/ai_credit/usage": report,
        "/orgs/acme/insights/api/subject-stats": [
          { ...subject, subject_type: "user", subject_name: "mona" },
          { ...subject, subject_type: "installation", subject_name: "robot" }
        ]
      }
    )
    const lines = linesOf(content)
    assert.isTrue(
      lines.some((line) => line.startsWith("mona") && line.endsWith("$3")),
      lines.join("\n")
    )
    assert.isFalse(lines.some((line) => line.startsWith("robot") || line.includes("\u001b")))
  })
)

it("moves the month, but not into the future", () => {
  const screen = Registry.find("billing.getUsageSummaryReportForOrg")
  assert.deepStrictEqual(screen?.changePeriod?.({ org: "acme" }, -1, now), { org: "acme", year: 2026, month: 10 })
  assert.isUndefined(screen?.changePeriod?.({ org: "acme" }, 1, now))
  assert.deepStrictEqual(Month.add({ year: 2026, month: 1 }, -1), { year: 2025, month: 12 })
  assert.deepStrictEqual(Month.of({ year: "\u001b", month: 13 }, now), { year: 2026, month: 11 })
})

it("says how an amount changed, in signs and words", () => {
  const words = (before: number, after: number) => Money.change(before, after).map(StyledLine.text).join(" ")
  assert.strictEqual(words(10, 15), "+$5.00 up 50 %")
  assert.strictEqual(words(10, 5), "-$5.00 down 50 %")
  assert.strictEqual(words(0, 5), "+$5.00 new")
  assert.strictEqual(words(5, 5.001), "0 the same")
  assert.strictEqual(words(Number.NaN, 5).trim(), "unknown")
  assert.strictEqual(Money.format(1_234_567.891), "$1,234,567.89")
  assert.strictEqual(Money.format(-0.001), "$0.00")
})
