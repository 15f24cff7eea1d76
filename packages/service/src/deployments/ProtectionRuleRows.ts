/** Database rows of custom protection rules of environments, and the apps that can have one. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"

const App = Schema.Struct({ id: Schema.Int, slug: Schema.String })
/** An app by id and slug. */
export type RuleApp = typeof App.Type

const ProtectionRuleRow = Schema.Struct({ id: Schema.Int, app_id: Schema.Int, slug: Schema.String })
export type ProtectionRuleRow = typeof ProtectionRuleRow.Type

const one = decodeFirstRow(ProtectionRuleRow)
const all = decodeRows(ProtectionRuleRow)
const apps = decodeRows(App)

/** Reads and writes custom protection rules. */
export class ProtectionRuleRows extends Context.Service<
  ProtectionRuleRows,
  {
    list(environmentId: number): Effect.Effect<ReadonlyArray<ProtectionRuleRow>>
    find(environmentId: number, id: number): Effect.Effect<ProtectionRuleRow | undefined>
    /** Adds the rule of an app, unless the environment has it. */
    ensure(environmentId: number, appId: number): Effect.Effect<ProtectionRuleRow>
    remove(id: number): Effect.Effect<void>
    /** Returns the apps of ids, by slug. */
    apps(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<RuleApp>>
  }
>()("@tongs/service/deployments/ProtectionRuleRows") {
  static readonly layer = Layer.effect(
    ProtectionRuleRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const columns = sql.literal(
        "SELECT r.id, r.app_id, a.slug FROM deployment_protection_rules r JOIN apps a ON a.id = r.app_id"
      )
      return ProtectionRuleRows.of({
        list: (environmentId) => all(sql`${columns} WHERE r.environment_id = ${environmentId} ORDER BY r.id`),
        find: (environmentId, id) => one(sql`${columns} WHERE r.environment_id = ${environmentId} AND r.id = ${id}`),
        ensure: Effect.fn("ProtectionRuleRows.ensure")(function* (environment_id, app_id) {
          const row = { environment_id, app_id }
          yield* run(sql`INSERT INTO deployment_protection_rules ${sql.insert(row)} ON CONFLICT DO NOTHING`)
          return yield* requireRow(
            one(sql`${columns} WHERE r.environment_id = ${environment_id} AND r.app_id = ${app_id}`)
          )
        }),
        remove: (id) => run(sql`DELETE FROM deployment_protection_rules WHERE id = ${id}`),
        apps: (ids) =>
          ids.length === 0
            ? Effect.succeed([])
            : apps(sql`SELECT id, slug FROM apps WHERE ${sql.in("id", ids)} ORDER BY slug`)
      })
    })
  )
}
