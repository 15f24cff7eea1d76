/** Raw content of a file, for a browser to show or save. Scripts in the file cannot run. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as PathText from "@tongs/core/text/PathText"
import * as Downloads from "./Downloads.ts"
import * as FileBytes from "./FileBytes.ts"
import * as Files from "./Files.ts"

export const raw = Effect.fn("RawFile.raw")(function* (target: Files.Target) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const bytes = Buffer.from(yield* Files.bytes(target), "base64")
  const mediaType = mediaTypeFor(headers["sec-fetch-dest"], target.path, bytes)
  return HttpServerResponse.uint8Array(bytes, {
    contentType: mediaType ?? "application/octet-stream",
    headers: {
      "cache-control": "no-store",
      // Markup is sent as text. If a browser renders the markup anyway, the markup can load, run and send nothing.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      "content-disposition": `${mediaType === undefined ? "attachment" : "inline"}; filename*=UTF-8''${Downloads.encodeName(PathText.nameOf(target.path))}`
    }
  })
})

/** SVG is an image only inside `<img>`, which runs no scripts. In any other context, SVG is text. */
const mediaTypeFor = (destination: string | undefined, path: string, bytes: Uint8Array): string | undefined => {
  const mediaType = FileBytes.mediaType(path, bytes)
  // Browsers send no destination to another machine over plain HTTP.
  const isImage = destination === "image" || destination === undefined
  return FileBytes.isSvg(path) && isImage && mediaType !== undefined ? "image/svg+xml" : mediaType
}
