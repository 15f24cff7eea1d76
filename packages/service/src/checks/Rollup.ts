/** The checks of commits: the newest status of each context, and the newest check run of each name and app. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { accountJson } from "../accounts/UserRows.ts"
import * as RevisionCache from "../storage/RevisionCache.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { CheckRunRow } from "./CheckRunRows.ts"
import { StatusRow } from "./StatusRows.ts"

const { actions: _, summary: __, text: ___, ...runFields } = CheckRunRow.fields

/** A check run without its texts. */
export const RollupRun = Schema.Struct(runFields)
export type RollupRun = typeof RollupRun.Type

/** The state of a commit, of which the first one applies that a status or check run has. */
export type RollupState = "failure" | "error" | "pending" | "success"

/** The checks of a commit, the oldest first. */
export interface Rollup {
  readonly state: RollupState
  readonly statuses: ReadonlyArray<StatusRow>
  readonly runs: ReadonlyArray<RollupRun>
}

/** Maximum statuses and maximum check runs of a request, and maximum cached commits. */
const MAX_ROWS = 20_000
const MAX_KNOWN = 1000

/** Conclusions that let a commit pass. */
const passed: ReadonlySet<string | null> = new Set(["success", "neutral", "skipped"])

/** Returns the state of a check run as a part of a commit's state. A stale check run has to run again. */
export const stateOfRun = ({ conclusion, status }: Pick<RollupRun, "conclusion" | "status">): RollupState => {
  if (status !== "completed" || conclusion === "stale") return "pending"
  return passed.has(conclusion) ? "success" : "failure"
}

const order = ["failure", "error", "pending", "success"] as const // literal types

const rollup = (statuses: ReadonlyArray<StatusRow>, runs: ReadonlyArray<RollupRun>): Rollup => {
  const states = new Set<RollupState>([...statuses.map(({ state }) => state), ...runs.map(stateOfRun)])
  return { state: order.find((one) => states.has(one)) ?? "success", statuses, runs }
}

const statusRows = decodeRows(StatusRow)
const runRows = decodeRows(RollupRun)

/** Reads the checks of commits. */
export class Rollups extends Context.Service<
  Rollups,
  {
    /** Returns the checks of commits by their ids, in at most two statements. Commits without checks are missing. */
    ofCommits(repositoryId: number, oids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, Rollup>>
  }
>()("@tongs/service/checks/Rollups") {
  static readonly layer = Layer.effect(
    Rollups,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const known = RevisionCache.make<Rollup | null>(yield* StoreRevision, MAX_KNOWN)
      const creator = sql.literal(accountJson(fragments, "u"))
      const columns = sql.literal(Object.keys(runFields).join(", "))

      const read = Effect.fnUntraced(function* (repositoryId: number, oids: ReadonlyArray<string>) {
        const statuses = yield* statusRows(sql`
          SELECT s.*, ${creator} AS creator FROM commit_statuses s LEFT JOIN users u ON u.id = s.creator_id
          WHERE s.repository_id = ${repositoryId} AND ${fragments.isOneOfTexts("s.sha", oids)} AND s.is_latest = 1
          ORDER BY s.id LIMIT ${MAX_ROWS}`)
        const runs = yield* runRows(sql`
          SELECT ${columns} FROM check_runs
          WHERE repository_id = ${repositoryId} AND ${fragments.isOneOfTexts("head_sha", oids)} AND is_latest = 1
          ORDER BY id LIMIT ${MAX_ROWS}`)
        const statusesOf = Map.groupBy(statuses, ({ sha }) => sha)
        const runsOf = Map.groupBy(runs, ({ head_sha }) => head_sha)
        return new Map(
          oids.map((oid) => {
            const [own = [], ownRuns = []] = [statusesOf.get(oid), runsOf.get(oid)]
            return [oid, own.length + ownRuns.length === 0 ? null : rollup(own, ownRuns)] as const // a pair
          })
        )
      })

      return Rollups.of({
        ofCommits: Effect.fn("Rollups.ofCommits")(function* (repositoryId, oids) {
          const keyOf = (oid: string) => `${repositoryId} ${oid}`
          const found = yield* known.getAll(oids.map(keyOf), (missing) =>
            Effect.map(
              read(
                repositoryId,
                missing.map((key) => key.slice(key.indexOf(" ") + 1))
              ),
              (rollups) => new Map([...rollups].map(([oid, one]) => [keyOf(oid), one]))
            )
          )
          return new Map(
            oids.flatMap((oid) => {
              const one = found.get(keyOf(oid))
              return one === null || one === undefined ? [] : [[oid, one] as const] // a pair
            })
          )
        })
      })
    })
  )
}
