/** Copies the commits of one branch onto another without a work tree, as `git rebase` does. */
import * as Effect from "effect/Effect"
import type { GitRepository } from "../GitRepository.ts"
import { Git } from "../process/Git.ts"
import * as CommitRewriting from "../values/CommitRewriting.ts"
import { commandFailed, type GitError, gitError } from "../values/GitError.ts"
import { type Commit, parseCommit, type Person } from "../values/GitObject.ts"
import { encodeCommit } from "../values/ObjectEncoding.ts"
import { emptyTree } from "../values/Oid.ts"
import * as PackEncoding from "../values/PackEncoding.ts"
import { mergeTree, type TreeMerge } from "./MergeTree.ts"
import * as TemporaryObjects from "./TemporaryObjects.ts"
import * as TrivialMerge from "./TrivialMerge.ts"

/** The commits `base..head` to copy onto `base`. */
export interface RebaseRequest {
  readonly base: string
  readonly head: string
  readonly committer: Person
}

/** The copied commits in order, and the tree of the last one. */
export interface Rebased {
  readonly _tag: "Rebased"
  readonly oid: string
  readonly tree: string
  readonly commits: ReadonlyArray<string>
  readonly objects: TemporaryObjects.TemporaryObjects
}

/** Maximum number of commits, each of which can need a git process. */
const MAX_COMMITS = 1000

/** Settings of git in a view, whose objects are temporary. */
export const settings = ["core.fsync=none"]

/**
 * Copies the commits `base..head` of `repository`, with temporary objects in `view`, a view of it.
 *
 * **Details**
 *
 * - The order is that of `git rev-list --reverse --topo-order`.
 * - Merge commits are left out, as by `git rebase` without `--rebase-merges`.
 * - A commit without changes is copied. A commit whose changes `base` already has is left out, as by `--empty=drop`.
 * - Commits that `base` has in another form are not searched for, as with `--reapply-cherry-picks`.
 * - Every commit is written again, as with `--no-ff`, because the committer changes.
 *
 * The tree of a copy is the merge of the original into the new parent with the original's parent as merge base. If files
 * changed on both sides, `git merge-tree` merges: a temporary commit on the original's parent has the tree of the new
 * parent.
 */
export const rebase = Effect.fn("Rebase.rebase")(function* (
  repository: GitRepository,
  view: GitRepository,
  { base, committer, head }: RebaseRequest,
  limit = MAX_COMMITS
): Effect.fn.Return<Rebased | (Exclude<TreeMerge, { _tag: "Merged" }> & { commit?: string }), GitError, Git> {
  const format = view.objectFormat
  const originals = yield* read(view.gitDir, base, head, limit)
  if (originals.length > limit) {
    return { _tag: "Unsupported", detail: `More than ${limit} commits cannot be rebased here. Rebase with git` }
  }
  const objects = TemporaryObjects.make(repository, view)
  const treeIds = new Map(originals.map(({ commit, oid }) => [oid, commit.tree]))

  /** The tree of a commit; `undefined` for one that a shallow clone lacks. */
  const treeOf = Effect.fnUntraced(function* (oid: string) {
    return treeIds.get(oid) ?? (yield* repository.commit(oid))?.tree
  })
  const temporary = (tree: string, parents: ReadonlyArray<string>) =>
    objects.writeCommit(encodeCommit({ tree, parents, author: committer, committer, message: "" }, format))

  const onto = yield* treeOf(base)
  if (onto === undefined) return yield* gitError({ _tag: "ObjectMissing", oid: base })
  let tip = { oid: base, tree: onto }
  const commits: Array<string> = []
  for (const { bytes, commit, oid } of originals) {
    const [parent] = commit.parents
    const parentTree = parent === undefined ? undefined : yield* treeOf(parent)
    const before = parentTree ?? emptyTree[format]
    const isEmpty = commit.tree === before
    let tree = isEmpty ? tip.tree : yield* TrivialMerge.merge(objects, before, tip.tree, commit.tree)
    if (tree === undefined) {
      const isRoot = parent === undefined || parentTree === undefined
      const common = isRoot ? yield* temporary(before, []) : parent
      const theirs = isRoot ? yield* temporary(commit.tree, [common]) : oid
      const ours = yield* temporary(tip.tree, [common])
      yield* objects.flush
      const picked = yield* mergeTree(view, ours, theirs, settings)
      if (picked._tag !== "Merged") return { ...picked, commit: oid }
      tree = picked.tree
    }
    if (!isEmpty && tree === tip.tree) continue
    const content = CommitRewriting.encode(bytes, { tree, parent: tip.oid, committer })
    if (content === undefined) {
      return { _tag: "Unsupported", detail: `Commit ${oid} has no author, or a NUL byte in its message`, commit: oid }
    }
    tip = { oid: yield* objects.writeCommit(content), tree }
    commits.push(tip.oid)
  }
  return { _tag: "Rebased", ...tip, commits, objects }
})

interface Original {
  readonly oid: string
  readonly bytes: Buffer
  readonly commit: Commit
}

/** Reads the commits `base..head` without merges, at most one more than `limit`. */
const read = Effect.fnUntraced(function* (
  gitDir: string,
  base: string,
  head: string,
  limit: number
): Effect.fn.Return<ReadonlyArray<Original>, GitError, Git> {
  const git = yield* Git
  const range = ["rev-list", "--topo-order", "--no-merges", `--max-count=${limit + 1}`, head, `^${base}`]
  const listing = yield* git.run(range, { gitDir })
  const oids = listing.stdout.toString("latin1").split("\n").filter(Boolean).reverse()
  if (oids.length === 0 || oids.length > limit) return oids.map((oid) => ({ oid, ...nothing }))
  const args = ["cat-file", "--batch", "--buffer"]
  const { stdout } = yield* git.run(args, { gitDir, input: oids.map((oid) => `${oid}\n`).join("") })
  const found: Array<Original> = []
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf("\n", at)
    const [oid = "", type, size] = stdout.toString("latin1", at, end).split(" ")
    if (type !== "commit") return yield* commandFailed(args, 0, `${oid} is not a commit`, gitDir)
    const bytes = stdout.subarray(end + 1, end + 1 + Number(size))
    found.push({ oid, bytes, commit: parseCommit(bytes) })
    at = end + bytes.length + 2
  }
  return found
})

const nothing = { bytes: Buffer.alloc(0), commit: parseCommit(Buffer.alloc(0)) }

/** Writes the objects of a rebase into the repository, durably. */
export const keep = Effect.fn("Rebase.keep")(function* (
  { gitDir }: GitRepository,
  { base, head }: Pick<RebaseRequest, "base" | "head">,
  { objects, oid }: Rebased
): Effect.fn.Return<void, GitError, Git> {
  const git = yield* Git
  const pack = yield* objects.pack(oid, [base, head])
  // As in a push, few objects become files of their own.
  const args = PackEncoding.countOf(pack) < UNPACK_LIMIT ? ["unpack-objects", "-q"] : ["index-pack", "--stdin"]
  yield* git.run(args, { gitDir, input: pack })
})

/** Number of objects from which a pack is kept: git's `transfer.unpackLimit`. */
const UNPACK_LIMIT = 100
