/** Step: coalesce. Identical GETs in flight share one request; it is aborted when the last who waits for it goes. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Call } from "./Call.ts"
import * as RequestKey from "./RequestKey.ts"

interface Flight<E> {
  readonly landed: Deferred.Deferred<HttpClientResponse.HttpClientResponse, E>
  fiber: Fiber.Fiber<unknown, unknown> | undefined
  passengers: number
}

export const make =
  (scope: string) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> => {
    const flights = new Map<string, Flight<E>>()

    const forget = (key: string, flight: Flight<E>) => {
      if (flights.get(key) === flight) flights.delete(key)
    }

    const start = Effect.fnUntraced(function* (
      key: string,
      send: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>
    ) {
      const flight: Flight<E> = { landed: Deferred.makeUnsafe(), fiber: undefined, passengers: 0 }
      flights.set(key, flight)
      // The body is read in flight: the answer that is shared can be read by everyone, whoever leaves first.
      flight.fiber = yield* Effect.tap(send, (response) => Effect.ignore(response.arrayBuffer)).pipe(
        Effect.onExit((exit) => {
          forget(key, flight)
          return Deferred.done(flight.landed, exit)
        }),
        Effect.forkDetach({ startImmediately: true })
      )
      return flight
    })

    const leave = (key: string, flight: Flight<E>) =>
      Effect.suspend(() => {
        flight.passengers -= 1
        if (flight.passengers > 0 || flight.fiber === undefined) return Effect.void
        forget(key, flight)
        return Fiber.interrupt(flight.fiber)
      })

    const board = (key: string, send: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>) =>
      Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (restore) {
          const flight = flights.get(key) ?? (yield* start(key, send))
          flight.passengers += 1
          return yield* Effect.onInterrupt(restore(Deferred.await(flight.landed)), () => leave(key, flight))
        })
      )

    return HttpClient.transform(client, (send, request) =>
      request.method === "GET"
        ? Effect.flatMap(Call, ({ deadline, hasHeaders, priority, timeout, toFile = false }) =>
            // One who is in a hurry neither waits behind one who is not, nor fails one who has time.
            hasHeaders === true || toFile
              ? send
              : board(`${priority} ${deadline ?? ""} ${timeout ?? ""} ${RequestKey.make(scope, request)}`, send)
          )
        : send
    )
  }
