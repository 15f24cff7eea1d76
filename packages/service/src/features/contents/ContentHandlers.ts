import * as Effect from "effect/Effect"
import { Contents } from "@tongs/core/contract/Contents"
import type { GitRepository } from "../../git/GitRepository.ts"
import * as LinkedFile from "../../git/LinkedFile.ts"
import { kindOfMode } from "../../git/Objects.ts"
import { group, rawBody, withStatus } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { isStreamed } from "../../api/StreamedBody.ts"
import { renderer } from "../../api/MarkdownBody.ts"
import * as Base64Content from "../../api/Base64Content.ts"
import * as BlobContent from "../../api/BlobContent.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as ContentEntries from "./ContentEntries.ts"
import * as FileCommits from "./FileCommits.ts"

/** Maximum size, in bytes, of content inside JSON, and of a raw file. */
const maxJson = 1024 * 1024
const maxRaw = 100 * 1024 * 1024

/** Maximum number of entries of a folder in a response. */
const maxEntries = 1000

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

/** Handlers of files and folders. */
export const make = Effect.map(FileCommits.make, (commitFile) =>
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
      const entry = yield* git.entryAt(commit, wanted)
      if (entry === undefined) return yield* ApiError.notFound()
      const linked = entry.kind === "symlink" ? yield* LinkedFile.follow(git, commit, entry) : undefined
      // As on GitHub: the content and id of the linked file, at the path of the link.
      const found = linked === undefined ? entry : { ...linked, name: entry.name, path: entry.path }

      if (found.kind === "dir") {
        const entries = (yield* git.tree(found.oid)) ?? []
        return yield* Effect.forEach(
          entries.slice(0, maxEntries),
          Effect.fnUntraced(function* ({ mode, name, oid, type }) {
            const size = type === "blob" ? ((yield* git.info(oid))?.size ?? 0) : 0
            const place = { kind: kindOfMode(mode), name, oid, path: wanted === "" ? name : `${wanted}/${name}` }
            return ContentEntries.make(repository, urls, shown, place, size)
          }),
          { concurrency }
        )
      }

      if (found.kind === "submodule") {
        const url = yield* submoduleUrl(git, commit, wanted)
        return { ...ContentEntries.make(repository, urls, shown, found, 0), submodule_git_url: url }
      }

      const info = yield* git.info(found.oid)
      const size = info?.size ?? 0
      if (mediaType !== "raw" && size > maxJson) {
        return { ...ContentEntries.make(repository, urls, shown, found, size), encoding: "none" as const, content: "" }
      }
      const blob = yield* BlobContent.read(git, info, maxRaw)
      if (blob === undefined) return yield* ApiError.notFound()
      const { body } = blob
      if (mediaType === "raw") return rawBody("application/vnd.service.raw; charset=utf-8", body)
      if (mediaType === "html" && found.kind === "file" && !isStreamed(body) && !body.includes(0)) {
        const { fileHtml } = yield* renderer
        return rawBody("application/vnd.service.html; charset=utf-8", fileHtml(wanted, decoder.decode(body)))
      }
      if (found.kind === "symlink" && !isStreamed(body)) {
        return { ...ContentEntries.make(repository, urls, shown, found, size), target: decoder.decode(body) }
      }
      return BlobContent.asContent(blob, (content) => ({
        ...ContentEntries.make(repository, urls, shown, found, size),
        encoding: "base64" as const,
        content
      }))
    },

    *createOrUpdate({ content, ...change }, context) {
      const { repository, urls } = context
      const bytes = Base64Content.decode(content)
      if (bytes === undefined) return yield* Base64Content.invalid("Commit")
      const { before, blob, branch, oid } = yield* commitFile(context, change, bytes)
      const name = change.path.slice(change.path.lastIndexOf("/") + 1)
      const kind = before?.kind ?? "file"
      const file = { kind, name, path: change.path, oid: blob ?? "" }
      return withStatus(before === undefined ? 201 : 200, {
        content: ContentEntries.make(repository, urls, branch, file, bytes.length),
        commit: yield* describeCommit(context, oid)
      })
    },

    *delete(change, context) {
      const { oid } = yield* commitFile(context, change, null)
      return { content: null, commit: yield* describeCommit(context, oid) }
    }
  })
)

/** Describes a commit that this request has written. It has no signature. */
const describeCommit = Effect.fnUntraced(function* ({ repository, urls }: RepositoryContext, oid: string) {
  const commit = yield* repository.git.commit(oid)
  if (commit === undefined) return yield* ApiError.notFound() // unreachable: the branch points to it
  return Shapes.gitCommit(repository, urls, oid, commit, Shapes.verification(undefined))
})
