/** Database rows of clones: repositories that follow a repository of another forge. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeRows } from "../storage/RowDecoder.ts"

export const CloneRow = Schema.Struct({
  repository_id: Schema.Int,
  /** Base URL of the other forge's API. */
  forge: Schema.String,
  /** Id of the repository on the other forge. Renaming the repository keeps the id. */
  remote_id: Schema.Int,
  /** Time of the last push that the clone contains, as sent by the other forge. */
  pushed_at: Schema.NullOr(Schema.String)
})
export type CloneRow = typeof CloneRow.Type

const clones = decodeRows(CloneRow)

export class CloneRows extends Context.Service<
  CloneRows,
  {
    /** Returns the clones from a forge. */
    list(forge: string): Effect.Effect<ReadonlyArray<CloneRow>>
    /** Adds a clone, or replaces the row of the repository. */
    save(clone: CloneRow): Effect.Effect<void>
  }
>()("@tongs/service/repositories/CloneRows") {
  static readonly layer = Layer.effect(
    CloneRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return CloneRows.of({
        list: (forge) => clones(sql`SELECT * FROM clones WHERE forge = ${forge} ORDER BY repository_id`),
        save: (clone) =>
          Effect.asVoid(
            Effect.orDie(sql`
              INSERT INTO clones ${sql.insert(clone)}
              ON CONFLICT (repository_id) DO UPDATE
              SET forge = excluded.forge, remote_id = excluded.remote_id, pushed_at = excluded.pushed_at`)
          )
      })
    })
  )
}
