/** Faults of webhook deliveries: lost, repeated and reordered ones. */
import * as Effect from "effect/Effect"
import { type PostRequest, type PostResponse, post } from "@tongs/service/webhooks/HttpPost"
import type { DeliveryFault } from "./TestForge.ts"

/** The response that the forge sees for a delivery that the receiver has not got yet. */
const accepted: PostResponse = { code: 202, headers: {}, body: "" }

/** Creates an empty plan of faults. `prepare` changes each delivery before it is sent. */
export const make = (prepare: (request: PostRequest) => PostRequest) => {
  const planned: Array<DeliveryFault> = []
  const held: Array<PostRequest> = []

  const send = (request: PostRequest) =>
    Effect.flatMap(post(request), (response) =>
      Effect.as(
        Effect.forEach(held.splice(0), (late) => Effect.ignore(post(late)), { discard: true }),
        response
      )
    )

  return {
    /** Plans faults of the next deliveries, one of each. */
    add: (fault: DeliveryFault, times: number): void => {
      planned.push(...Array.from({ length: times }, () => fault))
    },
    /** Sends a delivery with the next planned fault. */
    post: (given: PostRequest) =>
      Effect.suspend(() => {
        const request = prepare(given)
        switch (planned.shift()) {
          case "lose":
            return Effect.succeed(accepted)
          case "repeat":
            return Effect.andThen(send(request), send(request))
          case "reorder":
            held.push(request)
            return Effect.succeed(accepted)
          default:
            return send(request)
        }
      }),
    clear: (): void => {
      planned.length = 0
      held.length = 0
    }
  }
}
