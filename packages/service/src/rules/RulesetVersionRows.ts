/** Database rows of the versions of rulesets: one for the creation and for each change. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { PageRequest, Slice } from "../base/Paging.ts"
import { timestamp } from "../base/Time.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import { RulesetContent } from "./RulesetRows.ts"

const fields = {
  id: Schema.Int,
  /** Null if the account was deleted. */
  actor_id: Schema.NullOr(Schema.Int),
  created_at: Schema.String
}

export const RulesetVersionRow = Schema.Struct(fields)
export type RulesetVersionRow = typeof RulesetVersionRow.Type

export const RulesetVersionWithState = Schema.Struct({ ...fields, state: Schema.fromJsonString(RulesetContent) })
export type RulesetVersionWithState = typeof RulesetVersionWithState.Type

/** Maximum number of versions of a ruleset. Older versions are deleted. */
const MAX_VERSIONS = 1000

const rows = decodeRows(RulesetVersionRow)
const one = decodeFirstRow(RulesetVersionWithState)

/** Reads and writes the versions of rulesets. */
export class RulesetVersionRows extends Context.Service<
  RulesetVersionRows,
  {
    add(rulesetId: number, actorId: number | null, state: RulesetContent): Effect.Effect<void>
    /** Returns a page of the versions, newest first. */
    list(rulesetId: number, page: PageRequest): Effect.Effect<Slice<RulesetVersionRow>>
    get(rulesetId: number, id: number): Effect.Effect<RulesetVersionWithState | undefined>
  }
>()("@tongs/service/rules/RulesetVersionRows") {
  static readonly layer = Layer.effect(
    RulesetVersionRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const add = Effect.fn("RulesetVersionRows.add")(function* (
        rulesetId: number,
        actorId: number | null,
        { bypass_actors, conditions, enforcement, name, rules, target }: RulesetContent
      ) {
        const state = JSON.stringify({ name, target, enforcement, bypass_actors, conditions, rules })
        const created_at = timestamp(yield* Clock.currentTimeMillis)
        const row = { ruleset_id: rulesetId, actor_id: actorId, state, created_at }
        yield* sql`INSERT INTO ruleset_versions ${sql.insert(row)}`
        yield* sql`
          DELETE FROM ruleset_versions WHERE ruleset_id = ${rulesetId} AND id <= (
            SELECT id FROM ruleset_versions WHERE ruleset_id = ${rulesetId}
            ORDER BY id DESC LIMIT 1 OFFSET ${MAX_VERSIONS})`
      }, Effect.orDie)

      return RulesetVersionRows.of({
        add,
        list: Effect.fn("RulesetVersionRows.list")(function* (rulesetId, { offset, perPage }) {
          const where = sql`ruleset_id = ${rulesetId}`
          const items = yield* rows(sql`
            SELECT id, actor_id, created_at FROM ruleset_versions WHERE ${where}
            ORDER BY id DESC LIMIT ${perPage} OFFSET ${offset}`)
          return {
            items,
            total: yield* decodeCount(sql`SELECT count(*) AS count FROM ruleset_versions WHERE ${where}`)
          }
        }),
        get: (rulesetId, id) =>
          one(sql`
            SELECT id, actor_id, created_at, state FROM ruleset_versions WHERE ruleset_id = ${rulesetId} AND id = ${id}`)
      })
    })
  )
}
