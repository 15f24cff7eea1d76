/** Operations shared by repository and organization webhooks. */
import * as Effect from "effect/Effect"
import type { HookConfig, HookDelivery, HookDeliverySummary } from "@tongs/core/contract/groups/Hooks"
import type { Authenticated } from "../../access/Caller.ts"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import * as Paging from "../../base/Paging.ts"
import * as ApiError from "../../api/ApiError.ts"
import { parseTimestamp } from "../../base/Time.ts"
import * as Transaction from "../../storage/Transaction.ts"
import {
  DeliveryRows,
  type DeliveryCursor,
  type DeliveryRow,
  type DeliverySummaryRow
} from "../../webhooks/DeliveryRows.ts"
import { type HookRow, HookRows, type HookOwner } from "../../webhooks/HookRows.ts"
import { mask, MASKED_SECRET } from "../../webhooks/HookUrl.ts"
import { Outbox } from "../../webhooks/Outbox.ts"
import { SecretSealer } from "../../webhooks/SecretSealer.ts"
import * as HookInput from "./HookInput.ts"

/** Owner of the webhooks, and the caller. */
export interface HookViewer {
  readonly owner: HookOwner
  /** Undefined for the app that owns the webhook. */
  readonly caller: Authenticated | undefined
}

export interface HookScope extends HookViewer {
  readonly caller: Authenticated
  /** API URL of the owner's webhooks. */
  readonly url: string
}

/**
 * True if the caller may see the webhook. An OAuth app sees only webhooks of this app in an organization; other callers
 * see webhooks created without an app, by the caller, or by deleted accounts, which no other caller could remove. The
 * account that an app acts for identifies the app.
 */
const mayKnow = ({ caller, owner }: HookViewer, row: HookRow): boolean =>
  owner.kind !== "organization" ||
  caller === undefined ||
  (row.creator_id === caller.user.id
    ? caller.kind !== "oauth" || row.by_app === 1
    : caller.kind !== "oauth" && (row.by_app === 0 || row.creator_id === null))

/** Operations on the webhooks of a repository or an organization. */
export type HookOperations = Effect.Success<typeof make>

/** Creates the operations, for the handlers of both kinds. */
export const make = Effect.gen(function* () {
  // The check for duplicates and the write need one transaction.
  const transaction = yield* Transaction.make
  const hooks = yield* HookRows
  const deliveries = yield* DeliveryRows
  const outbox = yield* Outbox
  const secrets = yield* SecretSealer

  const find = Effect.fnUntraced(function* (scope: HookViewer, id: number) {
    const row = yield* hooks.find(scope.owner, id)
    return row === undefined || !mayKnow(scope, row) ? yield* ApiError.notFound() : row
  })

  /** Fails if another webhook of the owner has the same configuration and shares an event. */
  const unlikeOthers = Effect.fnUntraced(function* (
    { owner }: HookViewer,
    wanted: HookInput.UnsealedHook,
    own?: number
  ) {
    const others = (yield* hooks.list(owner)).filter(({ id }) => id !== own)
    const same = others.some(
      (other) =>
        HookInput.isSameConfig(wanted, HookInput.unseal(other, secrets.open(other.sealed))) &&
        other.events.some((event) => event === "*" || wanted.events.includes("*") || wanted.events.includes(event))
    )
    if (same) {
      const message = `Hook already exists on this ${owner.kind}`
      return yield* ApiError.invalid(message, [{ resource: "Hook", code: "custom", message }])
    }
  })

  const settings = ({ secrets: own, ...wanted }: HookInput.UnsealedHook) => ({ ...wanted, sealed: secrets.seal(own) })

  const change = (
    scope: HookViewer,
    id: number,
    how: (
      from: HookInput.UnsealedHook
    ) => Effect.Effect<HookInput.UnsealedHook, ApiError.ApiError & { _tag: "ValidationFailed" }>
  ) =>
    transaction(
      Effect.gen(function* () {
        const row = yield* find(scope, id)
        const wanted = yield* how(HookInput.unseal(row, secrets.open(row.sealed)))
        yield* unlikeOthers(scope, wanted, id)
        yield* hooks.update(id, settings(wanted))
        return yield* find(scope, id)
      })
    )

  const config = (row: HookRow): HookConfig => ({
    content_type: row.content_type,
    insecure_ssl: row.insecure_ssl,
    url: mask(row.url),
    // Secrets that cannot be decrypted count as a secret.
    ...(row.sealed === null || (secrets.open(row.sealed) ?? { secret: "" }).secret === undefined
      ? {}
      : { secret: MASKED_SECRET })
  })

  const delivered = Effect.fnUntraced(function* (row: HookRow, id: number) {
    return (yield* deliveries.find(row.id, id)) ?? (yield* ApiError.notFound())
  })

  return {
    find,

    list: (scope: HookScope, page: PageRequest) =>
      Effect.map(hooks.list(scope.owner), (all) =>
        Paging.slice(
          all.filter((row) => mayKnow(scope, row)),
          page
        )
      ),

    /** Creates the webhook and records `ping` in one transaction. */
    create: <E>(scope: HookScope, input: HookInput.NewHook, ping: (row: HookRow) => Effect.Effect<void, E>) =>
      transaction(
        Effect.gen(function* () {
          const wanted = yield* HookInput.create(input)
          yield* unlikeOthers(scope, wanted)
          const { caller, owner } = scope
          const by = { creatorId: caller.user.id, byApp: caller.kind === "oauth" }
          const row = yield* hooks.add({ ...settings(wanted), ...by, owner })
          yield* ping(row)
          return row
        })
      ),

    update: (scope: HookScope, id: number, input: HookInput.HookChange) =>
      change(scope, id, (from) => HookInput.update(from, input)),

    updateConfig: (scope: HookViewer, id: number, input: HookInput.Config) =>
      change(scope, id, (from) => HookInput.updateConfig(from, input)),

    remove: Effect.fnUntraced(function* (scope: HookScope, id: number) {
      yield* hooks.remove((yield* find(scope, id)).id)
    }),

    config,

    /** Members of a webhook that both kinds share. */
    common: (scope: HookScope, row: HookRow) => {
      const url = `${scope.url}/${row.id}`
      return {
        type: scope.owner.kind === "repository" ? "Repository" : "Organization",
        id: row.id,
        name: "web",
        active: row.active === 1,
        events: row.events,
        config: config(row),
        updated_at: parseTimestamp(row.updated_at),
        created_at: parseTimestamp(row.created_at),
        url,
        ping_url: `${url}/pings`,
        deliveries_url: `${url}/deliveries`
      }
    },

    deliveries: Effect.fnUntraced(function* (
      scope: HookViewer,
      input: {
        readonly hook_id: number
        readonly cursor?: string | undefined
        readonly status?: "success" | "failure" | undefined
      },
      { perPage }: PageRequest
    ) {
      const row = yield* find(scope, input.hook_id)
      const position = yield* readCursor(input.cursor)
      const part = (position: DeliveryCursor | undefined, limit: number) =>
        deliveries.page({ hookId: row.id, position, outcome: input.status, limit })
      const nearest = yield* part(position, perPage + 1)
      const isNewer = position !== undefined && "after" in position
      const items = isNewer ? nearest.slice(0, perPage).toReversed() : nearest.slice(0, perPage)
      const [first, last] = [items.at(0), items.at(-1)]
      if (first === undefined || last === undefined) return { items: [], total: {} }
      const newer = { after: first.id }
      const older = { before: last.id }
      const hasMore = nearest.length > perPage
      const hasNewer = isNewer ? hasMore : position !== undefined && (yield* part(newer, 1)).length > 0
      const hasOlder = isNewer ? (yield* part(older, 1)).length > 0 : hasMore
      const total = {
        ...(hasNewer ? { prev: { cursor: printCursor(newer) } } : {}),
        ...(hasOlder ? { next: { cursor: printCursor(older) } } : {})
      }
      return { items: items.map(summary), total } satisfies Slice<HookDeliverySummary>
    }),

    delivery: Effect.fnUntraced(function* (scope: HookViewer, hookId: number, id: number) {
      return whole(yield* delivered(yield* find(scope, hookId), id))
    }),

    redeliver: Effect.fnUntraced(function* (scope: HookViewer, hookId: number, id: number) {
      const row = yield* find(scope, hookId)
      yield* outbox.redeliver(row.id, yield* delivered(row, id))
      return {}
    }),

    send: outbox.put
  }
})

/** Encodes a cursor, which is opaque to callers. */
const printCursor = (position: DeliveryCursor): string =>
  "after" in position ? `v1_after_${position.after}` : `v1_${position.before}`

const readCursor = Effect.fnUntraced(function* (cursor: string | undefined) {
  if (cursor === undefined) return undefined
  const [, after, id] = /^v1_(after_)?(\d{1,15})$/.exec(cursor) ?? []
  if (id === undefined) {
    return yield* ApiError.invalid("Invalid cursor. Use one from the Link header", [
      { resource: "HookDelivery", field: "cursor", code: "invalid" }
    ])
  }
  const position: DeliveryCursor = after === undefined ? { before: Number(id) } : { after: Number(id) }
  return position
})

const summary = (row: DeliverySummaryRow): HookDeliverySummary => ({
  id: row.id,
  guid: row.guid,
  delivered_at: row.delivered_at,
  redelivery: row.redelivery === 1,
  duration: row.duration,
  status: row.status,
  status_code: row.status_code,
  event: row.event,
  action: row.action,
  installation_id: row.installation_id,
  repository_id: row.repository_id,
  throttled_at: null
})

const whole = (row: DeliveryRow): HookDelivery => ({
  ...summary(row),
  ...(row.url === null ? {} : { url: mask(row.url) }),
  request: { headers: row.request_headers, payload: JSON.parse(row.payload) },
  response: { headers: row.response_headers, payload: row.response_body }
})

/** The `ZEN` member of a ping payload. */
export const ZEN = "Keep it logically awesome."

/** Removes undefined members. */
export const definedMembers = (config: {
  readonly [K in keyof HookInput.Config]: HookInput.Config[K] | undefined
}): HookInput.Config => Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
