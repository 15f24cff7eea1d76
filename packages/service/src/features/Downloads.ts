/** Downloads at signed URLs outside of the API, without a token. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ApiError from "../api/ApiError.ts"
import { type SignedDownload, SignedUrls } from "../api/SignedUrls.ts"
import type { GitError } from "../git/values/GitError.ts"
import * as LogDownloads from "./runs/LogDownloads.ts"
import * as ArtifactDownloads from "./artifacts/ArtifactDownloads.ts"
import * as AssetDownloads from "./releases/AssetDownloads.ts"
import * as SourceArchives from "./sourceArchives/SourceArchives.ts"

/** Serves the files of signed URLs. */
export class Downloads extends Context.Service<
  Downloads,
  {
    /** True for the path of a signed URL. */
    has(path: string): boolean
    /** Serves the file. Fails with `Forbidden` if the signature is wrong or expired. */
    answer(
      request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method">,
      path: string,
      query: URLSearchParams
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, ApiError.ApiError | GitError>
  }
>()("@tongs/service/features/Downloads") {
  static readonly layer = Layer.effect(
    Downloads,
    Effect.gen(function* () {
      const signed = yield* SignedUrls
      const downloads: ReadonlyArray<readonly [prefix: string, answer: SignedDownload]> = [
        [ArtifactDownloads.PREFIX, (yield* ArtifactDownloads.ArtifactDownloads).answer],
        [AssetDownloads.PREFIX, (yield* AssetDownloads.AssetDownloads).answer],
        [LogDownloads.PREFIX, (yield* LogDownloads.LogDownloads).answer],
        [SourceArchives.PREFIX, (yield* SourceArchives.SourceArchives).answer]
      ]
      const find = (path: string) => downloads.find(([prefix]) => path.startsWith(prefix))?.[1]

      return Downloads.of({
        has: (path) => find(path) !== undefined,
        answer: Effect.fnUntraced(function* (request, path, query) {
          const { method } = request
          if (method !== "GET" && method !== "HEAD")
            return yield* ApiError.unreadableRequest(405, `Method ${method} not allowed. Use GET or HEAD`)
          yield* signed.check(path, query)
          const answer = find(path)
          return yield* answer === undefined ? Effect.fail(ApiError.notFound()) : answer(request, path)
        })
      })
    })
  )
}
