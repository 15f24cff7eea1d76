import * as Effect from "effect/Effect"
import { Contents } from "@tongs/core/contract/groups/Contents"
import * as PathText from "@tongs/core/text/PathText"
import type { GitRepository } from "../../git/GitRepository.ts"
import * as LinkedFile from "../../git/objects/LinkedFile.ts"
import { kindOfMode, type PathEntry } from "../../git/objects/Objects.ts"
import { group, withStatus } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { isStreamed } from "../../api/StreamedBody.ts"
import * as Base64Content from "../../api/Base64Content.ts"
import * as BlobContent from "../../api/BlobContent.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { Verifier } from "../../verification/Verifier.ts"
import * as ContentEntries from "./ContentEntries.ts"
import * as FileCommits from "./FileCommits.ts"
import * as FileContent from "./FileContent.ts"
import * as LicenseFile from "../../api/LicenseFile.ts"
import * as ReadmeFile from "./ReadmeFile.ts"
import * as Submodules from "./Submodules.ts"

/** Maximum number of entries of a folder in a response. */
const MAX_ENTRIES = 1000

const CONCURRENCY = 64

const decoder = new TextDecoder()

/**
 * Resolves the revision of a request, by default the default branch. Fails with a 404 for a revision without a commit.
 */
const revision = Effect.fnUntraced(function* ({ repository: { git } }: RepositoryContext, ref: string | undefined) {
  const commit = yield* git.resolve(ref ?? "HEAD")
  if (commit === undefined) {
    return yield* ApiError.notFound(
      ref === undefined ? "This repository is empty." : `No commit found for the ref ${ref.slice(0, 200)}`
    )
  }
  return { commit, shown: ref ?? (yield* git.head) }
})

/** As on GitHub: the content and id of the linked file, at the path of the link. */
const followed = Effect.fnUntraced(function* (git: GitRepository, commit: string, entry: PathEntry) {
  const linked = entry.kind === "symlink" ? yield* LinkedFile.follow(git, commit, entry) : undefined
  return linked === undefined ? entry : { ...linked, name: entry.name, path: entry.path }
})

/** Finds a file. Fails with a 404 without a path. */
const findFile = Effect.fnUntraced(function* (git: GitRepository, commit: string, path: string | undefined) {
  const entry = path === undefined ? undefined : yield* git.entryAt(commit, path)
  if (entry === undefined) return yield* ApiError.notFound()
  return yield* followed(git, commit, entry)
})

const readFile = Effect.fnUntraced(function* (
  context: RepositoryContext,
  { commit, shown }: { readonly commit: string; readonly shown: string },
  path: string | undefined
) {
  const file = yield* findFile(context.repository.git, commit, path)
  return yield* FileContent.read(context, shown, file, (entry) => entry)
})

export const make = Effect.map(Effect.all([FileCommits.make, Verifier]), ([commitFile, verifier]) =>
  group(Contents)({
    *get({ path, ref }, context) {
      const { repository, urls } = context
      const { git } = repository
      const { commit, shown } = yield* revision(context, ref)
      const wanted = path.replace(/\/$/, "")
      const entry = yield* git.entryAt(commit, wanted)
      if (entry === undefined) return yield* ApiError.notFound()
      const found = yield* followed(git, commit, entry)

      if (found.kind === "dir") {
        const entries = (yield* git.tree(found.oid)) ?? []
        return yield* Effect.forEach(
          entries.slice(0, MAX_ENTRIES),
          Effect.fnUntraced(function* ({ mode, name, oid, type }) {
            const size = type === "blob" ? ((yield* git.info(oid))?.size ?? 0) : 0
            const place = { kind: kindOfMode(mode), name, oid, path: wanted === "" ? name : `${wanted}/${name}` }
            return ContentEntries.make(repository, urls, shown, place, size)
          }),
          { concurrency: CONCURRENCY }
        )
      }

      if (found.kind === "submodule") {
        const submodule = yield* Submodules.find(git, commit, wanted)
        const submodule_git_url = submodule?.url ?? null
        return { ...ContentEntries.make(repository, urls, shown, found, 0), submodule_git_url }
      }

      return yield* FileContent.read(context, shown, found, (entry) => entry)
    },

    *getReadme({ ref }, context) {
      const at = yield* revision(context, ref)
      return yield* readFile(context, at, yield* ReadmeFile.ofRepository(context.repository.git, at.commit))
    },

    *getReadmeInDirectory({ dir, ref }, context) {
      const at = yield* revision(context, ref)
      const folder = dir.replace(/\/$/, "")
      return yield* readFile(context, at, yield* ReadmeFile.inFolder(context.repository.git, at.commit, folder))
    },

    *getLicense({ ref }, context) {
      const { git } = context.repository
      const at = yield* revision(context, ref)
      const file = yield* findFile(git, at.commit, yield* LicenseFile.find(git, at.commit))
      const blob = yield* BlobContent.read(git, yield* git.info(file.oid), FileContent.MAX_JSON)
      const text = blob === undefined || isStreamed(blob.body) ? "" : decoder.decode(blob.body)
      const license = LicenseFile.resource(LicenseFile.detect(text), context.urls)
      return yield* FileContent.read(context, at.shown, file, (entry) => ({ ...entry, license }))
    },

    *createOrUpdate({ content, ...change }, context) {
      const { repository, urls } = context
      const bytes = Base64Content.decode(content)
      if (bytes === undefined) return yield* Base64Content.invalid("Commit")
      const { before, blob, branch, oid } = yield* commitFile(context, change, bytes)
      const name = PathText.nameOf(change.path)
      const kind = before?.kind ?? "file"
      const file = { kind, name, path: change.path, oid: blob ?? "" }
      return withStatus(before === undefined ? 201 : 200, {
        content: ContentEntries.make(repository, urls, branch, file, bytes.length),
        commit: yield* describeCommit(verifier, context, oid)
      })
    },

    *delete(change, context) {
      const { oid } = yield* commitFile(context, change, null)
      return { content: null, commit: yield* describeCommit(verifier, context, oid) }
    }
  })
)

/** Describes a commit that this request has written. */
const describeCommit = Effect.fnUntraced(function* (
  verifier: Verifier["Service"],
  { repository, urls }: RepositoryContext,
  oid: string
) {
  const commit = yield* repository.git.commit(oid)
  if (commit === undefined) return yield* ApiError.notFound() // unreachable: the branch points to this commit
  const verification = yield* verifier.verify({ oid, signature: commit.signature, signer: commit.committer })
  return Shapes.gitCommit(repository, urls, oid, commit, verification)
})
