/**
 * Pipeline step: stale while revalidate. With `staleFor`, immediately returns a cached response and refreshes the cache
 * in the background. Calls for the same resource share the refresh, which ends with the client.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import { CallContext } from "../CallContext.ts"
import * as RequestKey from "./RequestKey.ts"
import { type ResponseStore, toResponse } from "../ResponseStore.ts"

export const make =
  (scope: string, store: ResponseStore, life: Scope.Scope | undefined) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> => {
    const serveStale = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest, staleFor: number) {
      const cached = yield* store.get(RequestKey.make(scope, request))
      const age = cached === undefined ? Infinity : Math.max(0, (yield* Clock.currentTimeMillis) - cached.at)
      const fetched = client.postprocess(Effect.succeed(request))
      if (cached === undefined || age > staleFor) return yield* fetched
      // A failed refresh leaves the cached response in place.
      const refresh = Effect.ignoreCause(fetched)
      yield* life === undefined ? Effect.forkDetach(refresh) : Effect.forkIn(refresh, life)
      return toResponse(request, cached, { "x-tongs-cache": "stale", "x-tongs-age": String(age) })
    })

    return HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) =>
          Effect.flatMap(CallContext, ({ staleFor }) =>
            staleFor === undefined || request.method !== "GET"
              ? client.postprocess(Effect.succeed(request))
              : serveStale(request, staleFor)
          )
        ),
      client.preprocess
    )
  }
