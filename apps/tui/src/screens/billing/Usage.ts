/** The usage of an organization: two months compared, the costs of a year by month and product, and each item. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { UsageReport } from "@tongs/core/contract/groups/Billing"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Document from "../../content/Document.ts"
import type { DocumentLine } from "../../content/Document.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as ChartSymbols from "../../text/ChartSymbols.ts"
import * as ChartTimeline from "../../text/ChartTimeline.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as Grid from "../organization/Grid.ts"
import { blank, heading } from "../organization/Heading.ts"
import * as Part from "../organization/Part.ts"
import { type Screen, text } from "../Screen.ts"
import * as Comparison from "./Comparison.ts"
import * as Money from "./Money.ts"
import * as Month from "./Month.ts"

/** The usage of one day, SKU and repository. */
export type Item = NonNullable<UsageReport["usageItems"]>[number]

/** Number of months in the chart. */
const MONTHS = 12

/** Number of lines of the chart. */
const CHART_ROWS = 11

/** Maximum number of items to show. A report of a month can have many thousands. */
const MAX_ITEMS = 2_000

const costs = (items: ReadonlyArray<Item>): ReadonlyArray<Comparison.Cost> =>
  items.map(({ netAmount, product }) => ({ name: product, amount: netAmount }))

/** Groups items by the month of the date, in the form of `Month.key`. */
const byMonth = (items: ReadonlyArray<Item>): ReadonlyMap<string, ReadonlyArray<Item>> => {
  const found = new Map<string, Array<Item>>()
  for (const item of items) {
    const key = item.date.slice(0, 7)
    const known = found.get(key)
    if (known === undefined) found.set(key, [item])
    else known.push(item)
  }
  return found
}

/** Formats the first line of a report: the month, and the keys for another month. */
export const monthLine = (month: Month.Month): DocumentLine => ({
  line: [
    StyledLine.span(Month.label(month), "title"),
    StyledLine.span("   [", "accent"),
    StyledLine.span(" earlier  ", "muted"),
    StyledLine.span("]", "accent"),
    StyledLine.span(" later", "muted")
  ]
})

/** Creates the document of a month from the items of a year or two. */
export const document = (items: ReadonlyArray<Item>, month: Month.Month, values: Arguments): Document.Document => {
  const months = byMonth(items)
  const of = (one: Month.Month) => months.get(Month.key(one)) ?? []
  const present = of(month)
  const shown = Month.until(month, MONTHS)
  const products = [...Comparison.sums(shown.flatMap((one) => costs(of(one)))).keys()]
  return Document.make(
    Month.label(month),
    (columns) =>
      Document.fromLines([
        monthLine(month),
        blank,
        ...Comparison.lines("PRODUCT", month, costs(present), costs(of(Month.add(month, -1))), columns),
        ...totalLine(present),
        blank,
        heading("Net cost per month and product"),
        ...chart(shown, products, of, columns),
        blank,
        ...list(shown, of, values, columns),
        blank,
        heading(`Usage in ${Month.label(month)} (${NumberFormat.quantity(present.length, "item")})`),
        ...itemLines(present, columns)
      ]),
    { value: present }
  )
}

const totalLine = (items: ReadonlyArray<Item>): ReadonlyArray<DocumentLine> => {
  const discount = items.reduce((sum, { discountAmount }) => sum + discountAmount, 0)
  const gross = items.reduce((sum, { grossAmount }) => sum + grossAmount, 0)
  return discount === 0
    ? []
    : [
        {
          line: StyledLine.line(
            `Net of discounts: ${Money.format(gross)} gross, less ${Money.format(discount)} discounts`,
            "muted"
          )
        }
      ]
}

type ItemsOf = (month: Month.Month) => ReadonlyArray<Item>

const chart = (
  months: ReadonlyArray<Month.Month>,
  products: ReadonlyArray<string>,
  of: ItemsOf,
  columns: number
): ReadonlyArray<DocumentLine> => {
  if (products.length === 0) return [{ line: StyledLine.line("No usage in these 12 months", "muted") }]
  const sums = months.map((month) => Comparison.sums(costs(of(month))))
  return ChartTimeline.timeline(
    products.map((name) => ({ name, values: sums.map((sum) => sum.get(name) ?? 0) })),
    {
      columns: Math.min(columns, MAX_CHART_COLUMNS),
      rows: CHART_ROWS,
      symbols: ChartSymbols.current().bars,
      style: "columns",
      unit: "dollars",
      labels: months.map((month) => Month.name(month).slice(0, 3))
    }
  ).map((line) => ({ line }))
}

/** Maximum width of the chart, so that the columns of twelve months are not blocks. */
const MAX_CHART_COLUMNS = 110

/** Formats the months with total costs, the latest first. Enter opens the month. */
const list = (
  months: ReadonlyArray<Month.Month>,
  of: ItemsOf,
  values: Arguments,
  columns: number
): ReadonlyArray<DocumentLine> =>
  Grid.lines(
    [
      { header: "MONTH", size: "grow" },
      { header: "NET", size: "fit", align: "right" },
      { header: "DIFFERENCE", size: "fit", align: "right" },
      { header: "", size: "fit" }
    ],
    months
      .slice(1)
      .toReversed()
      .map((month) => {
        const amount = Comparison.total(costs(of(month)))
        const before = Comparison.total(costs(of(Month.add(month, -1))))
        return {
          route: Route.make("billing.getUsageReportForOrg", { ...values, ...month }),
          copy: Money.format(amount),
          cells: [
            StyledLine.line(Month.label(month), "link"),
            StyledLine.line(Money.format(amount), "strong"),
            ...Money.change(before, amount)
          ]
        }
      }),
    columns
  )

const itemLines = (items: ReadonlyArray<Item>, columns: number): ReadonlyArray<DocumentLine> => {
  if (items.length === 0) return [{ line: StyledLine.line("No usage in this month", "muted") }]
  const shown = items.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0)).slice(0, MAX_ITEMS)
  return [
    ...Grid.lines(
      [
        { header: "DATE", size: "fit" },
        { header: "PRODUCT", size: "fit", maxShare: 0.2, optional: 2 },
        { header: "SKU", size: "grow" },
        { header: "QUANTITY", size: "fit", align: "right" },
        { header: "UNIT", size: "fit", maxShare: 0.2, optional: 3 },
        { header: "PRICE", size: "fit", align: "right", optional: 1 },
        { header: "NET", size: "fit", align: "right" },
        { header: "REPOSITORY", size: "fit", maxShare: 0.3, optional: 4 }
      ],
      shown.map((item) => ({
        copy: item.sku,
        title: item.sku,
        ...repositoryOf(item),
        cells: [
          StyledLine.line(item.date.slice(0, 10), "id"),
          StyledLine.line(item.product, "muted"),
          StyledLine.line(item.sku),
          StyledLine.line(Money.quantity(item.quantity)),
          StyledLine.line(item.unitType, "muted"),
          StyledLine.line(Money.formatPrice(item.pricePerUnit), "muted"),
          StyledLine.line(Money.format(item.netAmount), "strong"),
          StyledLine.line(item.repositoryName ?? "", "accent")
        ]
      })),
      columns
    ),
    ...(items.length > shown.length
      ? [
          {
            line: StyledLine.line(`${NumberFormat.format(items.length - shown.length)} older items not shown`, "muted")
          }
        ]
      : [])
  ]
}

/** Returns the repository of an item; Enter opens the repository. */
const repositoryOf = ({ organizationName, repositoryName }: Item): Pick<DocumentLine, "route"> => {
  if (repositoryName === undefined || repositoryName === "") return {}
  const [owner, repo] = repositoryName.includes("/") ? repositoryName.split("/") : [organizationName, repositoryName]
  return { route: Route.make("repositories.get", { owner, repo }) }
}

/** The screen of `billing.getUsageReportForOrg`. */
export const screen: Screen = {
  id: "billing.getUsageReportForOrg",
  label: "usage",
  get entry() {
    return entriesOfGroup("billing").find(({ name }) => name === "getUsageReportForOrg")
  },
  required: ["org"],
  title: (values) => titleOf("usage", values),
  changePeriod: Month.change,
  open: (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.gen(function* () {
          const month = Month.of(values, yield* Clock.currentTimeMillis)
          const years = [...new Set([Month.add(month, 1 - MONTHS).year, month.year])]
          const org = text(values, "org")
          const reports = yield* Effect.forEach(
            years,
            (year) => forge.billing.getUsageReportForOrg({ org, year }, options),
            { concurrency: 2 }
          )
          return { month, reports }
        }),
      ({ month, reports }) =>
        document(
          reports.flatMap(({ usageItems = [] }) => usageItems),
          month,
          values
        ),
      ({ reports }) => Part.age(reports.map(Part.succeed))
    )
}

/** Returns the title of a report: the name, and the month unless it is the present month. */
export const titleOf = (name: string, values: Arguments): string => {
  const month = text(values, "month")
  return month === "" ? name : `${name}, ${Month.label(Month.of(values, 0))}`
}
