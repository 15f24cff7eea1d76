/** The result of a repeated delivery, which the forge sends after its response. */
import * as Effect from "effect/Effect"
import type { Forge } from "@tongs/core/client/Forge"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type { Arguments } from "../../content/Route.ts"
import type { LoadOptions } from "../../content/Source.ts"
import * as DeliveryLine from "./DeliveryLine.ts"
import * as HookRequests from "./HookRequests.ts"

/** Delays before the result is looked for, in seconds. A receiver may take ten seconds. */
const delays = [0.5, 1, 2, 4, 5]

/** Number of the latest deliveries among which the result is looked for. */
const LATEST = 30

/**
 * Runs an operation with `send`. Waits after a repeated delivery for the result, at most 12 seconds. Other operations
 * have no result.
 */
export const run = Effect.fnUntraced(function* <A, E, R>(
  forge: Forge["Service"],
  { group, name }: CatalogEntry,
  input: Arguments,
  send: Effect.Effect<A, E, R>
) {
  const requests = [HookRequests.ofRepository, HookRequests.ofOrganization].find((known) => known.group === group)
  if (requests === undefined || name !== "redeliverDelivery")
    return { value: yield* send, result: undefined } satisfies Sent<A>
  const options: LoadOptions = { priority: "interactive", timeout: 7_000 }
  // Without a list, the result is unknown, but the delivery is sent.
  const latest = Effect.map(
    Effect.orElseSucceed(requests.listDeliveries(forge, input, { ...options, perPage: LATEST }), () => undefined),
    (page) => page?.items ?? []
  )
  const before = yield* latest
  const guid = before.find(({ id }) => id === Number(input["delivery_id"]))?.guid
  const value = yield* send
  for (const delay of delays) {
    yield* Effect.sleep(delay * 1_000)
    const found = (yield* latest).find(
      (delivery) =>
        delivery.redelivery &&
        !before.some(({ id }) => id === delivery.id) &&
        (guid === undefined || delivery.guid === guid)
    )
    if (found !== undefined)
      return {
        value,
        result: `${DeliveryLine.isFailed(found) ? "failed again: " : ""}${DeliveryLine.statusOf(found)}`
      } satisfies Sent<A>
  }
  return { value, result: "no result yet" } satisfies Sent<A>
})

interface Sent<A> {
  readonly value: A
  /** The result of the delivery; undefined for another operation. */
  readonly result: string | undefined
}
