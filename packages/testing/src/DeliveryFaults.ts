/** Faults of webhook deliveries: lost, repeated and reordered ones. */
import * as Effect from "effect/Effect"
import { type PostRequest, type PostResponse, post } from "@tongs/service/webhooks/HttpPost"
import type { DeliveryFault } from "./TestForge.ts"

/** The response to the forge for a delivery that has not yet reached the receiver. */
const accepted: PostResponse = { code: 202, headers: {}, body: "" }

const faults: ReadonlyArray<DeliveryFault> = ["lose", "repeat", "reorder"]

/** Maximum time that `end` waits for receivers, in milliseconds. */
const MAX_WAIT = 1000

/** Creates an empty plan of faults. `prepare` changes each delivery before sending. */
export const make = (prepare: (request: PostRequest) => PostRequest) => {
  const planned: Array<{ readonly fault: DeliveryFault; remaining: number }> = []
  const held: Array<PostRequest> = []

  const running = new Set<PostRequest>()

  const send = (request: PostRequest) =>
    Effect.flatMap(post(request), (response) =>
      Effect.as(
        Effect.forEach(held.splice(0), (late) => Effect.ignore(post(late)), { discard: true }),
        response
      )
    )

  /** Takes the next planned fault. */
  const next = (): DeliveryFault | undefined => {
    const [first] = planned
    if (first === undefined) return undefined
    first.remaining -= 1
    if (first.remaining === 0) planned.shift()
    return first.fault
  }

  return {
    /** Plans faults of the next deliveries, one of each. */
    add: (fault: DeliveryFault, times: number): void => {
      if (!faults.includes(fault)) throw new TypeError(`Invalid fault ${JSON.stringify(fault)}: ${faults.join(", ")}`)
      if (!(Number.isInteger(times) && times > 0)) throw new TypeError(`Invalid times ${times}: a number above 0`)
      planned.push({ fault, remaining: times })
    },
    /** Sends a delivery with the next planned fault. */
    post: (given: PostRequest) =>
      Effect.suspend(() => {
        running.add(given)
        const request = prepare(given)
        switch (next()) {
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
      }).pipe(Effect.ensuring(Effect.sync(() => running.delete(given)))),
    /** Waits for deliveries in progress, at most `MAX_WAIT` milliseconds, so that no delivery arrives later. */
    end: async (): Promise<void> => {
      const deadline = performance.now() + MAX_WAIT
      while (running.size > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 1))
    },
    clear: (): void => {
      planned.length = 0
      held.length = 0
    }
  }
}
