/** Merges a commit into another without a work tree, by the three methods of pull requests. */
import * as Effect from "effect/Effect"
import type { GitRepository } from "../GitRepository.ts"
import { GitRepositories } from "../GitRepositories.ts"
import * as ObjectFiles from "../objects/ObjectFiles.ts"
import type { CommitSigner } from "../objects/ObjectWriter.ts"
import { Git } from "../process/Git.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import type { Person, TreeEntry } from "../values/GitObject.ts"
import { encodeTree } from "../values/ObjectEncoding.ts"
import { type MergeFailure, mergeTree } from "./MergeTree.ts"
import * as Rebase from "./Rebase.ts"
import * as TrivialMerge from "./TrivialMerge.ts"

/** Merges commit `head` into commit `base`. */
export type MergeRequest =
  | {
      /** `merge` writes a commit with the parents `base` and `head`, `squash` one with the parent `base`. */
      readonly method: "merge" | "squash"
      readonly base: string
      readonly head: string
      readonly message: string
      readonly author: Person
      readonly committer: Person
      /** Signs the commit. */
      readonly sign?: CommitSigner | undefined
    }
  | ({
      /** Copies the commits `base..head` onto `base`: see `Rebase.rebase`. */
      readonly method: "rebase"
    } & Rebase.RebaseRequest)

/** The result of a merge. References are unchanged. */
export type Merge =
  /** Id and tree of the new tip, and the new commits in order. */
  | { readonly _tag: "Merged"; readonly oid: string; readonly tree: string; readonly commits: ReadonlyArray<string> }
  /** `base` contains `head`, or a rebase leaves out all commits. */
  | { readonly _tag: "Nothing" }
  /** `commit` is the commit of a rebase that failed. */
  | (MergeFailure & { readonly commit?: string })

/** Time limit of a rebase in seconds. */
const REBASE_SECONDS = 60

/**
 * Creates the function that merges. Fails with `ObjectMissing` for an unknown commit.
 *
 * **Details**
 *
 * Without `sign`, ids are those of `git merge --no-ff`, of `git merge --squash` with `git commit --allow-empty`, and of
 * `git rebase`, with the same people and dates. A merge and a squash need one git process, a rebase four, and one for
 * each commit that changes a file that `base` changed, too.
 */
export const make = Effect.gen(function* () {
  const git = yield* Git
  const repositories = yield* GitRepositories

  const rebase = Effect.fnUntraced(function* (
    repository: GitRepository,
    request: Rebase.RebaseRequest
  ): Effect.fn.Return<Merge, GitError, Git> {
    const common = yield* repository.mergeBase(request.base, request.head)
    if (common === undefined) return { _tag: "Unrelated" }
    if (common === request.head) return { _tag: "Nothing" }
    return yield* Effect.scoped(
      Effect.gen(function* () {
        const view = yield* repositories.openView(repository)
        const rebased = yield* Rebase.rebase(repository, view, request)
        if (rebased._tag !== "Rebased") return rebased
        const { commits, oid, tree } = rebased
        if (commits.length === 0) return { _tag: "Nothing" } as const
        yield* Rebase.keep(repository, request, rebased)
        return { _tag: "Merged", oid, tree, commits } as const
      })
    )
  })

  return Effect.fn("Merging.merge")(
    function* (repository: GitRepository, request: MergeRequest): Effect.fn.Return<Merge, GitError, Git> {
      const { base, head } = request
      if (request.method === "rebase") return yield* Effect.timeoutOrElse(rebase(repository, request), timeout)
      const merged = yield* mergeTree(repository, base, head)
      if (merged._tag !== "Merged") return merged
      const { tree } = merged
      if (tree === (yield* repository.commit(base))?.tree && (yield* repository.isAncestor(head, base))) {
        return { _tag: "Nothing" }
      }
      const { author, committer, message, method, sign } = request
      const parents = method === "merge" ? [base, head] : [base]
      const oid = yield* repository.writeCommit({ tree, parents, author, committer, message }, sign)
      return { _tag: "Merged", oid, tree, commits: [oid] }
    },
    Effect.provideService(Git, git)
  )
})

/**
 * Merges `head` into `base` as `make` does, without a git process. `parent` is the only parent of `head`, and an
 * ancestor of `base`. Gives `undefined`, and writes nothing, if git must decide: see `TrivialMerge.merge`.
 */
export const mergeOneCommit = Effect.fn("Merging.mergeOneCommit")(function* (
  repository: GitRepository,
  { author, base, committer, head, message }: Omit<MergeRequest & { readonly method: "merge" }, "method" | "sign">,
  parent: string
): Effect.fn.Return<string | undefined, GitError> {
  const trees: Array<string> = []
  for (const oid of [parent, base, head]) {
    const commit = yield* repository.commit(oid)
    if (commit === undefined) return undefined
    trees.push(commit.tree)
  }
  const [before = "", ours = "", theirs = ""] = trees
  const levels: Array<ReadonlyArray<TreeEntry>> = []
  const write = (entries: ReadonlyArray<TreeEntry>) =>
    Effect.sync(() => {
      levels.push(entries)
      return ObjectFiles.idOf("tree", encodeTree(entries), repository.objectFormat)
    })
  const tree = yield* TrivialMerge.merge({ read: repository.tree, write }, before, ours, theirs)
  if (tree === undefined) return undefined
  for (const entries of levels) yield* repository.writeEntries(entries)
  return yield* repository.writeCommit({ tree, parents: [base, head], author, committer, message })
})

const timeout = {
  duration: `${REBASE_SECONDS} seconds`,
  orElse: () => Effect.fail(gitError({ _tag: "TimedOut", operation: "The rebase", seconds: REBASE_SECONDS }))
} as const
