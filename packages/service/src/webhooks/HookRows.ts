/** Database rows of webhooks. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { timestamp } from "../base/Time.ts"
import * as CircuitBreaker from "./CircuitBreaker.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

/** The repository or organization that a webhook belongs to. */
export interface HookOwner {
  readonly kind: "repository" | "organization"
  readonly id: number
}

export const ContentType = Schema.Literals(["json", "form"])
export const InsecureSsl = Schema.Literals(["0", "1"])

export const HookRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.NullOr(Schema.Int),
  organization_id: Schema.NullOr(Schema.Int),
  /** Null if the account was deleted. */
  creator_id: Schema.NullOr(Schema.Int),
  /** 1 if an OAuth app created the hook for a user. */
  by_app: Schema.Int,
  active: Schema.Int,
  events: Schema.fromJsonString(Schema.Array(Schema.String)),
  url: Schema.String,
  content_type: ContentType,
  insecure_ssl: InsecureSsl,
  /** Encrypted secrets of the webhook, see `SecretSealer`. */
  sealed: Schema.NullOr(Schema.String),
  last_code: Schema.NullOr(Schema.Int),
  last_status: Schema.String,
  last_message: Schema.NullOr(Schema.String),
  /** State of the webhook's circuit breaker, see `CircuitBreaker.BreakerState`. */
  failures: Schema.Int,
  is_slow: Schema.Int,
  retry_at: Schema.Int,
  recovered_at: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type HookRow = typeof HookRow.Type

/** The settings of a hook that the owner can change. */
export type HookSettings = Pick<HookRow, "active" | "events" | "url" | "content_type" | "insecure_ssl" | "sealed">

export interface NewHook extends HookSettings {
  readonly owner: HookOwner
  readonly creatorId: number
  readonly byApp: boolean
}

const one = decodeFirstRow(HookRow)
const all = decodeRows(HookRow)

export class HookRows extends Context.Service<
  HookRows,
  {
    /** Returns the webhooks of a repository or organization, oldest first. */
    list(owner: HookOwner): Effect.Effect<ReadonlyArray<HookRow>>
    find(owner: HookOwner, id: number): Effect.Effect<HookRow | undefined>
    add(hook: NewHook): Effect.Effect<HookRow>
    update(id: number, settings: HookSettings): Effect.Effect<void>
    remove(id: number): Effect.Effect<void>
    /** Returns the active webhooks of a repository and the owner that subscribe to one of the events. */
    listening(
      repositoryId: number,
      ownerId: number,
      events: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyArray<HookRow>>
    /** Returns the active webhooks of an organization that subscribe to an event. */
    ofOrganization(organizationId: number, event: string): Effect.Effect<ReadonlyArray<HookRow>>
    /** Records the result of a webhook's last delivery, and the new state of the circuit breaker. */
    answered(
      id: number,
      last: Pick<HookRow, "last_code" | "last_status" | "last_message"> & CircuitBreaker.BreakerState
    ): Effect.Effect<void>
  }
>()("@tongs/service/webhooks/HookRows") {
  static readonly layer = Layer.effect(
    HookRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { jsonHasAny } = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const at = ({ id, kind }: HookOwner) =>
        kind === "repository" ? sql`repository_id = ${id}` : sql`organization_id = ${id}`
      const columns = (settings: HookSettings) => ({ ...settings, events: JSON.stringify(settings.events) })

      return HookRows.of({
        list: (owner) => all(sql`SELECT * FROM hooks WHERE ${at(owner)} ORDER BY id`),
        find: (owner, id) => one(sql`SELECT * FROM hooks WHERE ${at(owner)} AND id = ${id}`),
        add: Effect.fn("Hooks.add")(function* ({ byApp, creatorId, owner, ...settings }: NewHook) {
          const now = timestamp(yield* Clock.currentTimeMillis)
          const row = {
            repository_id: owner.kind === "repository" ? owner.id : null,
            organization_id: owner.kind === "organization" ? owner.id : null,
            creator_id: creatorId,
            by_app: byApp ? 1 : 0,
            ...columns(settings),
            created_at: now,
            updated_at: now
          }
          return yield* requireRow(one(sql`INSERT INTO hooks ${sql.insert(row)} RETURNING *`))
        }),
        update: Effect.fn("Hooks.update")(function* (id: number, settings: HookSettings) {
          const updated_at = timestamp(yield* Clock.currentTimeMillis)
          yield* run(
            sql`UPDATE hooks SET ${sql.update({ ...columns(settings), ...CircuitBreaker.closed, updated_at })} WHERE id = ${id}`
          )
        }),
        remove: (id) => run(sql`DELETE FROM hooks WHERE id = ${id}`),
        listening: (repositoryId, ownerId, events) =>
          all(sql`
            SELECT * FROM hooks h WHERE (repository_id = ${repositoryId} OR organization_id = ${ownerId}) AND active = 1
              AND ${jsonHasAny("h.events", ["*", ...events])}
            ORDER BY id`),
        ofOrganization: (organizationId, event) =>
          all(sql`
            SELECT * FROM hooks h WHERE organization_id = ${organizationId} AND active = 1
              AND ${jsonHasAny("h.events", ["*", event])}
            ORDER BY id`),
        answered: (id, last) => run(sql`UPDATE hooks SET ${sql.update({ ...last })} WHERE id = ${id}`)
      })
    })
  )
}
