/** Billed usage of organizations, the source of reports. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeRows } from "../../storage/RowDecoder.ts"

/** Usage of one product on one day. Prices are in US dollars. */
export const Usage = Schema.Struct({
  /** `YYYY-MM-DD`. */
  date: Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\d$/, { expected: "a date such as 2026-01-31" })),
  product: Schema.String,
  sku: Schema.String,
  quantity: Schema.Finite,
  unitType: Schema.String,
  pricePerUnit: Schema.Finite,
  discountQuantity: Schema.optionalKey(Schema.Finite),
  repositoryName: Schema.optionalKey(Schema.String),
  user: Schema.optionalKey(Schema.String),
  model: Schema.optionalKey(Schema.String)
})
/** Usage of one product on one day. */
export type Usage = typeof Usage.Type

const rows = decodeRows(Schema.Struct({ value: Schema.fromJsonString(Usage) }))

export class UsageRows extends Context.Service<
  UsageRows,
  {
    /** Adds a row, unless an equal one exists. */
    add(organizationId: number, usage: Usage): Effect.Effect<void>
    /** Rows with a date prefix (`2026`, `2026-01` or `2026-01-31`), sorted by date. */
    list(organizationId: number, datePrefix: string): Effect.Effect<ReadonlyArray<Usage>>
  }
>()("@tongs/service/features/billing/UsageRows") {
  static readonly layer = Layer.effect(
    UsageRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return UsageRows.of({
        add: (organizationId, usage) => {
          const value = JSON.stringify(usage)
          return Effect.orDie(
            Effect.asVoid(sql`
              INSERT INTO billing_usage (organization_id, date, value)
              SELECT ${organizationId}, ${usage.date}, ${value} WHERE NOT EXISTS (
                SELECT 1 FROM billing_usage
                WHERE organization_id = ${organizationId} AND date = ${usage.date} AND value = ${value})`)
          )
        },
        list: (organizationId, datePrefix) =>
          Effect.map(
            rows(sql`
              SELECT value FROM billing_usage
              WHERE organization_id = ${organizationId} AND date LIKE ${`${datePrefix}%`} ORDER BY date, id`),
            (found) => found.map(({ value }) => value)
          )
      })
    })
  )
}
