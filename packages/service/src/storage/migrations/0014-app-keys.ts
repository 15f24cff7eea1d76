import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const appKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The public half of the key by which an app signs in as itself, as PEM.
  yield* sql`ALTER TABLE apps ADD COLUMN public_key TEXT`
})
