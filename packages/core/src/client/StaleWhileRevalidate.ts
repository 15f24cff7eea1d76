/**
 * Step: stale while revalidate. Who would rather have an old answer now than the new one later gets what is kept, and
 * the forge is asked in the background: whoever asks for the same meanwhile shares that request. It ends with the client.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import { CallContext } from "./CallContext.ts"
import * as RequestKey from "./RequestKey.ts"
import { type ResponseStore, toResponse } from "./ResponseStore.ts"

export const make =
  (scope: string, store: ResponseStore, life: Scope.Scope | undefined) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> => {
    const ask = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest, staleFor: number) {
      const kept = yield* store.get(RequestKey.make(scope, request))
      const age = kept === undefined ? Infinity : Math.max(0, (yield* Clock.currentTimeMillis) - kept.at)
      const anew = client.postprocess(Effect.succeed(request))
      if (kept === undefined || age > staleFor) return yield* anew
      // The old answer stands until there is a new one, whatever comes of this.
      const refresh = Effect.ignoreCause(anew)
      yield* life === undefined ? Effect.forkDetach(refresh) : Effect.forkIn(refresh, life)
      return toResponse(request, kept, { "x-tongs-cache": "stale", "x-tongs-age": String(age) })
    })

    return HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) =>
          Effect.flatMap(CallContext, ({ staleFor }) =>
            staleFor === undefined || request.method !== "GET"
              ? client.postprocess(Effect.succeed(request))
              : ask(request, staleFor)
          )
        ),
      client.preprocess
    )
  }
