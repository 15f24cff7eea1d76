/** Queues webhook deliveries for the worker. */
import { randomUUID } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { DeliveryRows } from "./DeliveryRows.ts"
import type { HookRow } from "./HookRows.ts"

/** An event and the payload, to deliver to a webhook. */
export interface WebhookMessage {
  /** Name of the event, for example `push`. */
  readonly event: string
  readonly action: string | null
  readonly repositoryId: number | null
  /** The installation of an app whose event this is. */
  readonly installationId?: number | null
  readonly payload: Readonly<Record<string, unknown>>
}

/** Maximum size of a payload in bytes. Larger payloads are not delivered, as GitHub documents. */
const MAX_PAYLOAD = 25 * 1024 * 1024

export class Outbox extends Context.Service<
  Outbox,
  {
    /** Queues a message for a webhook with a new GUID, in the transaction of the caller. */
    readonly put: (hook: Pick<HookRow, "id">, message: WebhookMessage) => Effect.Effect<void>
    /** Queues a delivery again with the same GUID. */
    readonly redeliver: (
      hookId: number,
      earlier: {
        readonly guid: string
        readonly event: string
        readonly action: string | null
        readonly repository_id: number | null
        readonly installation_id: number | null
        readonly payload: string
      }
    ) => Effect.Effect<void>
    /** Opens when this process has queued a message, which the database shows only after the transaction. */
    readonly ready: Latch.Latch
  }
>()("@tongs/service/webhooks/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const deliveries = yield* DeliveryRows
      const ready = yield* Latch.make()
      const announce = (yield* SqlClient.SqlClient).afterCommit(Effect.asVoid(ready.open))
      return Outbox.of({
        ready,
        put: Effect.fnUntraced(function* (hook, { payload, ...message }) {
          const json = JSON.stringify(payload)
          const size = Buffer.byteLength(json)
          if (size > MAX_PAYLOAD) {
            yield* Effect.logWarning(
              `webhook ${hook.id} is not told of this ${message.event}: ${size} bytes are too many`
            )
            return
          }
          yield* deliveries.add({ hookId: hook.id, guid: randomUUID(), ...message, payload: json })
          yield* announce
        }),
        redeliver: (hookId, { action, event, guid, installation_id, payload, repository_id }) =>
          deliveries
            .add({
              guid,
              event,
              action,
              payload,
              hookId,
              redelivery: true,
              repositoryId: repository_id,
              installationId: installation_id
            })
            .pipe(Effect.andThen(announce))
      })
    })
  )
}
