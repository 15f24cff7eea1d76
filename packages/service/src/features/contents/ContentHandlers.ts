import * as Effect from "effect/Effect"
import type { ContentEntry } from "@tongs/core/contract/Contents"
import { Contents } from "@tongs/core/contract/Contents"
import type { GitRepository } from "../../git/GitRepository.ts"
import { kindOfMode } from "../../git/Objects.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { group, rawBody } from "../../api/Handlers.ts"
import * as RawFileUrl from "../../api/RawFileUrl.ts"
import * as ApiError from "../../api/ApiError.ts"
import { isStreamed } from "../../api/StreamedBody.ts"
import type { Urls } from "../../api/Urls.ts"
import { renderer } from "../../api/MarkdownBody.ts"
import * as BlobContent from "../../api/BlobContent.ts"
import * as Shapes from "../../api/Shapes.ts"

/** Maximum size, in bytes, of content inside JSON, and of a raw file. */
const maxJson = 1024 * 1024
const maxRaw = 100 * 1024 * 1024

/** Maximum number of entries of a folder in a response. */
const maxEntries = 1000

interface Place {
  readonly kind: "file" | "dir" | "symlink" | "submodule"
  readonly name: string
  readonly path: string
  readonly oid: string
}

const concurrency = 64

const decoder = new TextDecoder()

/** URL of a submodule in `.gitmodules`. */
const submoduleUrl = Effect.fnUntraced(function* (git: GitRepository, commit: string, path: string) {
  const file = yield* git.entryAt(commit, ".gitmodules")
  const blob = file?.kind === "file" ? yield* git.blob(file.oid, maxJson) : undefined
  if (blob === undefined) return null
  const sections = decoder.decode(blob.bytes).split(/^\[submodule /m)
  const section = sections.find((text) => new RegExp(`^\\s*path\\s*=\\s*${RegExp.escape(path)}\\s*$`, "m").test(text))
  return /^\s*url\s*=\s*(\S+)\s*$/m.exec(section ?? "")?.[1] ?? null
})

const entry = (
  served: ServedRepository,
  urls: Urls,
  ref: string,
  { kind, name, oid, path }: Place,
  size: number
): ContentEntry => {
  const isBlob = kind === "file" || kind === "symlink"
  const places = Shapes.contentUrls(served, urls, ref, isBlob ? "blob" : "tree", oid, path)
  return {
    type: kind,
    size,
    name,
    path,
    sha: Shapes.sha(oid),
    ...places,
    ...(kind === "submodule"
      ? { git_url: null, html_url: null, _links: { ...places._links, git: null, html: null } }
      : {}),
    download_url: isBlob ? RawFileUrl.url(urls, served.fullName, ref, path) : null
  }
}

/** Handlers of files and folders. */
export const make = Effect.succeed(
  group(Contents)({
    *get({ path, ref }, { mediaType, repository, urls }) {
      const { git } = repository
      const commit = yield* git.resolve(ref ?? "HEAD")
      if (commit === undefined) {
        return yield* ApiError.notFound(
          ref === undefined ? "This repository is empty." : `No commit found for the ref ${ref.slice(0, 200)}`
        )
      }
      const shown = ref ?? (yield* git.head)
      const wanted = path.replace(/\/$/, "")
      const found = yield* git.entryAt(commit, wanted)
      if (found === undefined) return yield* ApiError.notFound()

      if (found.kind === "dir") {
        const entries = (yield* git.tree(found.oid)) ?? []
        return yield* Effect.forEach(
          entries.slice(0, maxEntries),
          Effect.fnUntraced(function* ({ mode, name, oid, type }) {
            const size = type === "blob" ? ((yield* git.info(oid))?.size ?? 0) : 0
            const place = { kind: kindOfMode(mode), name, oid, path: wanted === "" ? name : `${wanted}/${name}` }
            return entry(repository, urls, shown, place, size)
          }),
          { concurrency }
        )
      }

      if (found.kind === "submodule") {
        const url = yield* submoduleUrl(git, commit, wanted)
        return { ...entry(repository, urls, shown, found, 0), submodule_git_url: url }
      }

      const info = yield* git.info(found.oid)
      const size = info?.size ?? 0
      if (mediaType !== "raw" && size > maxJson) {
        return { ...entry(repository, urls, shown, found, size), encoding: "none" as const, content: "" }
      }
      const blob = yield* BlobContent.read(git, info, maxRaw)
      if (blob === undefined) return yield* ApiError.notFound()
      const { body } = blob
      if (mediaType === "raw") return rawBody("application/vnd.service.raw; charset=utf-8", body)
      if (mediaType === "html" && found.kind === "file" && !isStreamed(body) && !body.includes(0)) {
        const { fileHtml } = yield* renderer
        return rawBody("application/vnd.service.html; charset=utf-8", fileHtml(wanted, decoder.decode(body)))
      }
      return BlobContent.asContent(blob, (content) => ({
        ...entry(repository, urls, shown, found, size),
        ...(found.kind === "symlink" && !isStreamed(body) ? { target: decoder.decode(body) } : {}),
        encoding: "base64" as const,
        content
      }))
    }
  })
)
