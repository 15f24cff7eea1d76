/** Caches the responses of `tongs api --cache DURATION` for later processes, in a file that only the user can read. */
import * as Path from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ResponseCacheFile from "@tongs/connection/cache/ResponseCacheFile"
import { UserDirectories } from "@tongs/connection/base/UserDirectories"
import { Forge } from "@tongs/core/client/Forge"
import type { RawResponse } from "@tongs/core/client/RawCall"
import * as ResponseDecoder from "@tongs/core/client/responses/ResponseDecoder"
import type { ApiRequest } from "./ApiRequest.ts"

/** Bounds of the cache: entries, and bytes of the responses of one command and of all. */
const bounds = { entries: 500, body: 8 * 1024 * 1024, total: 64 * 1024 * 1024 }

/** The responses of one command. */
const Responses = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      status: Schema.Int,
      headers: Schema.Record(Schema.String, Schema.String),
      body: Schema.Uint8ArrayFromBase64
    })
  )
)
const decode = Schema.decodeUnknownOption(Responses)
const encode = Schema.encodeSync(Responses)

/** Returns whether the responses to a request may be cached: only responses to reads. */
export const isCacheable = ({ graphQl, method }: ApiRequest) => {
  const query = graphQl?.["query"]
  return typeof query === "string" ? !/^\s*mutation\b/.test(query) : method === "GET" || method === "HEAD"
}

/**
 * Returns the responses to a request that an earlier process received at most `lifetime` milliseconds ago. Otherwise
 * reads `responses`, and caches the responses if all succeed.
 */
export const reuse = <E, R>(
  request: ApiRequest,
  isPaged: boolean,
  lifetime: number,
  responses: Stream.Stream<RawResponse, E, R>
) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { scope } = yield* Forge
      const { cache } = yield* UserDirectories
      const file = yield* ResponseCacheFile.make(Path.join(cache, "api.sqlite"), bounds)
      const { body, headers, input, mediaType, method, path } = request
      const text = body === undefined ? "" : new TextDecoder().decode(body)
      const key = JSON.stringify([scope, method, path, input, headers, mediaType, text, isPaged])
      const now = yield* Clock.currentTimeMillis
      const found = yield* file.get(key)
      const known = found === undefined || now - found.at >= lifetime ? undefined : decodeBody(found.body)
      if (known !== undefined) return Stream.fromIterable(known)
      const received: Array<RawResponse> = []
      const store = Effect.suspend(() => file.set(key, { etag: "", headers: {}, body: encodeBody(received), at: now }))
      return responses.pipe(
        Stream.tap((response) => Effect.sync(() => received.push(response))),
        Stream.concat(Stream.drain(Stream.fromEffect(store)))
      )
    })
  )

const encodeBody = (responses: ReadonlyArray<RawResponse>) =>
  new TextEncoder().encode(encode(responses.map(({ bytes, headers, status }) => ({ status, headers, body: bytes }))))

const decodeBody = (bytes: Uint8Array): ReadonlyArray<RawResponse> | undefined => {
  const found = decode(new TextDecoder().decode(bytes))
  return found._tag === "None"
    ? undefined
    : found.value.map(({ body, headers, status }) => {
        const text = new TextDecoder().decode(body)
        return { status, headers, text, data: ResponseDecoder.parseJson(text), bytes: body }
      })
}
