import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { GitBlobs, GitTags, GitTrees, type GitTreeEntry } from "@tongs/core/contract/GitObjects"
import type { GitError } from "../../git/GitError.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import type { TreeEntry } from "../../git/GitObject.ts"
import { isOid } from "../../git/Oid.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { group, rawBody } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { Verifier } from "../../verification/Verifier.ts"
import * as BlobContent from "../../api/BlobContent.ts"
import * as EmptyRepository from "../../api/EmptyRepository.ts"
import * as Shapes from "../../api/Shapes.ts"

/** Maximum number of entries in a response. Larger trees are `truncated`. */
const maxEntries = 100_000

/** Maximum size of a blob, in bytes. */
const maxBlob = 100 * 1024 * 1024

interface Walked {
  readonly entries: Array<TreeEntry & { readonly path: string }>
  truncated: boolean
}

/** Entries of a tree with their paths, in git's order. `recursive` includes subtrees. */
const walk = (git: GitRepository, tree: string, recursive: boolean): Effect.Effect<Walked, GitError> => {
  const walked: Walked = { entries: [], truncated: false }
  const visit = (oid: string, prefix: string): Effect.Effect<void, GitError> =>
    Effect.flatMap(git.tree(oid), (entries = []) =>
      Effect.forEach(
        entries,
        (entry) => {
          if (walked.entries.length >= maxEntries) {
            walked.truncated = true
            return Effect.void
          }
          const path = prefix + entry.name
          walked.entries.push({ ...entry, path })
          return recursive && entry.type === "tree" ? visit(entry.oid, `${path}/`) : Effect.void
        },
        { discard: true }
      )
    )
  return Effect.as(visit(tree, ""), walked)
}

/** Resolves a tree id, commit, branch or tag to a tree. */
const treeOf = Effect.fnUntraced(function* (git: GitRepository, name: string) {
  if (isOid(name) && (yield* git.info(name))?.type === "tree") return name
  const oid = yield* git.resolve(name)
  const commit = oid === undefined ? undefined : yield* git.commit(oid)
  return commit?.tree
})

/** Entries encoded before yielding to other requests. */
const entriesPerTurn = 1000

const describe = Effect.fnUntraced(function* (
  { repository, urls }: RepositoryContext,
  { mode, oid, path, type }: Walked["entries"][number]
) {
  const size = type === "blob" ? (yield* repository.git.info(oid))?.size : undefined
  const entry: GitTreeEntry = {
    path,
    mode,
    type,
    sha: Shapes.sha(oid),
    ...(size === undefined ? {} : { size }),
    ...(type === "commit" ? {} : { url: Shapes.objectUrl(repository, urls, type, oid) })
  }
  return entry
})

const describeAll = Effect.fnUntraced(function* (context: RepositoryContext, entries: Walked["entries"]) {
  const tree: Array<GitTreeEntry> = []
  for (let at = 0; at < entries.length; at += entriesPerTurn) {
    const tick = entries.slice(at, at + entriesPerTurn)
    for (const entry of yield* Effect.forEach(tick, (entry) => describe(context, entry), { concurrency: 64 })) {
      tree.push(entry)
    }
    if (at > 0) yield* Effect.yieldNow
  }
  return tree
})

/** Concurrent recursive listings. The largest one takes 100 MB of memory until it is sent. */
const maxRecursive = 2

const trees = Effect.map(Semaphore.make(maxRecursive), (recursiveListings) =>
  group(GitTrees)({
    *get({ recursive, tree_sha }, context) {
      const { repository, urls } = context
      const { git } = repository
      const oid = yield* treeOf(git, tree_sha)
      if (oid === undefined) return yield* EmptyRepository.notFound(git)
      const listing = Effect.gen(function* () {
        const { entries, truncated } = yield* walk(git, oid, recursive !== undefined)
        return { tree: yield* describeAll(context, entries), truncated }
      })
      const { tree, truncated } = yield* recursive === undefined ? listing : recursiveListings.withPermit(listing)
      return { sha: Shapes.sha(oid), url: Shapes.objectUrl(repository, urls, "tree", oid), tree, truncated }
    }
  })
)

const blobs = Effect.succeed(
  group(GitBlobs)({
    *get({ file_sha }, { mediaType, repository, urls }) {
      if (!isOid(file_sha)) {
        return yield* ApiError.invalid("The sha parameter must be a full object id in hexadecimal", [
          { resource: "Blob", field: "file_sha", code: "invalid" }
        ])
      }
      const content = yield* BlobContent.read(repository.git, yield* repository.git.info(file_sha), maxBlob)
      if (content === undefined) return yield* EmptyRepository.notFound(repository.git)
      if (mediaType === "raw") return rawBody("application/vnd.service.raw", content.body)
      return BlobContent.asContent(content, (text) => ({
        sha: Shapes.sha(file_sha),
        node_id: Shapes.nodeId("Blob", `${repository.row.id}:${file_sha}`),
        size: content.size,
        url: Shapes.objectUrl(repository, urls, "blob", file_sha),
        content: text,
        encoding: "base64"
      }))
    }
  })
)

const tags = Effect.map(Verifier, (verifier) =>
  group(GitTags)({
    *get({ tag_sha }, { repository, urls }) {
      const tag = yield* repository.git.tag(tag_sha)
      if (tag === undefined) return yield* EmptyRepository.notFound(repository.git)
      return {
        sha: Shapes.sha(tag_sha),
        node_id: Shapes.nodeId("Tag", `${repository.row.id}:${tag_sha}`),
        url: Shapes.objectUrl(repository, urls, "tag", tag_sha),
        tag: tag.name,
        message: tag.message,
        tagger: Shapes.signature(tag.tagger ?? { name: "", email: "", seconds: 0, timezone: "+0000" }),
        object: {
          type: tag.type,
          sha: Shapes.sha(tag.object),
          url: Shapes.objectUrl(repository, urls, tag.type, tag.object)
        },
        verification: yield* verifier.verify({ oid: tag_sha, signature: tag.signature, signer: tag.tagger })
      }
    }
  })
)

/** Handlers of trees, blobs and annotated tags. */
export const make = Effect.all([trees, blobs, tags])
