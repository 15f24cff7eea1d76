/** Database rows of reactions. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import { timestamp } from "../base/Time.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

export const ReactionRow = Schema.Struct({
  id: Schema.Int,
  user_id: Schema.Int,
  content: Schema.String,
  created_at: Schema.String,
  user: Schema.fromJsonString(UserRow)
})
export type ReactionRow = typeof ReactionRow.Type

/** What a reaction is to: the column of the table and the id. */
export interface ReactionSubject {
  readonly column: "issue_id" | "issue_comment_id" | "commit_comment_id" | "review_comment_id" | "release_id"
  readonly id: number
}

const one = decodeFirstRow(ReactionRow)
const all = decodeRows(ReactionRow)
const inserted = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

/** Reads and writes reactions. */
export class ReactionRows extends Context.Service<
  ReactionRows,
  {
    list(
      subject: ReactionSubject,
      content: string | undefined,
      page: PageRequest
    ): Effect.Effect<{ readonly items: ReadonlyArray<ReactionRow>; readonly total: number }>
    find(subject: ReactionSubject, id: number): Effect.Effect<ReactionRow | undefined>
    /** Adds a reaction, unless the account has one with this content: then returns that one. */
    add(
      subject: ReactionSubject,
      userId: number,
      content: string
    ): Effect.Effect<{ readonly row: ReactionRow; readonly isNew: boolean }>
    remove(id: number): Effect.Effect<void>
  }
>()("@tongs/service/issues/ReactionRows") {
  static readonly layer = Layer.effect(
    ReactionRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        `r.id, r.user_id, r.content, r.created_at, ${accountJson(SqlFragments.make(sql), "u")} AS "user"`
      )
      const from = sql.literal("reactions r JOIN users u ON u.id = r.user_id")
      const to = ({ column, id }: ReactionSubject) => sql`r.${sql.literal(column)} = ${id}`

      return ReactionRows.of({
        list: Effect.fn("ReactionRows.list")(function* (subject, content, { offset, perPage }) {
          const where = content === undefined ? to(subject) : sql`${to(subject)} AND r.content = ${content}`
          const items = yield* all(
            sql`SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY r.id LIMIT ${perPage} OFFSET ${offset}`
          )
          return { items, total: yield* decodeCount(sql`SELECT count(*) AS count FROM reactions r WHERE ${where}`) }
        }),
        find: (subject, id) => one(sql`SELECT ${columns} FROM ${from} WHERE r.id = ${id} AND ${to(subject)}`),
        add: Effect.fn("ReactionRows.add")(function* (subject, userId, content) {
          const { column, id } = subject
          const created_at = timestamp(yield* Clock.currentTimeMillis)
          const added = yield* inserted(sql`
            INSERT INTO reactions ${sql.insert({ user_id: userId, content, [column]: id, created_at })}
            ON CONFLICT (${sql.literal(column)}, user_id, content) DO NOTHING RETURNING id`)
          const row = yield* requireRow(
            one(sql`
              SELECT ${columns} FROM ${from} WHERE ${to(subject)} AND r.user_id = ${userId} AND r.content = ${content}`)
          )
          return { row, isNew: added !== undefined }
        }),
        remove: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM reactions WHERE id = ${id}`))
      })
    })
  )
}
