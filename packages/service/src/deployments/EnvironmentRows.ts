/** Database rows of environments, with the protection rules that are theirs. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { NestedTeamRow, teamObject } from "../accounts/TeamRows.ts"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import { timestamp } from "../base/Time.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

const EnvironmentRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  /** Compared without the case of ASCII letters. */
  name: Schema.String,
  /** In minutes. */
  wait_timer: Schema.Int,
  prevent_self_review: Schema.Int,
  /** The branches that may deploy: all for null. */
  branch_policy: Schema.NullOr(Schema.Literals(["protected", "custom"])),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type EnvironmentRow = typeof EnvironmentRow.Type

/** A user or team that approves deployments to an environment. One of both is null. */
const ReviewerRow = Schema.Struct({
  environment_id: Schema.Int,
  user: Schema.NullOr(Schema.fromJsonString(UserRow)),
  team: Schema.NullOr(Schema.fromJsonString(NestedTeamRow))
})
export type ReviewerRow = typeof ReviewerRow.Type

const ReviewerIds = Schema.Struct({
  environment_id: Schema.Int,
  user_id: Schema.NullOr(Schema.Int),
  team_id: Schema.NullOr(Schema.Int)
})
/** A reviewer by id. One of both ids is null. */
export type ReviewerIds = typeof ReviewerIds.Type

/** The settings of an environment that a request sets. */
export type EnvironmentSettings = Pick<EnvironmentRow, "wait_timer" | "prevent_self_review" | "branch_policy">

/** A reviewer to add. */
export interface NewReviewer {
  readonly type: "User" | "Team"
  readonly id: number
}

const one = decodeFirstRow(EnvironmentRow)
const all = decodeRows(EnvironmentRow)
const reviewers = decodeRows(ReviewerRow)
const reviewerIds = decodeRows(ReviewerIds)

/** An environment without protection rules. */
export const unprotected: EnvironmentSettings = { wait_timer: 0, prevent_self_review: 0, branch_policy: null }

/** Reads and writes environments. */
export class EnvironmentRows extends Context.Service<
  EnvironmentRows,
  {
    /** Returns a page of the environments of a repository, by name. */
    list(
      repositoryId: number,
      page: PageRequest
    ): Effect.Effect<{ readonly items: ReadonlyArray<EnvironmentRow>; readonly total: number }>
    find(repositoryId: number, name: string): Effect.Effect<EnvironmentRow | undefined>
    byIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<EnvironmentRow>>
    count(repositoryId: number): Effect.Effect<number>
    /** Returns the environment of a name, which is added if missing. */
    ensure(repositoryId: number, name: string, createdAt?: string): Effect.Effect<EnvironmentRow>
    update(id: number, settings: EnvironmentSettings): Effect.Effect<void>
    remove(id: number): Effect.Effect<void>
    /** Returns the reviewers of environments, in the order in which they were set, without secret teams. */
    reviewers(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<ReviewerRow>>
    /** Returns the ids of the reviewers of environments, also of secret teams. */
    reviewerIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<ReviewerIds>>
    setReviewers(id: number, reviewers: ReadonlyArray<NewReviewer>): Effect.Effect<void>
  }
>()("@tongs/service/deployments/EnvironmentRows") {
  static readonly layer = Layer.effect(
    EnvironmentRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const { hasName, isOneOf, name: nameColumn } = fragments
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const user = sql.literal(accountJson(fragments, "u"))
      const team = sql.literal(
        `CASE WHEN t.id IS NULL THEN NULL ELSE ${fragments.jsonText(teamObject(fragments, "t", "o", "p"))} END`
      )
      const find = (repositoryId: number, name: string) =>
        one(sql`SELECT * FROM environments WHERE repository_id = ${repositoryId} AND ${hasName("name", name)}`)

      return EnvironmentRows.of({
        list: Effect.fn("EnvironmentRows.list")(function* (repositoryId, { offset, perPage }) {
          const items = yield* all(sql`
            SELECT * FROM environments WHERE repository_id = ${repositoryId}
            ORDER BY ${nameColumn("name")} LIMIT ${perPage} OFFSET ${offset}`)
          const total = yield* decodeCount(
            sql`SELECT count(*) AS count FROM environments WHERE repository_id = ${repositoryId}`
          )
          return { items, total }
        }),
        find,
        byIds: (ids) => all(sql`SELECT * FROM environments WHERE ${isOneOf("id", ids)} ORDER BY id`),
        count: (repositoryId) =>
          decodeCount(sql`SELECT count(*) AS count FROM environments WHERE repository_id = ${repositoryId}`),
        ensure: Effect.fn("EnvironmentRows.ensure")(function* (repositoryId, name, createdAt) {
          const now = createdAt ?? timestamp(yield* Clock.currentTimeMillis)
          const row = { repository_id: repositoryId, name, ...unprotected, created_at: now, updated_at: now }
          yield* run(sql`INSERT INTO environments ${sql.insert(row)} ON CONFLICT DO NOTHING`)
          return yield* requireRow(find(repositoryId, name))
        }),
        update: Effect.fn("EnvironmentRows.update")(function* (id, settings) {
          const updated_at = timestamp(yield* Clock.currentTimeMillis)
          yield* run(sql`UPDATE environments SET ${sql.update({ ...settings, updated_at })} WHERE id = ${id}`)
        }),
        remove: (id) => run(sql`DELETE FROM environments WHERE id = ${id}`),
        reviewers: (ids) =>
          reviewers(sql`
            SELECT r.environment_id, CASE WHEN u.id IS NULL THEN NULL ELSE ${user} END AS "user", ${team} AS team
            FROM environment_reviewers r LEFT JOIN users u ON u.id = r.user_id LEFT JOIN teams t ON t.id = r.team_id AND t.privacy = 'closed'
            LEFT JOIN users o ON o.id = t.organization_id LEFT JOIN teams p ON p.id = t.parent_id
            WHERE ${isOneOf("r.environment_id", ids)} ORDER BY r.id`),
        reviewerIds: (ids) =>
          reviewerIds(sql`
            SELECT environment_id, user_id, team_id FROM environment_reviewers
            WHERE ${isOneOf("environment_id", ids)} ORDER BY id`),
        setReviewers: Effect.fn("EnvironmentRows.setReviewers")(function* (environment_id, all) {
          yield* run(sql`DELETE FROM environment_reviewers WHERE environment_id = ${environment_id}`)
          for (const { id, type } of all) {
            const row = { environment_id, [type === "User" ? "user_id" : "team_id"]: id }
            yield* run(sql`INSERT INTO environment_reviewers ${sql.insert(row)} ON CONFLICT DO NOTHING`)
          }
        })
      })
    })
  )
}
