/** Database rows of branch protections: the rules of one branch. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { timestamp } from "../base/Time.ts"
import * as RevisionCache from "../storage/RevisionCache.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"

const Ids = Schema.Array(Schema.Int)

/** Ids of people, teams and apps. */
export const ProtectionActors = Schema.Struct({ users: Ids, teams: Ids, apps: Ids })
export type ProtectionActors = typeof ProtectionActors.Type

export const ProtectionChecks = Schema.Struct({
  strict: Schema.Boolean,
  /** Any app can set a check without `app_id`. */
  checks: Schema.Array(Schema.Struct({ context: Schema.String, app_id: Schema.NullOr(Schema.Int) }))
})
export type ProtectionChecks = typeof ProtectionChecks.Type

export const ProtectionReviews = Schema.Struct({
  dismissal_restrictions: Schema.NullOr(ProtectionActors),
  bypass_pull_request_allowances: Schema.NullOr(ProtectionActors),
  dismiss_stale_reviews: Schema.Boolean,
  require_code_owner_reviews: Schema.Boolean,
  required_approving_review_count: Schema.Int,
  require_last_push_approval: Schema.Boolean
})
export type ProtectionReviews = typeof ProtectionReviews.Type

export const ProtectionSettings = Schema.Struct({
  required_status_checks: Schema.NullOr(ProtectionChecks),
  required_pull_request_reviews: Schema.NullOr(ProtectionReviews),
  /** The only ones that may push, besides administrators. */
  restrictions: Schema.NullOr(ProtectionActors),
  enforce_admins: Schema.Boolean,
  required_signatures: Schema.Boolean,
  required_linear_history: Schema.Boolean,
  required_conversation_resolution: Schema.Boolean,
  allow_force_pushes: Schema.Boolean,
  allow_deletions: Schema.Boolean,
  block_creations: Schema.Boolean,
  lock_branch: Schema.Boolean,
  allow_fork_syncing: Schema.Boolean
})
export type ProtectionSettings = typeof ProtectionSettings.Type

export const BranchProtectionRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  /** Name of the branch, without `refs/heads/`. */
  branch: Schema.String,
  settings: Schema.fromJsonString(ProtectionSettings),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type BranchProtectionRow = typeof BranchProtectionRow.Type

/** Maximum number of repositories with cached protections. */
const MAX_REPOSITORIES = 2000

const one = decodeFirstRow(BranchProtectionRow)
const rows = decodeRows(BranchProtectionRow)

/** Reads and writes branch protections. */
export class BranchProtectionRows extends Context.Service<
  BranchProtectionRows,
  {
    /** Returns the protections of a repository by branch. Caches them until the database changes. */
    ofRepository(repositoryId: number): Effect.Effect<ReadonlyMap<string, BranchProtectionRow>>
    /** Returns the protections of repositories by the repository's id, in one statement. */
    ofRepositories(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, ReadonlyArray<BranchProtectionRow>>>
    count(repositoryId: number): Effect.Effect<number>
    get(repositoryId: number, branch: string): Effect.Effect<BranchProtectionRow | undefined>
    /** Adds or replaces the protection of a branch. */
    set(repositoryId: number, branch: string, settings: ProtectionSettings): Effect.Effect<BranchProtectionRow>
    remove(id: number): Effect.Effect<void>
    /** Moves the protection of a renamed branch. */
    rename(repositoryId: number, from: string, to: string): Effect.Effect<void>
  }
>()("@tongs/service/rules/BranchProtectionRows") {
  static readonly layer = Layer.effect(
    BranchProtectionRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf } = SqlFragments.make(sql)
      const known = RevisionCache.make<ReadonlyMap<string, BranchProtectionRow>>(yield* StoreRevision, MAX_REPOSITORIES)
      const now = Effect.map(Clock.currentTimeMillis, timestamp)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))

      return BranchProtectionRows.of({
        ofRepository: (repositoryId) =>
          known.get(
            String(repositoryId),
            Effect.map(
              rows(sql`SELECT * FROM branch_protections WHERE repository_id = ${repositoryId} ORDER BY id`),
              (all) => new Map(all.map((row) => [row.branch, row]))
            )
          ),
        ofRepositories: (ids) =>
          Effect.map(
            rows(sql`SELECT * FROM branch_protections WHERE ${isOneOf("repository_id", ids)} ORDER BY id`),
            (all) => Map.groupBy(all, ({ repository_id }) => repository_id)
          ),
        count: (repositoryId) =>
          decodeCount(sql`SELECT count(*) AS count FROM branch_protections WHERE repository_id = ${repositoryId}`),
        get: (repositoryId, branch) =>
          one(sql`SELECT * FROM branch_protections WHERE repository_id = ${repositoryId} AND branch = ${branch}`),
        set: Effect.fn("BranchProtectionRows.set")(function* (repositoryId, branch, settings) {
          const time = yield* now
          const row = {
            repository_id: repositoryId,
            branch,
            settings: JSON.stringify(settings),
            created_at: time,
            updated_at: time
          }
          return yield* requireRow(
            one(sql`
              INSERT INTO branch_protections ${sql.insert(row)} ON CONFLICT (repository_id, branch)
              DO UPDATE SET settings = excluded.settings, updated_at = excluded.updated_at RETURNING *`)
          )
        }),
        remove: (id) => run(sql`DELETE FROM branch_protections WHERE id = ${id}`),
        rename: (repositoryId, from, to) =>
          run(sql`
            UPDATE branch_protections SET branch = ${to} WHERE repository_id = ${repositoryId} AND branch = ${from}
            AND NOT EXISTS (SELECT 1 FROM branch_protections WHERE repository_id = ${repositoryId} AND branch = ${to})`)
      })
    })
  )
}
