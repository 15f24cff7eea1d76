/** Undoes commits on top of another one without a work tree, as `git revert` does. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { GitRepository } from "../GitRepository.ts"
import { GitRepositories } from "../GitRepositories.ts"
import { Git } from "../process/Git.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import type { Person } from "../values/GitObject.ts"
import { encodeCommit } from "../values/ObjectEncoding.ts"
import { emptyTree } from "../values/Oid.ts"
import { type MergeFailure, mergeTree } from "./MergeTree.ts"
import * as Rebase from "./Rebase.ts"
import * as TemporaryObjects from "./TemporaryObjects.ts"
import * as TrivialMerge from "./TrivialMerge.ts"

export interface RevertRequest {
  /** The commit to build on. */
  readonly onto: string
  /** The commits to undo, in this order. */
  readonly commits: ReadonlyArray<string>
  readonly person: Person
}

/** The new tip. References are unchanged. */
export type Reverted =
  | { readonly _tag: "Reverted"; readonly oid: string; readonly commits: ReadonlyArray<string> }
  /** `onto` has none of the changes. */
  | { readonly _tag: "Nothing" }
  | MergeFailure

/** Time limit in seconds. */
const SECONDS = 60

/** The message of `git revert`. */
const messageOf = (oid: string, message: string, parents: ReadonlyArray<string>) => {
  const [subject = ""] = message.trimStart().split("\n", 1)
  const reversed = parents.length > 1 ? `, reversing\nchanges made to ${parents[0]}` : ""
  return `Revert "${subject}"\n\nThis reverts commit ${oid}${reversed}.\n`
}

/**
 * Makes the function that undoes commits. Fails with `ObjectMissing` for an unknown commit.
 *
 * **Details**
 *
 * Ids are those of `git revert --no-edit`, with `-m 1` for a merge commit and the same person and date. A commit whose
 * changes `onto` does not have is left out. Each commit that changes a file that `onto` changed, too, needs one git
 * process.
 */
export const make = Effect.gen(function* () {
  const git = yield* Git
  const repositories = yield* GitRepositories

  const revert = Effect.fnUntraced(function* (
    repository: GitRepository,
    { commits, onto, person }: RevertRequest
  ): Effect.fn.Return<Reverted, GitError, Git | Scope.Scope> {
    const read = Effect.fnUntraced(function* (oid: string) {
      return (yield* repository.commit(oid)) ?? (yield* gitError({ _tag: "ObjectMissing", oid }))
    })
    const view = yield* repositories.openView(repository)
    const format = view.objectFormat
    const objects = TemporaryObjects.make(repository, view)
    const write = (tree: string, parent: string, message: string) =>
      objects.writeCommit(encodeCommit({ tree, parents: [parent], author: person, committer: person, message }, format))
    let tip = { oid: onto, tree: (yield* read(onto)).tree }
    const written: Array<string> = []
    for (const oid of commits) {
      const { message, parents, tree: reverted } = yield* read(oid)
      const [parent] = parents
      const before = parent === undefined ? emptyTree[format] : (yield* read(parent)).tree
      let tree = yield* TrivialMerge.merge(objects, reverted, tip.tree, before)
      if (tree === undefined) {
        // Both are children of the commit to undo, which is so their merge base.
        const ours = yield* write(tip.tree, oid, "")
        const theirs = yield* write(before, oid, "")
        yield* objects.flush
        const merged = yield* mergeTree(view, ours, theirs, Rebase.settings)
        if (merged._tag !== "Merged") return merged
        tree = merged.tree
      }
      if (tree === tip.tree) continue
      tip = { oid: yield* write(tree, tip.oid, messageOf(oid, message, parents)), tree }
      written.push(tip.oid)
    }
    const [last] = commits
    if (written.length === 0 || last === undefined) return { _tag: "Nothing" }
    yield* Rebase.keep(repository, { base: onto, head: last }, { _tag: "Rebased", ...tip, commits: written, objects })
    return { _tag: "Reverted", oid: tip.oid, commits: written }
  })

  return Effect.fn("Revert.revert")(
    function* (repository: GitRepository, request: RevertRequest) {
      return yield* Effect.timeoutOrElse(Effect.scoped(revert(repository, request)), {
        duration: `${SECONDS} seconds`,
        orElse: () => Effect.fail(gitError({ _tag: "TimedOut", operation: "The revert", seconds: SECONDS }))
      })
    },
    Effect.provideService(Git, git)
  )
})
