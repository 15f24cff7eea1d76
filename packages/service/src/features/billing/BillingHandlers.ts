import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Billing } from "@tongs/core/contract/groups/Billing"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { UsageRows as Store, type Usage } from "./UsageRows.ts"
import type { OrganizationRow } from "../../accounts/OrganizationRows.ts"

/** Age limit of reports, in months. Does not apply to the plain usage report. */
const MONTHS_KEPT = 24

/** SKUs of the two reports by model. */
const aiCredits = /ai.?credit/i
const premiumRequests = /premium.?request/i

interface Dates {
  readonly year?: number
  readonly month?: number
  readonly day?: number
}

interface Period {
  readonly year: number
  readonly month?: number
  readonly day?: number
}

const pad = (part: number, width: number) => String(part).padStart(width, "0")

/** Date prefix of a period: `2026`, `2026-01` or `2026-01-31`. */
const prefix = ({ day, month, year }: Period) =>
  [pad(year, 4), ...(month === undefined ? [] : [pad(month, 2)]), ...(day === undefined ? [] : [pad(day, 2)])].join("-")

const badDate = (field: keyof Dates, message: string) =>
  ApiError.invalid(message, [{ resource: "billing", field, code: "invalid", message }], 400)

/** Completes a period with the current year, and the current month if the request has a day or no year. */
const period = Effect.fnUntraced(function* ({ day, month, year }: Dates, monthByDefault: boolean) {
  const now = new Date(yield* Clock.currentTimeMillis)
  if (year !== undefined && (year < 1000 || year > 9999)) return yield* badDate("year", "year must have four digits")
  if (month !== undefined && (month < 1 || month > 12)) return yield* badDate("month", "month must be between 1 and 12")
  if (day !== undefined && (day < 1 || day > 31)) return yield* badDate("day", "day must be between 1 and 31")
  const chosen =
    month ?? (day !== undefined || (monthByDefault && year === undefined) ? now.getUTCMonth() + 1 : undefined)
  return {
    year: year ?? now.getUTCFullYear(),
    ...(chosen === undefined ? {} : { month: chosen }),
    ...(day === undefined ? {} : { day })
  } satisfies Period
})

/** True if a period overlaps the last `MONTHS_KEPT` months. */
const isKept = (period: Period, now: Date): boolean => {
  const oldest = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS_KEPT, now.getUTCDate()))
  const last = new Date(Date.UTC(period.year, period.month ?? 12, period.day === undefined ? 0 : 1))
  if (period.day !== undefined && period.month !== undefined)
    last.setTime(Date.UTC(period.year, period.month - 1, period.day))
  return last >= oldest
}

const isSame = (value: string | undefined, wanted: string | undefined) =>
  wanted === undefined || (value ?? "").toLowerCase() === wanted.toLowerCase()

const amounts = (rows: ReadonlyArray<Usage>) => {
  const [first] = rows
  const pricePerUnit = first?.pricePerUnit ?? 0
  const grossQuantity = rows.reduce((sum, row) => sum + row.quantity, 0)
  const discountQuantity = rows.reduce((sum, row) => sum + (row.discountQuantity ?? 0), 0)
  const grossAmount = rows.reduce((sum, row) => sum + row.quantity * row.pricePerUnit, 0)
  const discountAmount = rows.reduce((sum, row) => sum + (row.discountQuantity ?? 0) * row.pricePerUnit, 0)
  return {
    unitType: first?.unitType ?? "",
    pricePerUnit,
    grossQuantity,
    grossAmount: cents(grossAmount),
    discountQuantity,
    discountAmount: cents(discountAmount),
    netQuantity: grossQuantity - discountQuantity,
    netAmount: cents(grossAmount - discountAmount)
  }
}

/** Removes floating-point errors of a sum: rounds to a millionth of a dollar. */
const cents = (amount: number) => Math.round(amount * 1e6) / 1e6

/** Groups rows with equal values of `keys`. */
const groupRows = (rows: ReadonlyArray<Usage>, keys: ReadonlyArray<"product" | "sku" | "model" | "pricePerUnit">) => [
  ...Map.groupBy(rows, (row) => keys.map((key) => row[key] ?? "").join("\0")).values()
]

const given = (members: object) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

export const make = Effect.gen(function* () {
  const store = yield* Store

  const list = Effect.fnUntraced(function* (organization: OrganizationRow, period: Period) {
    const now = new Date(yield* Clock.currentTimeMillis)
    return isKept(period, now) ? yield* store.list(organization.id, prefix(period)) : []
  })

  const byModel = Effect.fnUntraced(function* (
    organization: OrganizationRow,
    skus: RegExp,
    query: Dates & { readonly user?: string; readonly model?: string; readonly product?: string }
  ) {
    const timePeriod = yield* period(query, true)
    const rows = (yield* list(organization, timePeriod)).filter(
      (row) =>
        row.model !== undefined &&
        skus.test(row.sku) &&
        isSame(row.user, query.user) &&
        isSame(row.model, query.model) &&
        isSame(row.product, query.product)
    )
    const { model, product, user } = query
    return {
      timePeriod,
      organization: organization.login,
      ...given({ user, product, model }),
      usageItems: groupRows(rows, ["product", "sku", "model", "pricePerUnit"]).map((group) => ({
        product: group[0]?.product ?? "",
        sku: group[0]?.sku ?? "",
        model: group[0]?.model ?? "",
        ...amounts(group)
      }))
    }
  })

  return group(Billing)({
    *getAiCreditUsageReportForOrg(query, { organization }) {
      return yield* byModel(organization, aiCredits, query)
    },
    *getPremiumRequestUsageReportForOrg(query, { organization }) {
      return yield* byModel(organization, premiumRequests, query)
    },
    *getUsageReportForOrg(query, { organization }) {
      const rows = yield* store.list(organization.id, prefix(yield* period(query, false)))
      return {
        usageItems: rows.map((row) => {
          const { discountAmount, grossAmount, netAmount } = amounts([row])
          return {
            date: row.date,
            product: row.product,
            sku: row.sku,
            quantity: row.quantity,
            unitType: row.unitType,
            pricePerUnit: row.pricePerUnit,
            grossAmount,
            discountAmount,
            netAmount,
            organizationName: organization.login,
            ...(row.repositoryName === undefined ? {} : { repositoryName: row.repositoryName })
          }
        })
      }
    },
    *getUsageSummaryReportForOrg(query, { organization }) {
      const { product, repository, sku } = query
      const timePeriod = yield* period(query, true)
      const rows = (yield* list(organization, timePeriod)).filter(
        (row) => isSame(row.repositoryName, repository) && isSame(row.product, product) && isSame(row.sku, sku)
      )
      return {
        timePeriod,
        organization: organization.login,
        ...given({ repository, product, sku }),
        usageItems: groupRows(rows, ["product", "sku", "pricePerUnit"]).map((group) => ({
          product: group[0]?.product ?? "",
          sku: group[0]?.sku ?? "",
          ...amounts(group)
        }))
      }
    }
  })
})
