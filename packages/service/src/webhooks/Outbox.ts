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
  readonly payload: Readonly<Record<string, unknown>>
}

/** Maximum size of a payload in bytes. Larger payloads are not delivered, as GitHub documents. */
const MAX_PAYLOAD = 25 * 1024 * 1024

export class Outbox extends Context.Service<
  Outbox,
  {
    /** Queues a message for a webhook with a new GUID, in the transaction of the caller. */
    readonly put: (hook: HookRow, message: WebhookMessage) => Effect.Effect<void>
    /** Queues a delivery again with the same GUID. */
    readonly redeliver: (
      hookId: number,
      earlier: { guid: string; event: string; action: string | null; repository_id: number | null; payload: string }
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
        put: Effect.fnUntraced(function* (hook, { action, event, payload, repositoryId }) {
          const json = JSON.stringify(payload)
          const size = Buffer.byteLength(json)
          if (size > MAX_PAYLOAD) {
            yield* Effect.logWarning(`webhook ${hook.id} is not told of this ${event}: ${size} bytes are too many`)
            return
          }
          yield* deliveries.add({ hookId: hook.id, guid: randomUUID(), event, action, repositoryId, payload: json })
          yield* announce
        }),
        redeliver: (hookId, { action, event, guid, payload, repository_id }) =>
          deliveries
            .add({ hookId, guid, redelivery: true, event, action, repositoryId: repository_id, payload })
            .pipe(Effect.andThen(announce))
      })
    })
  )
}
