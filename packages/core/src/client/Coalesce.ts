/** Step: coalesce. Identical GETs in flight share one request; it is aborted when the last who waits for it goes. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { CallContext } from "./CallContext.ts"
import * as RequestKey from "./RequestKey.ts"

interface SharedRequest<E> {
  readonly response: Deferred.Deferred<HttpClientResponse.HttpClientResponse, E>
  fiber: Fiber.Fiber<unknown, unknown> | undefined
  subscribers: number
}

export const make =
  (scope: string) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> => {
    const flights = new Map<string, SharedRequest<E>>()

    const forget = (key: string, flight: SharedRequest<E>) => {
      if (flights.get(key) === flight) flights.delete(key)
    }

    const start = Effect.fnUntraced(function* (
      key: string,
      send: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>
    ) {
      const flight: SharedRequest<E> = { response: Deferred.makeUnsafe(), fiber: undefined, subscribers: 0 }
      flights.set(key, flight)
      // The body is read in flight: the answer that is shared can be read by everyone, whoever leaves first.
      flight.fiber = yield* Effect.tap(send, (response) => Effect.ignore(response.arrayBuffer)).pipe(
        Effect.onExit((exit) => {
          forget(key, flight)
          return Deferred.done(flight.response, exit)
        }),
        Effect.forkDetach({ startImmediately: true })
      )
      return flight
    })

    const leave = (key: string, flight: SharedRequest<E>) =>
      Effect.suspend(() => {
        flight.subscribers -= 1
        if (flight.subscribers > 0 || flight.fiber === undefined) return Effect.void
        forget(key, flight)
        return Fiber.interrupt(flight.fiber)
      })

    const board = (key: string, send: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>) =>
      Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (restore) {
          const flight = flights.get(key) ?? (yield* start(key, send))
          flight.subscribers += 1
          return yield* Effect.onInterrupt(restore(Deferred.await(flight.response)), () => leave(key, flight))
        })
      )

    return HttpClient.transform(client, (send, request) =>
      request.method === "GET"
        ? Effect.flatMap(CallContext, ({ deadline, hasHeaders, priority, timeout, isDownload = false }) =>
            // One who is in a hurry neither waits behind one who is not, nor fails one who has time.
            hasHeaders === true || isDownload
              ? send
              : board(`${priority} ${deadline ?? ""} ${timeout ?? ""} ${RequestKey.make(scope, request)}`, send)
          )
        : send
    )
  }
