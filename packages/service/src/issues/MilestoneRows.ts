/** Database rows of milestones. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import { timestamp } from "../base/Time.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as PageCache from "../storage/PageCache.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"

/** A milestone with its creator. Timestamps are ISO 8601. A closed milestone has `closed_at`. */
export const MilestoneRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  number: Schema.Int,
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  due_on: Schema.NullOr(Schema.String),
  closed_at: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String,
  open_issues: Schema.Int,
  closed_issues: Schema.Int,
  /** Null if the account was deleted. */
  creator: Schema.NullOr(Schema.fromJsonString(UserRow))
})
export type MilestoneRow = typeof MilestoneRow.Type

/** The members of a milestone that callers set. */
export type MilestoneContent = Pick<MilestoneRow, "title" | "description" | "due_on" | "closed_at">

/** Selects milestones and their order. By date, milestones without a date come last. */
export interface MilestoneFilter {
  readonly state: "open" | "closed" | "all"
  readonly sort: "due_on" | "completeness"
  readonly direction: "asc" | "desc"
}

/** The repository already has a milestone with this title. */
export class MilestoneTitleTaken extends Schema.TaggedError<MilestoneTitleTaken>()("MilestoneTitleTaken", {
  title: Schema.String
}) {}

/** A milestone as a part of another row. */
export const MilestoneJson = Schema.fromJsonString(
  Schema.Struct({ ...MilestoneRow.fields, creator: Schema.NullOr(UserRow) })
)

const countOf = (state: string) =>
  `(SELECT count(*) FROM issues i WHERE i.milestone_id = m.id AND i.state = '${state}')`
const counts = { open_issues: countOf("open"), closed_issues: countOf("closed") }

const FROM = "milestones m LEFT JOIN users u ON u.id = m.creator_id"

/** SQL of the rows `id`, `milestone` (`MilestoneJson`) of the milestones with ids in a subquery. */
export const milestonesJson = (fragments: SqlFragments.SqlFragments, ids: string): string => {
  const { json, jsonObject, jsonText } = fragments
  const own = Object.fromEntries(Object.keys(MilestoneRow.fields).map((name) => [name, `m.${name}`]))
  const members = { ...own, ...counts, creator: json(accountJson(fragments, "u")) }
  return `SELECT m.id, ${jsonText(jsonObject(members))} AS milestone FROM ${FROM} WHERE m.id IN (${ids})`
}

const one = decodeFirstRow(MilestoneRow)
const all = decodeRows(MilestoneRow)
const Written = Schema.Struct({ number: Schema.Int })
type Written = typeof Written.Type
const changed = decodeFirstRow(Written)
const last = decodeFirstRow(Schema.Struct({ last: Schema.Int }))

/** Reads and writes milestones. */
export class MilestoneRows extends Context.Service<
  MilestoneRows,
  {
    list(repositoryId: number, filter: MilestoneFilter, range: PageRequest): Effect.Effect<PageCache.Page<MilestoneRow>>
    find(repositoryId: number, number: number): Effect.Effect<MilestoneRow | undefined>
    byTitle(repositoryId: number, title: string): Effect.Effect<MilestoneRow | undefined>
    /** Returns the milestones with these ids that exist, by id. */
    byIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, MilestoneRow>>
    /** Adds a milestone with the next number of the repository. */
    add(
      repositoryId: number,
      creatorId: number,
      content: MilestoneContent,
      createdAt?: string
    ): Effect.Effect<MilestoneRow, MilestoneTitleTaken>
    /** Replaces the content of an existing milestone. */
    set(
      repositoryId: number,
      number: number,
      content: MilestoneContent
    ): Effect.Effect<MilestoneRow, MilestoneTitleTaken>
    remove(repositoryId: number, number: number): Effect.Effect<void>
  }
>()("@tongs/service/issues/MilestoneRows") {
  static readonly layer = Layer.effect(
    MilestoneRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const columns = sql.literal(`
        m.*, ${counts.open_issues} AS open_issues, ${counts.closed_issues} AS closed_issues,
        ${accountJson(fragments, "u")} AS creator`)
      const selected = sql`SELECT ${columns} FROM ${sql.literal(FROM)}`
      const pages = PageCache.make(yield* StoreRevision, MilestoneRow)

      const find = (repositoryId: number, number: number) =>
        one(sql`${selected} WHERE m.repository_id = ${repositoryId} AND m.number = ${number}`)

      /** Reads the written milestone. Without a row, another milestone has the title. */
      const written = Effect.fnUntraced(function* (repositoryId: number, title: string, row: Written | undefined) {
        if (row === undefined) return yield* new MilestoneTitleTaken({ title })
        return yield* requireRow(find(repositoryId, row.number))
      })

      const complete = sql.literal(
        `${counts.closed_issues} * 1.0 / (SELECT CASE count(*) WHEN 0 THEN 1 ELSE count(*) END FROM issues i WHERE i.milestone_id = m.id)`
      )
      const states = {
        open: sql`closed_at IS NULL`,
        closed: sql`closed_at IS NOT NULL`,
        all: sql`true`
      }

      return MilestoneRows.of({
        list: (repositoryId, { direction, sort, state }, range) => {
          const where = sql`repository_id = ${repositoryId} AND ${states[state]}`
          const order = sql.literal(direction)
          const first = sort === "due_on" ? sql`due_on IS NULL, due_on ${order},` : sql`${complete} ${order},`
          const chosen = sql`WHERE ${where} ORDER BY ${first} number ${order} LIMIT ${range.perPage} OFFSET ${range.offset}`
          const count = sql`SELECT count(*) AS count FROM milestones WHERE ${where}`
          return pages({
            key: chosen,
            range,
            rows: () => sql`SELECT ${columns}, (${count}) AS total FROM ${sql.literal(FROM)} ${chosen}`,
            count: () => count
          })
        },
        find,
        byTitle: (repositoryId, title) =>
          one(sql`${selected} WHERE m.repository_id = ${repositoryId} AND m.title = ${title}`),
        byIds: (ids) =>
          ids.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                all(sql`${selected} WHERE ${fragments.isOneOf("m.id", ids)}`),
                (found) => new Map(found.map((row) => [row.id, row]))
              ),
        add: Effect.fn("MilestoneRows.add")(function* (repositoryId, creatorId, content, createdAt) {
          const created_at = createdAt ?? timestamp(yield* Clock.currentTimeMillis)
          const counted = yield* requireRow(
            last(sql`
            INSERT INTO milestone_numbers (repository_id, last) VALUES (${repositoryId}, 1)
            ON CONFLICT (repository_id) DO UPDATE SET last = milestone_numbers.last + 1 RETURNING last`)
          )
          const row = {
            ...content,
            repository_id: repositoryId,
            number: counted.last,
            creator_id: creatorId,
            created_at,
            updated_at: created_at
          }
          const added = yield* changed(
            sql`INSERT INTO milestones ${sql.insert(row)} ON CONFLICT (repository_id, title) DO NOTHING RETURNING number`
          )
          return yield* written(repositoryId, content.title, added)
        }),
        set: Effect.fn("MilestoneRows.set")(function* (repositoryId, number, content) {
          const row = { ...content, updated_at: timestamp(yield* Clock.currentTimeMillis) }
          const set = yield* changed(sql`
            UPDATE milestones SET ${sql.update(row)}
            WHERE repository_id = ${repositoryId} AND number = ${number} AND NOT EXISTS (
              SELECT 1 FROM milestones other WHERE other.repository_id = ${repositoryId}
                AND other.title = ${content.title} AND other.number <> ${number})
            RETURNING number`)
          return yield* written(repositoryId, content.title, set)
        }),
        remove: (repositoryId, number) =>
          Effect.orDie(
            Effect.asVoid(sql`DELETE FROM milestones WHERE repository_id = ${repositoryId} AND number = ${number}`)
          )
      })
    })
  )
}
