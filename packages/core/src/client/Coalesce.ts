/** Step: coalesce. Identical GETs in flight share one request; it is aborted when the last who waits for it goes. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
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

    const board = Effect.fnUntraced(function* (
      key: string,
      send: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>
    ) {
      let flight = flights.get(key)
      if (flight === undefined) {
        const started: Flight<E> = { landed: Deferred.makeUnsafe(), fiber: undefined, passengers: 0 }
        flights.set(key, started)
        // The body is read in flight: the answer that is shared can be read by everyone, whoever leaves first.
        started.fiber = yield* send.pipe(
          Effect.tap((response) => Effect.ignore(response.arrayBuffer)),
          Effect.onExit((exit) =>
            Effect.sync(() => {
              if (flights.get(key) === started) flights.delete(key)
              Deferred.doneUnsafe(started.landed, Exit.isSuccess(exit) ? Effect.succeed(exit.value) : Effect.failCause(exit.cause))
            })
          ),
          Effect.forkDetach({ startImmediately: true })
        )
        flight = started
      }
      const boarded = flight
      boarded.passengers += 1
      return yield* Deferred.await(boarded.landed).pipe(
        Effect.onInterrupt(() => {
          boarded.passengers -= 1
          if (boarded.passengers > 0 || boarded.fiber === undefined) return Effect.void
          if (flights.get(key) === boarded) flights.delete(key)
          return Fiber.interrupt(boarded.fiber)
        })
      )
    })

    return HttpClient.transform(client, (send, request) =>
      request.method === "GET"
        ? Effect.flatMap(Call, (call) => board(`${call.priority} ${RequestKey.make(scope, request)}`, send))
        : send
    )
  }
