/** The billing reports by SKU and by model, with the month before. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ModelUsageReport, UsageSummary } from "@tongs/core/contract/groups/Billing"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Failure } from "@tongs/core/contract/Failure"
import type { Forge } from "@tongs/core/client/Forge"
import * as Document from "../../content/Document.ts"
import type { DocumentLine } from "../../content/Document.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as Chart from "../../text/Chart.ts"
import * as ChartSymbols from "../../text/ChartSymbols.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as Grid from "../organization/Grid.ts"
import { blank, heading } from "../organization/Heading.ts"
import * as Part from "../organization/Part.ts"
import { type Screen, text } from "../Screen.ts"
import * as Comparison from "./Comparison.ts"
import * as Money from "./Money.ts"
import * as Month from "./Month.ts"
import * as Usage from "./Usage.ts"

/** A line of a report. */
export type Item = UsageSummary["usageItems"][number] & Partial<Pick<ModelUsageReport["usageItems"][number], "model">>

interface Report {
  readonly usageItems: ReadonlyArray<Item>
}

interface Query extends Month.Month {
  readonly org: string
  readonly user?: string
}

/** The part of a report that a screen shows. */
interface Definition {
  readonly name: string
  readonly label: string
  /** Header of the names in the comparison. */
  readonly header: string
  readonly nameOf: (item: Item) => string
  readonly fetch: (forge: Forge["Service"], query: Query, options: Source.LoadOptions) => Effect.Effect<Report, Failure>
}

/** Maximum width of bars in columns. */
const MAX_WIDTH = 100

/** Creates the document of a month and the month before. */
export const document = (
  { header, nameOf }: Pick<Definition, "header" | "nameOf">,
  month: Month.Month,
  present: ReadonlyArray<Item>,
  before: ReadonlyArray<Item>,
  by: ByUser = []
): Document.Document => {
  const costs = (items: ReadonlyArray<Item>) => items.map((item) => ({ name: nameOf(item), amount: item.netAmount }))
  return Document.make(
    Month.label(month),
    (columns) =>
      Document.fromLines([
        Usage.monthLine(month),
        blank,
        ...Comparison.lines(header, month, costs(present), costs(before), columns),
        ...bars("Net cost", [...Comparison.sums(costs(present))], columns),
        ...(by.length === 0 ? [] : bars("Net cost by user", by, columns)),
        blank,
        heading(`Usage in ${Month.label(month)}`),
        ...itemLines(header, nameOf, present, columns)
      ]),
    { value: present }
  )
}

/** The net costs by the name of the user. */
type ByUser = ReadonlyArray<readonly [name: string, amount: number]>

const bars = (title: string, costs: ByUser, columns: number): ReadonlyArray<DocumentLine> => {
  if (costs.length === 0) return []
  const appearance: Chart.Appearance = {
    columns: Math.min(columns, MAX_WIDTH),
    symbols: ChartSymbols.current().bars,
    unit: "dollars"
  }
  const items = costs.map(([label, value]) => ({ label, value }))
  return [blank, heading(title), ...Chart.bars(items, appearance).map((line) => ({ line }))]
}

const itemLines = (
  header: string,
  nameOf: Definition["nameOf"],
  items: ReadonlyArray<Item>,
  columns: number
): ReadonlyArray<DocumentLine> =>
  items.length === 0
    ? [{ line: StyledLine.line("No usage in this month", "muted") }]
    : Grid.lines(
        [
          { header, size: "grow" },
          { header: "QUANTITY", size: "fit", align: "right" },
          { header: "UNIT", size: "fit", maxShare: 0.2, optional: 3 },
          { header: "PRICE", size: "fit", align: "right", optional: 2 },
          { header: "GROSS", size: "fit", align: "right", optional: 1 },
          { header: "DISCOUNT", size: "fit", align: "right", optional: 4 },
          { header: "NET", size: "fit", align: "right" }
        ],
        items
          .toSorted((a, b) => b.netAmount - a.netAmount)
          .map((item) => ({
            copy: item.sku,
            title: nameOf(item),
            cells: [
              StyledLine.line(nameOf(item)),
              StyledLine.line(Money.quantity(item.netQuantity)),
              StyledLine.line(item.unitType, "muted"),
              StyledLine.line(Money.formatPrice(item.pricePerUnit), "muted"),
              StyledLine.line(Money.format(item.grossAmount)),
              StyledLine.line(item.discountAmount === 0 ? "" : Money.format(item.discountAmount), "success"),
              StyledLine.line(Money.format(item.netAmount), "strong")
            ]
          })),
        columns
      )

const screen = ({ fetch, label, name, ...definition }: Definition, hasUsers: boolean): Screen => ({
  id: `billing.${name}`,
  label,
  get entry() {
    return entriesOfGroup("billing").find((entry) => entry.name === name)
  },
  required: ["org"],
  title: (values) => Usage.titleOf(label, values),
  changePeriod: Month.change,
  open: (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const month = Month.of(values, now)
          const org = text(values, "org")
          const of = (one: Month.Month, user?: string) =>
            fetch(forge, { ...filtersOf(values), org, ...one, ...(user === undefined ? {} : { user }) }, options)
          const [present, before] = yield* Effect.all([of(month), of(Month.add(month, -1))], { concurrency: 2 })
          const isUsed = hasUsers && present.usageItems.length > 0
          const names = isUsed ? yield* users(forge, org, now, options) : []
          const reports = yield* Effect.forEach(
            names,
            (user) => Part.load(Effect.map(of(month, user), (report) => ({ user, report }))),
            { concurrency: 3 }
          )
          return { month, present, before, reports }
        }),
      ({ before, month, present, reports }) =>
        document(definition, month, present.usageItems, before.usageItems, costsByUser(reports)),
      ({ before, present }) => Part.age([Part.succeed(present), Part.succeed(before)])
    )
})

const costsByUser = (reports: ReadonlyArray<Part.Part<{ readonly user: string; readonly report: Report }>>): ByUser =>
  reports
    .flatMap((part) => Part.value(part) ?? [])
    .map(({ report, user }) => [user, Comparison.total(report.usageItems.map(amountOf))] as const) // a pair
    .filter(([, amount]) => amount > 0)
    .toSorted(([, a], [, b]) => b - a)

const amountOf = ({ netAmount, sku }: Item): Comparison.Cost => ({ name: sku, amount: netAmount })

/** The optional filters of the reports. */
const filtersOf = (values: Arguments) =>
  Object.fromEntries(
    ["user", "model", "product", "sku", "repository"].flatMap((name) => {
      const value = text(values, name)
      return value === "" ? [] : [[name, value]]
    })
  )

/** Maximum number of users of a report. Each user needs a request, because the reports have no names. */
const MAX_USERS = 10

/** Period in which users are searched, in milliseconds. */
const USERS_WITHIN = 30 * 86_400_000

/**
 * Returns the names of the users that used the API, the only list of an organization's users. Empty if the forge
 * refuses the list.
 */
const users = (forge: Forge["Service"], org: string, now: number, options: Source.LoadOptions) => {
  const day = new Date(now - USERS_WITHIN).toISOString().slice(0, 10)
  const query = { org, min_timestamp: `${day}T00:00:00Z` }
  return Part.load(forge.insights.getSubjectStats(query, { ...options, perPage: 100 }).first).pipe(
    Effect.map((part) =>
      (Part.value(part)?.items ?? [])
        .filter(({ subject_type }) => subject_type === "user")
        .slice(0, MAX_USERS)
        .map(({ subject_name }) => subject_name)
    )
  )
}

const modelOf = ({ model, sku }: Item): string => model ?? sku

/** The screens of the reports by SKU and by model. */
export const screens: ReadonlyArray<Screen> = [
  screen(
    {
      name: "getUsageSummaryReportForOrg",
      label: "summary",
      header: "SKU",
      nameOf: ({ sku }) => sku,
      fetch: (forge, query, options) => forge.billing.getUsageSummaryReportForOrg(query, options)
    },
    false
  ),
  screen(
    {
      name: "getAiCreditUsageReportForOrg",
      label: "AI credits",
      header: "MODEL",
      nameOf: modelOf,
      fetch: (forge, query, options) => forge.billing.getAiCreditUsageReportForOrg(query, options)
    },
    true
  ),
  screen(
    {
      name: "getPremiumRequestUsageReportForOrg",
      label: "premium requests",
      header: "MODEL",
      nameOf: modelOf,
      fetch: (forge, query, options) => forge.billing.getPremiumRequestUsageReportForOrg(query, options)
    },
    true
  )
]
