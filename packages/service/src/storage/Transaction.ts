/** Runs effects in database transactions. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlError from "effect/sql/SqlError"

/** Creates a function that runs an effect in a transaction. A database error is a defect. */
export const make = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    <A, E, R>(changes: Effect.Effect<A, E, R>) =>
      Effect.catchIf(sql.withTransaction(changes), SqlError.isSqlError, (error) => Effect.die(error))
)
