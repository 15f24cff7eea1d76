/**
 * Records events for the lists of events and queues webhook deliveries, both in one transaction, which can be a
 * transaction of the caller.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { GitError } from "../git/values/GitError.ts"
import { timestamp } from "../base/Time.ts"
import * as Transaction from "../storage/Transaction.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import * as Shapes from "../api/Shapes.ts"
import type { Urls } from "../api/Urls.ts"
import { EventRows } from "./EventRows.ts"
import { HookRows } from "../webhooks/HookRows.ts"
import { Outbox } from "../webhooks/Outbox.ts"
import type { WebhookEvent, EventContext, NewEvent, OrganizationEvent } from "./NewEvent.ts"
import * as WebhookPayloads from "./WebhookPayloads.ts"
import { PushPayload } from "./PushPayload.ts"

/** False while fixtures are loaded: then webhooks receive nothing. */
export const AnnouncesChanges = Context.Reference<boolean>("@tongs/service/events/AnnouncesChanges", {
  defaultValue: () => true
})

export class Events extends Context.Service<
  Events,
  {
    /** Records an event and queues the webhook deliveries. */
    record(newEvent: NewEvent): Effect.Effect<void, GitError>
    /** Queues the deliveries of an event that only webhooks receive, not lists of events. */
    announce(webhookEvent: WebhookEvent): Effect.Effect<void, GitError>
    /** Queues the deliveries of an event for the webhooks of an organization. */
    announceInOrganization(event: OrganizationEvent): Effect.Effect<void, GitError>
  }
>()("@tongs/service/events/Events") {
  static readonly layer = Layer.effect(
    Events,
    Effect.gen(function* () {
      const transaction = yield* Transaction.make
      const table = yield* EventRows
      const hooks = yield* HookRows
      const outbox = yield* Outbox
      const publicUrl = yield* PublicUrl
      const push = yield* PushPayload

      /** Prepares the messages for all subscribed webhooks. Reads git before the transaction starts. */
      const prepare = Effect.fnUntraced(function* (
        at: EventContext,
        urls: Urls,
        notices: ReadonlyArray<WebhookPayloads.WebhookEventPayload>,
        appId?: number
      ) {
        const { row } = at.repository
        const names = notices.map(({ event }) => event)
        const all = yield* hooks.listening(row.id, row.owner.id, names)
        const listening = appId === undefined ? all : all.filter(({ app_id }) => app_id === appId)
        if (listening.length === 0) return []
        const wanted = notices.filter(({ event }) =>
          listening.some(({ events }) => events.includes("*") || events.includes(event))
        )
        const common = yield* WebhookPayloads.common(at, urls)
        const messages = yield* Effect.forEach(wanted, ({ action, event, payload }) =>
          Effect.map(payload, (own) => ({
            event,
            action,
            repositoryId: row.id,
            payload: { ...(action === null ? {} : { action }), ...own, ...common }
          }))
        )
        return listening.flatMap((hook) =>
          messages
            .filter(({ event }) => hook.events.includes("*") || hook.events.includes(event))
            .map((message) => outbox.put(hook, WebhookPayloads.forHook(hook, message)))
        )
      })

      return Events.of({
        record: Effect.fn("Events.record")(function* (newEvent: NewEvent) {
          const {
            actor,
            change,
            effects = Effect.void,
            payload,
            repository,
            type,
            urls = yield* publicUrl.urls
          } = newEvent
          const pushed = change === undefined ? undefined : push.payload(actor, repository, urls, change.move)
          const row = {
            type,
            actor_id: actor.id,
            repository_id: repository.row.id,
            public: (newEvent.public ?? repository.row.private === 0) ? 1 : 0,
            payload: JSON.stringify(payload),
            change: change?.id ?? null,
            created_at: timestamp(yield* Clock.currentTimeMillis)
          } as const // for `public`, which must be 0 or 1
          const puts = yield* prepare(newEvent, urls, WebhookPayloads.webhookEvents(newEvent, pushed))
          yield* transaction(
            Effect.gen(function* () {
              const id = yield* table.insert(row)
              if (id !== undefined) {
                yield* Effect.all(puts)
                yield* effects
              }
              if (change === undefined) return
              yield* table.end(change.id)
              yield* table.markMoved(row.repository_id, change.move.ref, change.move.before)
            })
          )
        }),
        announce: Effect.fn("Events.announce")(function* (webhookEvent: WebhookEvent) {
          if (!(yield* AnnouncesChanges)) return
          const { action, appId, event, payload } = webhookEvent
          const notice = { event, action, payload: Effect.succeed(payload) }
          const puts = yield* prepare(webhookEvent, yield* publicUrl.urls, [notice], appId)
          if (puts.length > 0) yield* transaction(Effect.all(puts))
        }),
        announceInOrganization: Effect.fn("Events.announceInOrganization")(function* (given: OrganizationEvent) {
          const { action, actor, event, organization, payload, repository } = given
          const all = yield* hooks.ofOrganization(organization.id, event, repository?.row.id)
          if (all.length === 0) return
          const urls = yield* publicUrl.urls
          const message = {
            event,
            action,
            repositoryId: repository?.row.id ?? null,
            payload: {
              action,
              ...payload,
              ...(repository === undefined ? {} : { repository: yield* WebhookPayloads.repository(repository, urls) }),
              organization: WebhookPayloads.organization(organization, urls),
              sender: Shapes.userSummary(actor, urls)
            }
          }
          yield* transaction(Effect.all(all.map((hook) => outbox.put(hook, WebhookPayloads.forHook(hook, message)))))
        })
      })
    })
  )
}
