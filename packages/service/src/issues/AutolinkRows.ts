/** Database rows of autolinks. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { timestamp } from "../base/Time.ts"
import { decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

export const AutolinkRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  key_prefix: Schema.String,
  /** URL with `<num>` for the rest of a reference. */
  url_template: Schema.String,
  /** 0 if `<num>` has only digits. */
  is_alphanumeric: Schema.Int,
  updated_at: Schema.String
})
export type AutolinkRow = typeof AutolinkRow.Type

export type NewAutolink = Omit<AutolinkRow, "id" | "updated_at">

const all = decodeRows(AutolinkRow)
const one = decodeFirstRow(AutolinkRow)

export class AutolinkRows extends Context.Service<
  AutolinkRows,
  {
    /** Returns the autolinks of repositories, oldest first. */
    list(repositoryIds: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<AutolinkRow>>
    find(repositoryId: number, id: number): Effect.Effect<AutolinkRow | undefined>
    /** Adds an autolink. Undefined if the repository has the prefix already, in any letter case. */
    add(autolink: NewAutolink): Effect.Effect<AutolinkRow | undefined>
    remove(id: number): Effect.Effect<void>
  }
>()("@tongs/service/issues/AutolinkRows") {
  static readonly layer = Layer.effect(
    AutolinkRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf } = SqlFragments.make(sql)
      return AutolinkRows.of({
        list: (ids) => all(sql`SELECT * FROM autolinks WHERE ${isOneOf("repository_id", ids)} ORDER BY id`),
        find: (repositoryId, id) =>
          one(sql`SELECT * FROM autolinks WHERE repository_id = ${repositoryId} AND id = ${id}`),
        add: Effect.fn("AutolinkRows.add")(function* (autolink) {
          const now = timestamp(yield* Clock.currentTimeMillis)
          return yield* one(sql`
            INSERT INTO autolinks ${sql.insert({ ...autolink, created_at: now, updated_at: now })}
            ON CONFLICT DO NOTHING RETURNING *`)
        }),
        remove: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM autolinks WHERE id = ${id}`))
      })
    })
  )
}
