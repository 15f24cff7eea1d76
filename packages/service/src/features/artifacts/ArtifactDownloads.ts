/** Downloads of the archives of artifacts at signed URLs. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ApiError from "../../api/ApiError.ts"
import type { Urls } from "../../api/Urls.ts"
import { type SignedDownload, SignedUrls } from "../../api/SignedUrls.ts"
import * as FileResponse from "../FileResponse.ts"
import { type ArtifactRow, ArtifactRows } from "./ArtifactRows.ts"
import { Archives } from "./Archives.ts"

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

      const answer: SignedDownload = Effect.fnUntraced(function* (request, path) {
        const [repository, id] = path.slice(PREFIX.length).split("/", 2).map(Number)
        const artifact = yield* artifacts.find(repository ?? 0, id ?? 0)
        if (artifact === undefined) return yield* ApiError.notFound()
        const { digest, name } = artifact
        const file = { path: archives.path(digest), digest, name: `${name}.zip`, contentType: "application/zip" }
        const response = yield* FileResponse.make(request, file)
        return response ?? (yield* ApiError.notFound("The archive of this artifact was removed"))
      })

      return ArtifactDownloads.of({
        link: ({ id, name, repository_id }, { api }) =>
          Effect.map(
            signed.sign(`${PREFIX}${repository_id}/${id}/${encodeURIComponent(name)}.zip`),
            (path) => api + path
          ),
        answer
      })
    })
  )
}
