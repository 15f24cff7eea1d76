/** Entries of trees by path, and as resources of the contract. */
import * as Effect from "effect/Effect"
import type { GitTreeEntry } from "@tongs/core/contract/groups/GitObjects"
import type { GitError } from "../../git/values/GitError.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import type { TreeEntry } from "../../git/values/GitObject.ts"
import { isOid } from "../../git/values/Oid.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"

/** Maximum number of entries in a response. Larger trees are `truncated`. */
const MAX_ENTRIES = 100_000

interface Walked {
  readonly entries: Array<TreeEntry & { readonly path: string }>
  truncated: boolean
}

/** Entries of a tree by path, in git's order. `recursive` includes subtrees. */
export const walk = (git: GitRepository, tree: string, recursive: boolean): Effect.Effect<Walked, GitError> => {
  const walked: Walked = { entries: [], truncated: false }
  const visit = (oid: string, prefix: string): Effect.Effect<void, GitError> =>
    Effect.flatMap(git.tree(oid), (entries = []) =>
      Effect.forEach(
        entries,
        (entry) => {
          if (walked.entries.length >= MAX_ENTRIES) {
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
export const treeOf = Effect.fnUntraced(function* (git: GitRepository, name: string) {
  if (isOid(name) && (yield* git.info(name))?.type === "tree") return name
  const oid = yield* git.resolve(name)
  const commit = oid === undefined ? undefined : yield* git.commit(oid)
  return commit?.tree
})

/** Entries encoded before yielding to other requests. */
const ENTRIES_PER_TURN = 1000

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

/** Describes entries as resources of the contract. */
export const describeAll = Effect.fnUntraced(function* (context: RepositoryContext, entries: Walked["entries"]) {
  const tree: Array<GitTreeEntry> = []
  for (let at = 0; at < entries.length; at += ENTRIES_PER_TURN) {
    const tick = entries.slice(at, at + ENTRIES_PER_TURN)
    for (const entry of yield* Effect.forEach(tick, (entry) => describe(context, entry), { concurrency: 64 })) {
      tree.push(entry)
    }
    if (at > 0) yield* Effect.yieldNow
  }
  return tree
})
