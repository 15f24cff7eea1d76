/** Responses with a file that the browser saves. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Failure from "@tongs/core/contract/Failure"

/**
 * Streams the bytes of a file, which the browser never shows. Waits for the first bytes, so that an earlier failure
 * determines the status of the response.
 */
export const response = Effect.fnUntraced(function* (
  bytes: Stream.Stream<Uint8Array, Failure.Failure>,
  { name, size }: { readonly name: string; readonly size?: number }
) {
  return HttpServerResponse.stream(yield* started(bytes), {
    contentType: "application/octet-stream",
    ...(size === undefined ? {} : { contentLength: size }),
    headers: {
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "content-disposition": `attachment; filename*=UTF-8''${encodeName(name)}`
    }
  })
})

/** The same stream, after its first bytes have arrived. */
export const started = Effect.fnUntraced(function* (bytes: Stream.Stream<Uint8Array, Failure.Failure>) {
  const pull = yield* Stream.toPull(bytes)
  const first = yield* Effect.catchTag(pull, "Done", () => Effect.succeed([]))
  const rest = first.length === 0 ? Stream.empty : Stream.fromPull(Effect.succeed(pull))
  return Stream.concat(Stream.fromIterable(first), rest)
})

/** Encodes a file name for the header `Content-Disposition`. */
export const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
