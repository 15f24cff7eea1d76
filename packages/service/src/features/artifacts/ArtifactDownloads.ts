/** Downloads of the archives of artifacts at signed URLs. */
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ByteRange from "./ByteRange.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { Urls } from "../../api/Urls.ts"
import { type ArtifactRow, ArtifactRows } from "./ArtifactRows.ts"
import { Archives } from "./Archives.ts"
import { type SignedDownload, SignedUrls } from "../../api/SignedUrls.ts"

/** Start of the paths of signed URLs. */
export const PREFIX = "/_artifacts/"

/** Serves archives at signed URLs. */
export class ArtifactDownloads extends Context.Service<
  ArtifactDownloads,
  {
    /** URL of the archive, valid for one minute. */
    link(artifact: ArtifactRow, urls: Urls): Effect.Effect<string>
    /** Serves the archive, or the part in the `Range` header. */
    readonly answer: SignedDownload
  }
>()("@tongs/service/features/artifacts/ArtifactDownloads") {
  static readonly layer = Layer.effect(
    ArtifactDownloads,
    Effect.gen(function* () {
      const artifacts = yield* ArtifactRows
      const archives = yield* Archives
      const signed = yield* SignedUrls

      const answer: SignedDownload = Effect.fnUntraced(function* ({ headers, method }, path) {
        const [repository, id] = path.slice(PREFIX.length).split("/", 2).map(Number)
        const artifact = yield* artifacts.find(repository ?? 0, id ?? 0)
        if (artifact === undefined) return yield* ApiError.notFound()
        const file = archives.path(artifact.digest)
        const size = yield* Effect.promise(() =>
          stat(file).then(
            (facts) => facts.size,
            () => undefined
          )
        )
        if (size === undefined) return yield* ApiError.notFound("The archive of this artifact was removed")
        const common = {
          "accept-ranges": "bytes",
          etag: `"${artifact.digest}"`,
          "cache-control": "private, no-store",
          "content-disposition": disposition(artifact.name),
          "x-content-type-options": "nosniff"
        }
        // Sends a part only if the client has other parts of the same archive.
        const isSame = headers["if-range"] === undefined || headers["if-range"] === common.etag
        const range = isSame && method === "GET" ? ByteRange.parse(headers["range"], size) : undefined
        if (range === "unsatisfiable") {
          return HttpServerResponse.empty({ status: 416, headers: { ...common, "content-range": `bytes */${size}` } })
        }
        const { end, start } = range ?? { start: 0, end: size - 1 }
        const part = range === undefined ? {} : { "content-range": `bytes ${start}-${end}/${size}` }
        return HttpServerResponse.stream(method === "HEAD" ? Stream.empty : bytes(file, { start, end }), {
          status: range === undefined ? 200 : 206,
          headers: { ...common, ...part },
          contentType: "application/zip",
          contentLength: end - start + 1
        })
      })

      return ArtifactDownloads.of({
        link: ({ id, name, repository_id }, { html }) =>
          Effect.map(
            signed.sign(`${PREFIX}${repository_id}/${id}/${encodeURIComponent(name)}.zip`),
            (path) => html + path
          ),
        answer
      })
    })
  )
}

const bytes = (file: string, range: ByteRange.ByteRange) =>
  NodeStream.fromReadable({ evaluate: () => createReadStream(file, range) })

/** `Content-Disposition` with an ASCII fallback of the name (RFC 6266). */
const disposition = (name: string) =>
  `attachment; filename="${name.replace(/[^\x20-\x7e]/g, "_")}.zip"; filename*=UTF-8''${encoded(name)}.zip`

const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
