/** Database rows of webhooks. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { timestamp } from "../base/Time.ts"
import type { Fragment } from "effect/sql/Statement"
import * as CircuitBreaker from "./CircuitBreaker.ts"
import * as EventPermissions from "./EventPermissions.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

/** The repository, organization or app that a webhook belongs to. */
export interface HookOwner {
  readonly kind: "repository" | "organization" | "app"
  readonly id: number
}

export const ContentType = Schema.Literals(["json", "form"])
export const InsecureSsl = Schema.Literals(["0", "1"])

export const HookRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.NullOr(Schema.Int),
  organization_id: Schema.NullOr(Schema.Int),
  app_id: Schema.NullOr(Schema.Int),
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

/** A webhook that receives an event. The `events` of an app's webhook are those that the installation permits. */
const ListeningRow = Schema.Struct({
  ...HookRow.fields,
  /** The installation whose events an app's webhook receives. Null for other webhooks. */
  installation_id: Schema.NullOr(Schema.Int),
  permissions: Schema.NullOr(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))
})

/** A webhook that receives an event, with the installation if it is the webhook of an app. */
export type ListeningHook = Omit<typeof ListeningRow.Type, "permissions">

/** The settings of a hook that the owner can change. */
export type HookSettings = Pick<HookRow, "active" | "events" | "url" | "content_type" | "insecure_ssl" | "sealed">

export interface NewHook extends HookSettings {
  readonly owner: HookOwner
  readonly creatorId: number | null
  readonly byApp: boolean
}

const one = decodeFirstRow(HookRow)
const all = decodeRows(HookRow)
const listeners = decodeRows(ListeningRow)

/** Columns of a webhook, without `events`. */
const columnNames = Object.keys(HookRow.fields)
  .filter((name) => name !== "events")
  .map((name) => `h.${name}`)
  .join(", ")

/** Events of an installation: the events of the app, by default those of the installation itself. */
const SUBSCRIBED = "coalesce(a.events, i.events)"

/** Leaves out events that the installation does not permit. */
const permitted = ({ permissions, ...hook }: typeof ListeningRow.Type): ListeningHook =>
  permissions === null
    ? hook
    : { ...hook, events: hook.events.filter((event) => EventPermissions.allows(permissions, event)) }

export class HookRows extends Context.Service<
  HookRows,
  {
    /** Returns the webhooks of a repository or organization, oldest first. */
    list(owner: HookOwner): Effect.Effect<ReadonlyArray<HookRow>>
    find(owner: HookOwner, id: number): Effect.Effect<HookRow | undefined>
    add(hook: NewHook): Effect.Effect<HookRow>
    update(id: number, settings: HookSettings): Effect.Effect<void>
    remove(id: number): Effect.Effect<void>
    /** Returns the active webhooks of a repository, the owner and installed apps that subscribe to one of the events. */
    listening(
      repositoryId: number,
      ownerId: number,
      events: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyArray<ListeningHook>>
    /**
     * Returns the active webhooks of an organization and of installed apps that subscribe to an event. Apps need access
     * to the repository, if the event names one.
     */
    ofOrganization(
      organizationId: number,
      event: string,
      repositoryId: number | undefined
    ): Effect.Effect<ReadonlyArray<ListeningHook>>
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
      const at = ({ id, kind }: HookOwner) => sql`${sql(`${kind}_id`)} = ${id}`
      const columns = (settings: HookSettings) => ({ ...settings, events: JSON.stringify(settings.events) })

      const listening = (
        owners: Fragment,
        accountId: number,
        repositoryId: number | undefined,
        events: ReadonlyArray<string>
      ) =>
        Effect.map(
          listeners(sql`
            SELECT ${sql.literal(columnNames)}, h.events, NULL AS installation_id, NULL AS permissions
            FROM hooks h WHERE (${owners}) AND h.active = 1 AND ${jsonHasAny("h.events", ["*", ...events])}
            UNION ALL
            SELECT ${sql.literal(columnNames)}, ${sql.literal(SUBSCRIBED)}, i.id, i.permissions
            FROM installations i JOIN apps a ON a.id = i.app_id JOIN hooks h ON h.app_id = a.id
            WHERE i.account_id = ${accountId} AND i.suspended_at IS NULL AND h.active = 1
              AND ${jsonHasAny(SUBSCRIBED, events)}
              AND ${
                repositoryId === undefined
                  ? sql`true`
                  : sql`(i.selection = 'all' OR EXISTS (SELECT 1 FROM installation_repositories s
                      WHERE s.installation_id = i.id AND s.repository_id = ${repositoryId}))`
              }
            ORDER BY id`),
          (found) => found.map(permitted)
        )

      return HookRows.of({
        list: (owner) => all(sql`SELECT * FROM hooks WHERE ${at(owner)} ORDER BY id`),
        find: (owner, id) => one(sql`SELECT * FROM hooks WHERE ${at(owner)} AND id = ${id}`),
        add: Effect.fn("Hooks.add")(function* ({ byApp, creatorId, owner, ...settings }: NewHook) {
          const now = timestamp(yield* Clock.currentTimeMillis)
          const row = {
            repository_id: owner.kind === "repository" ? owner.id : null,
            organization_id: owner.kind === "organization" ? owner.id : null,
            app_id: owner.kind === "app" ? owner.id : null,
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
          listening(
            sql`h.repository_id = ${repositoryId} OR h.organization_id = ${ownerId}`,
            ownerId,
            repositoryId,
            events
          ),
        ofOrganization: (organizationId, event, repositoryId) =>
          Effect.map(
            listening(sql`h.organization_id = ${organizationId}`, organizationId, repositoryId, [event]),
            // An app's webhook may lack the permission for the event.
            (found) => found.filter(({ events }) => events.includes("*") || events.includes(event))
          ),
        answered: (id, last) => run(sql`UPDATE hooks SET ${sql.update({ ...last })} WHERE id = ${id}`)
      })
    })
  )
}
