import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const appKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The public key that verifies the JWTs of an app, as PEM.
  yield* sql`ALTER TABLE apps ADD COLUMN public_key TEXT`
})
