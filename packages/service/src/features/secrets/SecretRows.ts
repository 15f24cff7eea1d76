/** Database rows of secrets. Only `add` and `update` have the sealed value: no operation returns it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as ValueRows from "./ValueRows.ts"

const SecretRow = Schema.Struct(ValueRows.valueFields)
export type SecretRow = typeof SecretRow.Type

/** Reads and writes secrets. */
export class SecretRows extends Context.Service<SecretRows, ValueRows.ValueRows<SecretRow>>()(
  "@tongs/service/features/secrets/SecretRows"
) {
  static readonly layer = Layer.effect(
    SecretRows,
    Effect.map(SqlClient.SqlClient, (sql) =>
      SecretRows.of(ValueRows.make(sql, "secret", "sealed", SecretRow, Object.keys(SecretRow.fields)))
    )
  )
}
