/** Database rows of labels. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { PageRequest } from "../base/Paging.ts"
import { timestamp } from "../base/Time.ts"
import { decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as PageCache from "../storage/PageCache.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"

/** A label. Its name is unique in the repository, whatever its case. */
export const LabelRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  name: Schema.String,
  color: Schema.String,
  description: Schema.NullOr(Schema.String),
  is_default: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type LabelRow = typeof LabelRow.Type

/** The members of a label that callers set. */
export type LabelContent = Pick<LabelRow, "name" | "color" | "description">

/** SQL of the label in table `alias` as a JSON object. */
export const labelObject = ({ jsonObject }: SqlFragments.SqlFragments, alias: string): string =>
  jsonObject(Object.fromEntries(Object.keys(LabelRow.fields).map((name) => [name, `${alias}.${name}`])))

const one = decodeFirstRow(LabelRow)
const all = decodeRows(LabelRow)
const counts = decodeRows(Schema.Struct({ id: Schema.Int, count: Schema.Int }))

type LabelPage = Effect.Effect<PageCache.Page<LabelRow>>

/** Reads and writes labels. */
export class LabelRows extends Context.Service<
  LabelRows,
  {
    list(repositoryId: number, page: PageRequest): LabelPage
    /** Returns the numbers of issues and pull requests by label. */
    issueCounts(repositoryId: number): Effect.Effect<ReadonlyMap<number, number>>
    listOfMilestone(milestoneId: number, page: PageRequest): LabelPage
    find(repositoryId: number, name: string): Effect.Effect<LabelRow | undefined>
    byId(id: number): Effect.Effect<LabelRow | undefined>
    /** Returns the labels of a repository with these names, whatever their case. */
    byNames(repositoryId: number, names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<LabelRow>>
    /** Adds a label. Returns undefined if the name is taken. */
    add(repositoryId: number, label: LabelContent): Effect.Effect<LabelRow | undefined>
    /** Changes a label. Returns undefined if another label has the name. */
    set(label: LabelRow, content: LabelContent): Effect.Effect<LabelRow | undefined>
    remove(id: number): Effect.Effect<void>
  }
>()("@tongs/service/issues/LabelRows") {
  static readonly layer = Layer.effect(
    LabelRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { hasName, hasOneOfNames, name } = SqlFragments.make(sql)
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      const pages = PageCache.make(yield* StoreRevision, LabelRow)
      const page = (where: Fragment, range: PageRequest) => {
        const chosen = sql`labels l WHERE ${where} ORDER BY l.id LIMIT ${range.perPage} OFFSET ${range.offset}`
        const count = sql`SELECT count(*) AS count FROM labels l WHERE ${where}`
        return pages({
          key: chosen,
          range,
          rows: () => sql`SELECT l.*, (${count}) AS total FROM ${chosen}`,
          count: () => count
        })
      }

      return LabelRows.of({
        issueCounts: (repositoryId) =>
          Effect.map(
            counts(sql`
              SELECT l.id, count(*) AS count FROM labels l JOIN issue_labels i ON i.label_id = l.id
              WHERE l.repository_id = ${repositoryId} GROUP BY l.id`),
            (rows) => new Map(rows.map(({ count, id }) => [id, count]))
          ),
        list: (repositoryId, request) => page(sql`l.repository_id = ${repositoryId}`, request),
        listOfMilestone: (milestoneId, request) =>
          page(
            sql`l.id IN (
              SELECT il.label_id FROM issue_labels il JOIN issues i ON i.id = il.issue_id
              WHERE i.milestone_id = ${milestoneId})`,
            request
          ),
        find: (repositoryId, wanted) =>
          one(sql`SELECT * FROM labels WHERE repository_id = ${repositoryId} AND ${hasName("name", wanted)}`),
        byId: (id) => one(sql`SELECT * FROM labels WHERE id = ${id}`),
        byNames: (repositoryId, names) =>
          names.length === 0
            ? Effect.succeed([])
            : all(sql`
                SELECT * FROM labels WHERE repository_id = ${repositoryId}
                  AND ${hasOneOfNames("name", names)} ORDER BY id`),
        add: Effect.fn("LabelRows.add")(function* (repositoryId, label) {
          const created_at = yield* now
          const row = { ...label, repository_id: repositoryId, created_at, updated_at: created_at }
          return yield* one(sql`
            INSERT INTO labels ${sql.insert(row)} ON CONFLICT (repository_id, ${name("name")}) DO NOTHING RETURNING *`)
        }),
        set: Effect.fn("LabelRows.set")(function* (label, content) {
          return yield* one(sql`
            UPDATE labels SET ${sql.update({ ...content, updated_at: yield* now })}
            WHERE id = ${label.id} AND NOT EXISTS (
              SELECT 1 FROM labels other WHERE other.repository_id = ${label.repository_id}
                AND ${hasName("other.name", content.name)} AND other.id <> ${label.id})
            RETURNING *`)
        }),
        remove: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM labels WHERE id = ${id}`))
      })
    })
  )
}
