/** Operations shared by repository and organization webhooks (spec part 2 §4.6, spec part 3 §4.11, spec part 4). */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { HookConfig, HookDelivery, HookDeliverySummary } from "@tongs/core/contract/groups/Hooks"
import type { Authenticated, Caller } from "../../access/Caller.ts"
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
import { mask, maskedSecret } from "../../webhooks/HookUrl.ts"
import { Outbox } from "../../webhooks/Outbox.ts"
import { SecretSealer } from "../../webhooks/SecretSealer.ts"
import * as HookInput from "./HookInput.ts"

/** Owner of the webhooks, and the caller. */
export interface HookScope {
  readonly place: HookOwner
  readonly caller: Authenticated
  /** API URL of the owner's webhooks. */
  readonly url: string
}

/** The signed-in caller. Fails with `NotFound` for anonymous callers. */
export const signedIn = (caller: Caller) =>
  caller.kind === "anonymous" ? Effect.fail(ApiError.notFound()) : Effect.succeed(caller)

/**
 * True if the caller may see the webhook (spec part 1 §5.9). For organizations, OAuth apps see only their own webhooks;
 * other callers see those created without an app, and their own. The account that an app acts for identifies the app.
 */
const mayKnow = ({ caller, place }: HookScope, hook: HookRow): boolean =>
  place.kind === "repository" ||
  (hook.creator_id === caller.user.id
    ? caller.kind !== "oauth" || hook.by_app === 1
    : caller.kind !== "oauth" && hook.by_app === 0)

/** Operations on webhooks, for the handlers of both kinds. */
export const make = Effect.gen(function* () {
  // The check for duplicates and the write need one transaction.
  const transaction = yield* Transaction.make
  const hooks = yield* HookRows
  const deliveries = yield* DeliveryRows
  const outbox = yield* Outbox
  const secrets = yield* SecretSealer

  const find = Effect.fnUntraced(function* (site: HookScope, id: number) {
    const hook = Option.getOrUndefined(yield* hooks.find(site.place, id))
    return hook === undefined || !mayKnow(site, hook) ? yield* ApiError.notFound() : hook
  })

  /** Fails if another webhook of the owner has the same configuration and shares an event. */
  const unlikeOthers = Effect.fnUntraced(function* (
    { place }: HookScope,
    wanted: HookInput.UnsealedHook,
    own?: number
  ) {
    const others = (yield* hooks.list(place)).filter(({ id }) => id !== own)
    const same = others.some(
      (other) =>
        HookInput.isSameConfig(wanted, HookInput.unseal(other, secrets.open(other.sealed))) &&
        other.events.some((event) => event === "*" || wanted.events.includes("*") || wanted.events.includes(event))
    )
    if (same) {
      const message = `Hook already exists on this ${place.kind}`
      return yield* ApiError.invalid(message, [{ resource: "Hook", code: "custom", message }])
    }
  })

  const settings = ({ secrets: own, ...wanted }: HookInput.UnsealedHook) => ({ ...wanted, sealed: secrets.seal(own) })

  const change = (
    site: HookScope,
    id: number,
    how: (
      from: HookInput.UnsealedHook
    ) => Effect.Effect<HookInput.UnsealedHook, ApiError.ApiError & { _tag: "ValidationFailed" }>
  ) =>
    transaction(
      Effect.gen(function* () {
        const hook = yield* find(site, id)
        const wanted = yield* how(HookInput.unseal(hook, secrets.open(hook.sealed)))
        yield* unlikeOthers(site, wanted, id)
        yield* hooks.update(id, settings(wanted))
        return yield* find(site, id)
      })
    )

  const config = (hook: HookRow): HookConfig => ({
    content_type: hook.content_type,
    insecure_ssl: hook.insecure_ssl,
    url: mask(hook.url),
    ...(hook.sealed === null || Option.exists(secrets.open(hook.sealed), ({ secret }) => secret === undefined)
      ? {}
      : { secret: maskedSecret })
  })

  const delivered = Effect.fnUntraced(function* (hook: HookRow, id: number) {
    return Option.getOrUndefined(yield* deliveries.find(hook.id, id)) ?? (yield* ApiError.notFound())
  })

  return {
    find,

    list: (site: HookScope, page: PageRequest) =>
      Effect.map(hooks.list(site.place), (all) =>
        Paging.slice(
          all.filter((hook) => mayKnow(site, hook)),
          page
        )
      ),

    /** Creates the webhook and records `ping` in one transaction. */
    create: <E>(site: HookScope, input: HookInput.NewHook, ping: (hook: HookRow) => Effect.Effect<void, E>) =>
      transaction(
        Effect.gen(function* () {
          const wanted = yield* HookInput.create(input)
          yield* unlikeOthers(site, wanted)
          const { caller, place } = site
          const by = { creatorId: caller.user.id, byApp: caller.kind === "oauth" }
          const hook = yield* hooks.add({ ...settings(wanted), ...by, place })
          yield* ping(hook)
          return hook
        })
      ),

    update: (site: HookScope, id: number, input: HookInput.HookChange) =>
      change(site, id, (from) => HookInput.update(from, input)),

    updateConfig: (site: HookScope, id: number, input: HookInput.Config) =>
      change(site, id, (from) => HookInput.updateConfig(from, input)),

    remove: Effect.fnUntraced(function* (site: HookScope, id: number) {
      yield* hooks.remove((yield* find(site, id)).id)
    }),

    config,

    /** Members of a webhook that both kinds share. */
    common: (site: HookScope, hook: HookRow) => {
      const url = `${site.url}/${hook.id}`
      return {
        type: site.place.kind === "repository" ? "Repository" : "Organization",
        id: hook.id,
        name: "web",
        active: hook.active === 1,
        events: hook.events,
        config: config(hook),
        updated_at: parseTimestamp(hook.updated_at),
        created_at: parseTimestamp(hook.created_at),
        url,
        ping_url: `${url}/pings`,
        deliveries_url: `${url}/deliveries`
      }
    },

    deliveries: Effect.fnUntraced(function* (
      site: HookScope,
      input: { readonly hook_id: number; readonly cursor?: string; readonly status?: "success" | "failure" },
      { perPage }: PageRequest
    ) {
      const hook = yield* find(site, input.hook_id)
      const position = yield* readCursor(input.cursor)
      const part = (position: DeliveryCursor | undefined, limit: number) =>
        deliveries.page({ hookId: hook.id, position, outcome: input.status, limit })
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

    delivery: Effect.fnUntraced(function* (site: HookScope, hookId: number, id: number) {
      return whole(yield* delivered(yield* find(site, hookId), id))
    }),

    redeliver: Effect.fnUntraced(function* (site: HookScope, hookId: number, id: number) {
      const hook = yield* find(site, hookId)
      yield* outbox.redeliver(hook.id, yield* delivered(hook, id))
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
  installation_id: null,
  repository_id: row.repository_id,
  throttled_at: null
})

const whole = (row: DeliveryRow): HookDelivery => ({
  ...summary(row),
  ...(row.url === null ? {} : { url: mask(row.url) }),
  request: { headers: row.request_headers, payload: JSON.parse(row.payload) },
  response: { headers: row.response_headers, payload: row.response_body }
})

/** The `zen` member of a ping payload. */
export const zen = "Keep it logically awesome."

/** Removes undefined members. */
export const definedMembers = (config: {
  readonly [K in keyof HookInput.Config]: HookInput.Config[K] | undefined
}): HookInput.Config => Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
