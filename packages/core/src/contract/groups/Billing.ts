/** Usage and costs of an organization. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { badRequest, notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { organizationPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"

const amounts = {
  unitType: Schema.String,
  pricePerUnit: Schema.Finite,
  grossQuantity: Schema.Finite,
  grossAmount: Schema.Finite,
  discountQuantity: Schema.Finite,
  discountAmount: Schema.Finite,
  netQuantity: Schema.Finite,
  netAmount: Schema.Finite
}

const amountColumns = {
  NET: "netAmount",
  QUANTITY: "netQuantity",
  UNIT: "unitType",
  GROSS: "grossAmount",
  DISCOUNT: "discountAmount"
}

const report = {
  timePeriod: Schema.Struct({
    year: Schema.Int,
    month: Schema.optionalKey(Schema.Int),
    day: Schema.optionalKey(Schema.Int)
  }),
  organization: Schema.String,
  user: Schema.optionalKey(Schema.String),
  product: Schema.optionalKey(Schema.String)
}

/** Usage of AI credits or of premium requests by model. */
export const ModelUsageReport = Schema.Struct({
  ...report,
  model: Schema.optionalKey(Schema.String),
  usageItems: Schema.Array(
    Schema.Struct({ product: Schema.String, sku: Schema.String, model: Schema.String, ...amounts }).annotate(
      Presentation.of({ columns: { MODEL: "model", SKU: "sku", ...amountColumns }, title: "sku" })
    )
  )
}).annotate({ identifier: "ModelUsageReport" })
export type ModelUsageReport = typeof ModelUsageReport.Type

/** Usage and costs by SKU. */
export const UsageSummary = Schema.Struct({
  ...report,
  repository: Schema.optionalKey(Schema.String),
  sku: Schema.optionalKey(Schema.String),
  usageItems: Schema.Array(
    Schema.Struct({ product: Schema.String, sku: Schema.String, ...amounts }).annotate(
      Presentation.of({ columns: { SKU: "sku", ...amountColumns, PRODUCT: "product" } })
    )
  )
}).annotate({ identifier: "UsageSummary" })
export type UsageSummary = typeof UsageSummary.Type

/** Usage and costs by day, SKU and repository. */
export const UsageReport = Schema.Struct({
  usageItems: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        /** `YYYY-MM-DD`; some forges send a complete timestamp. */
        date: Schema.String,
        product: Schema.String,
        sku: Schema.String,
        quantity: Schema.Finite,
        unitType: Schema.String,
        pricePerUnit: Schema.Finite,
        grossAmount: Schema.Finite,
        discountAmount: Schema.Finite,
        netAmount: Schema.Finite,
        organizationName: Schema.String,
        /** `owner/repository`. */
        repositoryName: Schema.optionalKey(Schema.String)
      }).annotate(
        Presentation.of({
          columns: {
            DATE: "date",
            SKU: "sku",
            NET: "netAmount",
            QUANTITY: "quantity",
            UNIT: "unitType",
            REPOSITORY: "repositoryName"
          },
          title: "sku",
          arguments: {
            owner: { path: "repositoryName", pattern: "^([^/]+)/" },
            repo: { path: "repositoryName", pattern: "^[^/]+/(.+)$" }
          }
        })
      )
    )
  )
}).annotate({ identifier: "UsageReport" })
export type UsageReport = typeof UsageReport.Type

const date = {
  year: Schema.optionalKey(Schema.Int.annotate({ description: "Four digits; this year by default." })),
  month: Schema.optionalKey(Schema.Int.annotate({ description: "1 to 12; this month by default." })),
  day: Schema.optionalKey(Schema.Int.annotate({ description: "1 to 31." }))
}
const product = Schema.optionalKey(Schema.String.annotate({ description: "Only this product." }))
const byModel = {
  ...date,
  user: Schema.optionalKey(Schema.String.annotate({ description: "Only this user." })),
  model: Schema.optionalKey(Schema.String.annotate({ description: "Only this model." })),
  product
}

const reads = {
  permission: [[{ target: "organization", category: "administration", level: "read" }]],
  scopes: ["admin:org", "read:org"],
  access: "administer"
} as const
const error = [badRequest, notFound] as const

/** Endpoints of billing reports. */
export class Billing extends Group.make("billing", () => [
  HttpApiEndpoint.get("getAiCreditUsageReportForOrg", "/organizations/:org/settings/billing/ai_credit/usage", {
    params: organizationPath,
    query: byModel,
    success: ModelUsageReport,
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "billing/get-github-billing-ai-credit-usage-report-org",
      summary: "Report the usage of AI credits",
      command: "ai-credit-usage",
      ...reads
    })
  ),
  HttpApiEndpoint.get(
    "getPremiumRequestUsageReportForOrg",
    "/organizations/:org/settings/billing/premium_request/usage",
    {
      params: organizationPath,
      query: byModel,
      success: ModelUsageReport,
      error
    }
  ).annotateMerge(
    Operation.annotations({
      operationId: "billing/get-github-billing-premium-request-usage-report-org",
      summary: "Report the usage of premium requests",
      command: "premium-request-usage",
      ...reads
    })
  ),
  HttpApiEndpoint.get("getUsageReportForOrg", "/organizations/:org/settings/billing/usage", {
    params: organizationPath,
    query: date,
    success: UsageReport,
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "billing/get-github-billing-usage-report-org",
      summary: "Report usage by day",
      words: "costs, cost, bill, billing, spending, invoice",
      command: "usage",
      ...reads
    })
  ),
  HttpApiEndpoint.get("getUsageSummaryReportForOrg", "/organizations/:org/settings/billing/usage/summary", {
    params: organizationPath,
    query: {
      ...date,
      repository: Schema.optionalKey(
        Schema.String.annotate({ description: "Only this repository: `owner/repository`." })
      ),
      product,
      sku: Schema.optionalKey(Schema.String.annotate({ description: "Only this SKU." }))
    },
    success: UsageSummary,
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "billing/get-github-billing-usage-summary-report-org",
      summary: "Summarize usage",
      words: "costs, spending",
      command: "usage-summary",
      ...reads,
      preview: true
    })
  )
]) {}
