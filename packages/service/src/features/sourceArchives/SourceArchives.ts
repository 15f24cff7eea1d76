/** Archives of the files of a commit, at signed URLs. */
import { availableParallelism } from "node:os"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { NotFound } from "@tongs/core/contract/Failure"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as ApiError from "../../api/ApiError.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { type SignedDownload, SignedUrls } from "../../api/SignedUrls.ts"
import type { GitError } from "../../git/values/GitError.ts"
import { type Format, formats } from "../../git/objects/SourceArchive.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { WorkTrees } from "../../search/worktree/WorkTrees.ts"
import * as WebArchiveUrl from "./WebArchiveUrl.ts"

/** Start of the paths of signed URLs. */
export const PREFIX = "/_archives/"

/** Maximum archives that git compresses at the same time. A request for another archive is rejected with 503. */
const maxConcurrent = Math.max(8, 2 * availableParallelism())

const contentTypes: Readonly<Record<Format, string>> = { "tar.gz": "application/x-gzip", zip: "application/zip" }

/** Creates the archives, and the archive URLs. */
export class SourceArchives extends Context.Service<
  SourceArchives,
  {
    /**
     * URL of the archive of a branch, tag or commit, valid for one minute. An empty `ref` is the default branch. Fails
     * with `NotFound` if the commit does not exist.
     */
    link(format: Format, ref: string, context: RepositoryContext): Effect.Effect<string, NotFound | GitError>
    /** Serves an archive during creation by git. */
    readonly answer: SignedDownload
  }
>()("@tongs/service/features/sourceArchives/SourceArchives") {
  static readonly layer = Layer.effect(
    SourceArchives,
    Effect.gen(function* () {
      const registry = yield* RepositoryRegistry
      const signed = yield* SignedUrls
      const workTrees = yield* WorkTrees
      let running = 0
      const counted = Effect.acquireRelease(
        Effect.sync(() => ++running),
        () => Effect.sync(() => --running)
      )

      const answer: SignedDownload = Effect.fnUntraced(function* ({ method }, path) {
        const [owner = "", name = "", commit = "", file = ""] = path.slice(PREFIX.length).split("/")
        const repository = yield* registry.find(owner, name)
        const format = formats.find((suffix) => file.endsWith(`.${suffix}`))
        if (repository === undefined || format === undefined) return yield* ApiError.notFound()
        const headers = {
          // Weak, because another version of git can compress the same files differently.
          etag: `W/"${commit}.${format}"`,
          "cache-control": "private, no-store",
          "content-disposition": `attachment; filename=${file}`,
          "x-content-type-options": "nosniff"
        }
        const folder = file.slice(0, -format.length - 1)
        const options = { headers, contentType: contentTypes[format] }
        if (method === "HEAD") return HttpServerResponse.stream(Stream.empty, options)
        if (running >= maxConcurrent) {
          return yield* ApiError.unavailable(`${running} archives are being created. Request this one again later`)
        }
        const bytes = workTrees.withSignedSnapshot(repository, commit).git.archive({ commit, format, folder })
        return HttpServerResponse.stream(Stream.unwrap(Effect.as(counted, bytes)), options)
      })

      return SourceArchives.of({
        link: Effect.fnUntraced(function* (format, given, { mediaType, repository, urls }) {
          const { git, row } = repository
          const ref = given || "HEAD"
          const commit = yield* git.resolve(ref)
          if (commit === undefined) return yield* ApiError.notFound()
          const folder =
            mediaType === WebArchiveUrl.MEDIA_TYPE
              ? `${row.name}-${WebArchiveUrl.shortName(ref)}`
              : `${row.owner.login}-${row.name}-${AbbreviatedId.of(commit)}`
          const file = `${folder.replace(/[^\w.-]/g, "-")}.${format}`
          const path = [row.owner.login, row.name, commit, file].map(encodeURIComponent).join("/")
          return urls.api + (yield* signed.sign(PREFIX + path))
        }),
        answer
      })
    })
  )
}
