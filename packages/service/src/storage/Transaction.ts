/** Changes that are made together or not at all, with nobody's between. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlError from "effect/sql/SqlError"

/** Makes the function that wraps such changes. What the store cannot do, no caller can mend. */
export const make = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    <A, E, R>(changes: Effect.Effect<A, E, R>) =>
      Effect.catchIf(sql.withTransaction(changes), SqlError.isSqlError, (error) => Effect.die(error))
)
