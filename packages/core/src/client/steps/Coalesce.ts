/**
 * Pipeline step: coalescing. Identical concurrent GETs share one request, which is aborted when the last caller is
 * interrupted.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { CallContext } from "../CallContext.ts"
import * as RequestKey from "./RequestKey.ts"

interface SharedRequest<E> {
  readonly response: Deferred.Deferred<HttpClientResponse.HttpClientResponse, E>
  fiber: Fiber.Fiber<unknown, unknown> | undefined
  subscribers: number
}

export const make =
  (scope: string) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> => {
    const inFlight = new Map<string, SharedRequest<E>>()

    const remove = (key: string, shared: SharedRequest<E>) => {
      if (inFlight.get(key) === shared) inFlight.delete(key)
    }

    const start = Effect.fnUntraced(function* (
      key: string,
      send: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>
    ) {
      const shared: SharedRequest<E> = { response: Deferred.makeUnsafe(), fiber: undefined, subscribers: 0 }
      inFlight.set(key, shared)
      // Buffers the body before the request ends, so that each caller can read the body even if other callers were
      // interrupted.
      shared.fiber = yield* Effect.tap(send, (response) => Effect.ignore(response.arrayBuffer)).pipe(
        Effect.onExit((exit) => {
          remove(key, shared)
          return Deferred.done(shared.response, exit)
        }),
        Effect.forkDetach({ startImmediately: true })
      )
      return shared
    })

    const leave = (key: string, shared: SharedRequest<E>) =>
      Effect.suspend(() => {
        shared.subscribers -= 1
        if (shared.subscribers > 0 || shared.fiber === undefined) return Effect.void
        remove(key, shared)
        return Fiber.interrupt(shared.fiber)
      })

    const join = (key: string, send: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>) =>
      Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (restore) {
          const shared = inFlight.get(key) ?? (yield* start(key, send))
          shared.subscribers += 1
          return yield* Effect.onInterrupt(restore(Deferred.await(shared.response)), () => leave(key, shared))
        })
      )

    return HttpClient.transform(client, (send, request) =>
      request.method === "GET"
        ? Effect.flatMap(CallContext, ({ deadline, hasHeaders, priority, timeout, isDownload = false }) =>
            // Calls with different priorities or time limits share no request: one must not wait, or fail, because of
            // another.
            hasHeaders === true || isDownload
              ? send
              : join(`${priority} ${deadline ?? ""} ${timeout ?? ""} ${RequestKey.make(scope, request)}`, send)
          )
        : send
    )
  }
