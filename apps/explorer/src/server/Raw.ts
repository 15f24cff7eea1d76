/** A file as it is, for a browser to show or to keep: nothing in it can run. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Bytes from "./Bytes.ts"
import * as Source from "./Source.ts"

export const raw = Effect.fn("Raw.raw")(function* (target: Source.Target) {
  const bytes = Buffer.from(yield* Source.bytes(target), "base64")
  const mediaType = Bytes.mediaType(target.path, bytes)
  return HttpServerResponse.uint8Array(bytes, {
    contentType: mediaType ?? "application/octet-stream",
    headers: {
      "cache-control": "no-store",
      // Markup comes as text, and even if a browser thought otherwise, it may load, run and send nothing.
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "content-disposition": `${mediaType === undefined ? "attachment" : "inline"}; filename*=UTF-8''${nameOf(target.path)}`
    }
  })
})

const nameOf = (path: string): string =>
  encodeURIComponent(path.slice(path.lastIndexOf("/") + 1)).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`
  )
