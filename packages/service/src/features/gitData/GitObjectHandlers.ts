import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { GitBlobs, GitTags, GitTrees } from "@tongs/core/contract/groups/GitObjects"
import type { Tag } from "../../git/values/GitObject.ts"
import { isOid } from "../../git/values/Oid.ts"
import { nodeId } from "../../api/NodeId.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { group, rawBody } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { Verifier } from "../../verification/Verifier.ts"
import * as BlobContent from "../../api/BlobContent.ts"
import * as EmptyRepository from "../../api/EmptyRepository.ts"
import * as Base64Content from "../../api/Base64Content.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as NewPerson from "./NewPerson.ts"
import * as NewTree from "./NewTree.ts"
import * as TreeEntries from "./TreeEntries.ts"

/** Maximum size of a blob, in bytes. */
const MAX_BLOB = 100 * 1024 * 1024

/** Maximum concurrent recursive listings. The largest listing takes 100 MB of memory until the end of the response. */
const MAX_RECURSIVE = 2

const trees = Effect.map(Semaphore.make(MAX_RECURSIVE), (recursiveListings) =>
  group(GitTrees)({
    *get({ recursive, tree_sha }, context) {
      const { repository, urls } = context
      const { git } = repository
      const oid = yield* TreeEntries.treeOf(git, tree_sha)
      if (oid === undefined) return yield* EmptyRepository.notFound(git)
      const listing = Effect.gen(function* () {
        const { entries, truncated } = yield* TreeEntries.walk(git, oid, recursive !== undefined)
        return { tree: yield* TreeEntries.describeAll(context, entries), truncated }
      })
      const { tree, truncated } = yield* recursive === undefined ? listing : recursiveListings.withPermit(listing)
      return { sha: Shapes.sha(oid), url: Shapes.objectUrl(repository, urls, "tree", oid), tree, truncated }
    },

    *create({ base_tree, tree: changes }, context) {
      const { repository, urls } = context
      const { git } = repository
      yield* EmptyRepository.failIfEmpty(git)
      const oid = yield* NewTree.write(git, changes, base_tree)
      const { entries, truncated } = yield* TreeEntries.walk(git, oid, false)
      const tree = yield* TreeEntries.describeAll(context, entries)
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
      const content = yield* BlobContent.read(repository.git, yield* repository.git.info(file_sha), MAX_BLOB)
      if (content === undefined) return yield* EmptyRepository.notFound(repository.git)
      if (mediaType === "raw") return rawBody("application/vnd.service.raw", content.body)
      return BlobContent.asContent(content, (text) => ({
        sha: Shapes.sha(file_sha),
        node_id: nodeId("Blob", `${repository.row.id}:${file_sha}`),
        size: content.size,
        url: Shapes.objectUrl(repository, urls, "blob", file_sha),
        content: text,
        encoding: "base64"
      }))
    },

    *create({ content, encoding }, { repository, urls }) {
      const { git } = repository
      yield* EmptyRepository.failIfEmpty(git)
      const bytes = encoding === "base64" ? Base64Content.decode(content) : Buffer.from(content)
      if (bytes === undefined) return yield* Base64Content.invalid("Blob")
      const oid = yield* git.writeBlob(bytes)
      return { sha: Shapes.sha(oid), url: Shapes.objectUrl(repository, urls, "blob", oid) }
    }
  })
)

const tags = Effect.map(Verifier, (verifier) => {
  const shape = ({ repository, urls }: RepositoryContext, oid: string, tag: Tag) =>
    Effect.map(verifier.verify({ oid, signature: tag.signature, signer: tag.tagger }), (verification) => ({
      sha: Shapes.sha(oid),
      node_id: nodeId("Tag", `${repository.row.id}:${oid}`),
      url: Shapes.objectUrl(repository, urls, "tag", oid),
      tag: tag.name,
      message: tag.message,
      tagger: Shapes.signature(tag.tagger ?? { name: "", email: "", seconds: 0, timezone: "+0000" }),
      object: {
        type: tag.type,
        sha: Shapes.sha(tag.object),
        url: Shapes.objectUrl(repository, urls, tag.type, tag.object)
      },
      verification
    }))

  return group(GitTags)({
    *get({ tag_sha }, context) {
      const { git } = context.repository
      const tag = yield* git.tag(tag_sha)
      return yield* tag === undefined ? EmptyRepository.notFound(git) : shape(context, tag_sha, tag)
    },

    *create({ message, object, tag: name, tagger, type }, context) {
      const { caller, repository } = context
      const { git } = repository
      yield* EmptyRepository.failIfEmpty(git)
      const person = yield* tagger === undefined
        ? Shapes.personOf(caller.user)
        : NewPerson.make(tagger, "Tag", "tagger")
      const oid = yield* git.writeTag({ object, type, name, tagger: person, message })
      const tag = yield* git.tag(oid)
      return yield* tag === undefined ? ApiError.notFound() : shape(context, oid, tag)
    }
  })
})

export const make = Effect.all([trees, blobs, tags])
