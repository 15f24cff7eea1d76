/** Downloads of assets: at signed URLs, and at the web addresses of releases, which redirect to these. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Callers } from "../../access/Caller.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import * as RequestTarget from "../../api/RequestTarget.ts"
import { type SignedDownload, SignedUrls } from "../../api/SignedUrls.ts"
import { encodePath, type Urls } from "../../api/Urls.ts"
import type { GitError } from "../../git/values/GitError.ts"
import { AssetFiles } from "../../releases/AssetFiles.ts"
import { type ReleaseAssetRow, ReleaseAssetRows } from "../../releases/ReleaseAssetRows.ts"
import { ReleaseRows } from "../../releases/ReleaseRows.ts"
import * as FileResponse from "../FileResponse.ts"

/** Start of the paths of signed URLs. */
export const PREFIX = "/_release_assets/"

/** The web addresses: `/OWNER/REPO/releases/download/TAG/NAME` and `/OWNER/REPO/releases/latest/download/NAME`. */
const webPath = /^\/([^/]+)\/([^/]+)\/releases\/(?:latest\/download|download\/(.+))\/([^/]+)$/

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Serves assets. */
export class AssetDownloads extends Context.Service<
  AssetDownloads,
  {
    /** URL of the file, valid for one minute. */
    link(repositoryId: number, asset: Pick<ReleaseAssetRow, "id" | "name">, urls: Urls): Effect.Effect<string>
    /** Serves the file, or the part in the `Range` header. */
    readonly answer: SignedDownload
    /** True for the path of a web address. */
    isWebPath(path: string): boolean
    /** Redirects a web address to the file, for callers who may read the repository. */
    redirect(
      request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method">,
      path: string,
      urls: Urls
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, ApiError.ApiError | GitError>
  }
>()("@tongs/service/features/releases/AssetDownloads") {
  static readonly layer = Layer.effect(
    AssetDownloads,
    Effect.gen(function* () {
      const assets = yield* ReleaseAssetRows
      const callers = yield* Callers
      const files = yield* AssetFiles
      const releases = yield* ReleaseRows
      const signed = yield* SignedUrls
      const targets = yield* RequestTarget.make

      const answer: SignedDownload = Effect.fnUntraced(function* (request, path) {
        const [repository, id] = path.slice(PREFIX.length).split("/", 2).map(Number)
        const asset = yield* assets.find(repository ?? 0, id ?? 0)
        if (asset === undefined) return yield* ApiError.notFound()
        const { digest, name } = asset
        // Not the type of the upload, which a browser could run as a page of the forge.
        const file = { path: files.path(digest), digest, name, contentType: "application/octet-stream" }
        const response = yield* FileResponse.make(request, file)
        if (response === undefined) return yield* ApiError.notFound("The file of this asset was removed")
        const isStart = !/^bytes=0*[1-9]/.test(request.headers["range"] ?? "")
        if (request.method === "GET" && response.status < 400 && isStart) yield* assets.countDownload(asset.id)
        return response
      })

      const link = (repositoryId: number, { id, name }: Pick<ReleaseAssetRow, "id" | "name">, { api }: Urls) =>
        Effect.map(signed.sign(`${PREFIX}${repositoryId}/${id}/${encodeURIComponent(name)}`), (path) => api + path)

      const redirect = Effect.fn("AssetDownloads.redirect")(function* (
        { headers, method }: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method">,
        path: string,
        urls: Urls
      ) {
        if (method !== "GET" && method !== "HEAD")
          return yield* ApiError.unreadableRequest(405, `Method ${method} not allowed. Use GET or HEAD`)
        const [owner, repo, tag, name] = webPath.exec(path)?.slice(1) ?? []
        const file = decoded(name ?? "")
        const release = tag === undefined ? undefined : decoded(tag)
        if (owner === undefined || repo === undefined || file === undefined || (tag !== undefined && !release))
          return yield* ApiError.notFound()
        const caller = yield* callers.identify(path, headers["authorization"])
        const target = yield* targets.repository(owner, repo, caller)
        const refused = OperationAccess.accessError(reads, caller, target, false)
        if (refused !== undefined) return yield* refused
        const { renamed, repository } = target
        const { id } = repository.row
        if (renamed) {
          const rest = path.split("/").slice(3).join("/")
          return HttpServerResponse.empty({
            status: 301,
            headers: { location: `${urls.html}/${encodePath(repository.fullName)}/${rest}` }
          })
        }
        const found = yield* release === undefined ? releases.latest(id) : releases.byTag(id, release)
        const asset = found === undefined ? undefined : yield* assets.byName(found.id, file)
        if (asset === undefined) return yield* ApiError.notFound()
        return HttpServerResponse.empty({ status: 302, headers: { location: yield* link(id, asset, urls) } })
      })

      return AssetDownloads.of({ link, answer, isWebPath: (path) => webPath.test(path), redirect })
    })
  )
}

/** The operation of the contract with the access rules of downloads. */
const reads = OperationAccess.operationOf("releaseAssets", "get")
