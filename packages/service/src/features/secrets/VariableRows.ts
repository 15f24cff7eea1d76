/** Database rows of variables. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as ValueRows from "./ValueRows.ts"

const VariableRow = Schema.Struct({ ...ValueRows.valueFields, value: Schema.String })
export type VariableRow = typeof VariableRow.Type

/** Reads and writes variables. */
export class VariableRows extends Context.Service<VariableRows, ValueRows.ValueRows<VariableRow>>()(
  "@tongs/service/features/secrets/VariableRows"
) {
  static readonly layer = Layer.effect(
    VariableRows,
    Effect.map(SqlClient.SqlClient, (sql) =>
      VariableRows.of(ValueRows.make(sql, "variable", "value", VariableRow, Object.keys(VariableRow.fields)))
    )
  )
}
