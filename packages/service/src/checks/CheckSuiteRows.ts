/** Database rows of check suites, and of the preferences for their creation. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { PageRequest } from "../base/Paging.ts"
import * as PageCache from "../storage/PageCache.ts"
import { decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"

export const CheckSuiteRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  app_id: Schema.Int,
  head_sha: Schema.String,
  head_branch: Schema.NullOr(Schema.String),
  /** The branch before and after the push. Null without a push. */
  before_sha: Schema.NullOr(Schema.String),
  after_sha: Schema.NullOr(Schema.String),
  status: Schema.String,
  conclusion: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String,
  /** Number of the newest check runs of each name. */
  latest_runs: Schema.Int
})
export type CheckSuiteRow = typeof CheckSuiteRow.Type

export type NewCheckSuite = Omit<CheckSuiteRow, "id" | "status" | "conclusion" | "updated_at" | "latest_runs">

export interface SuiteFilter {
  readonly appId: number | undefined
  /** Only suites with a check run of this name. */
  readonly checkName: string | undefined
}

const one = decodeFirstRow(CheckSuiteRow)
const all = decodeRows(CheckSuiteRow)
const settings = decodeRows(Schema.Struct({ app_id: Schema.Int, setting: Schema.Int }))

/** Reads and writes check suites. */
export class CheckSuiteRows extends Context.Service<
  CheckSuiteRows,
  {
    list(
      repositoryId: number,
      sha: string,
      filter: SuiteFilter,
      page: PageRequest
    ): Effect.Effect<PageCache.Page<CheckSuiteRow>>
    find(repositoryId: number, id: number): Effect.Effect<CheckSuiteRow | undefined>
    ofApp(repositoryId: number, sha: string, appId: number): Effect.Effect<CheckSuiteRow | undefined>
    /** Returns the check suites with these ids that exist, by id. */
    byIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, CheckSuiteRow>>
    /** Adds a check suite. Undefined if the app has one for the commit. */
    add(suite: NewCheckSuite): Effect.Effect<CheckSuiteRow | undefined>
    setState(
      id: number,
      state: Pick<CheckSuiteRow, "status" | "conclusion" | "updated_at">
    ): Effect.Effect<CheckSuiteRow | undefined>
    /** The apps with a preference. All other apps get check suites. */
    preferences(repositoryId: number): Effect.Effect<ReadonlyArray<{ app_id: number; setting: number }>>
    setPreference(repositoryId: number, appId: number, setting: boolean): Effect.Effect<void>
  }
>()("@tongs/service/checks/CheckSuiteRows") {
  static readonly layer = Layer.effect(
    CheckSuiteRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf } = SqlFragments.make(sql)
      const pages = PageCache.make(yield* StoreRevision, CheckSuiteRow)
      const columns = sql.literal(`
        s.*, (SELECT count(*) FROM check_runs c WHERE c.suite_id = s.id AND c.is_latest = 1) AS latest_runs`)
      const find = (where: Fragment) => one(sql`SELECT ${columns} FROM check_suites s WHERE ${where}`)

      return CheckSuiteRows.of({
        list: (repositoryId, sha, { appId, checkName }, range) => {
          const ofApp = appId === undefined ? sql`` : sql`AND s.app_id = ${appId}`
          const withRun =
            checkName === undefined
              ? sql``
              : sql`AND EXISTS (SELECT 1 FROM check_runs c WHERE c.suite_id = s.id AND c.name = ${checkName})`
          const where = sql`s.repository_id = ${repositoryId} AND s.head_sha = ${sha} ${ofApp} ${withRun}`
          const chosen = sql`WHERE ${where} ORDER BY s.id LIMIT ${range.perPage} OFFSET ${range.offset}`
          const count = sql`SELECT count(*) AS count FROM check_suites s WHERE ${where}`
          return pages({
            key: chosen,
            range,
            rows: () => sql`SELECT ${columns}, (${count}) AS total FROM check_suites s ${chosen}`,
            count: () => count
          })
        },
        find: (repositoryId, id) => find(sql`s.repository_id = ${repositoryId} AND s.id = ${id}`),
        ofApp: (repositoryId, sha, appId) =>
          find(sql`s.repository_id = ${repositoryId} AND s.head_sha = ${sha} AND s.app_id = ${appId}`),
        byIds: (ids) =>
          Effect.map(
            all(sql`SELECT ${columns} FROM check_suites s WHERE ${isOneOf("s.id", ids)}`),
            (found) => new Map(found.map((row) => [row.id, row]))
          ),
        add: (suite) =>
          one(sql`
            INSERT INTO check_suites ${sql.insert({ ...suite, status: "queued", conclusion: null, updated_at: suite.created_at })}
            ON CONFLICT (repository_id, head_sha, app_id) DO NOTHING RETURNING *, 0 AS latest_runs`),
        setState: (id, state) =>
          Effect.andThen(
            Effect.orDie(sql`UPDATE check_suites SET ${sql.update(state)} WHERE id = ${id}`),
            find(sql`s.id = ${id}`)
          ),
        preferences: (repositoryId) =>
          settings(sql`
            SELECT app_id, setting FROM check_preferences WHERE repository_id = ${repositoryId} ORDER BY app_id`),
        setPreference: (repository_id, app_id, setting) =>
          Effect.orDie(
            Effect.asVoid(sql`
              INSERT INTO check_preferences ${sql.insert({ repository_id, app_id, setting: setting ? 1 : 0 })}
              ON CONFLICT (repository_id, app_id) DO UPDATE SET setting = excluded.setting`)
          )
      })
    })
  )
}
