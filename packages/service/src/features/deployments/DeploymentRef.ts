/** The branch, tag or commit of a new deployment: its commit, what it must contain, and its checks. */
import * as Effect from "effect/Effect"
import * as ApiError from "../../api/ApiError.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { Rollups } from "../../checks/Rollup.ts"
import * as Merging from "../../git/merging/Merging.ts"
import * as RefName from "../../git/values/RefName.ts"
import * as RequiredChecks from "../../pulls/RequiredChecks.ts"
import { CommitSigning } from "../../verification/CommitSigning.ts"
import * as BranchCommits from "../gitData/BranchCommits.ts"

export const make = Effect.gen(function* () {
  const addCommit = yield* BranchCommits.make
  const mergeCommits = yield* Merging.make
  const rollups = yield* Rollups
  const { sign } = yield* CommitSigning

  return {
    /** Returns the commit to deploy. */
    commit: Effect.fnUntraced(function* (ref: string, { repository: { git } }: RepositoryContext) {
      const branch = yield* git.ref(RefName.branch(ref))
      const found = yield* git.resolve(branch?.oid ?? ref)
      return found ?? (yield* ApiError.invalid(`No ref found for: ${ref.slice(0, 200)}`))
    }),

    /**
     * Merges the default branch into a branch that is behind. Returns the message of the merge, or undefined if there
     * is nothing to merge.
     */
    merge: Effect.fnUntraced(function* (ref: string, sha: string, context: SignedInRepositoryContext) {
      const { git } = context.repository
      const base = yield* git.head
      const tip = (yield* git.ref(RefName.branch(base)))?.oid
      if (tip === undefined || base === ref || (yield* git.ref(RefName.branch(ref))) === undefined) return undefined
      if (yield* git.isAncestor(tip, sha)) return undefined
      const person = yield* Shapes.personOf(context.caller.user)
      const conflict = () => ApiError.conflict(`Conflict merging ${base} into ${ref}.`)
      const oid = yield* addCommit(
        context,
        ref,
        Effect.fnUntraced(function* (head) {
          if (head === undefined) return yield* conflict()
          const merged = yield* mergeCommits(git, {
            method: "merge",
            base: head,
            head: tip,
            message: `Merge branch '${base}' into ${ref}`,
            author: person,
            committer: person,
            sign
          })
          if (merged._tag === "Nothing") return undefined
          return merged._tag === "Merged" ? merged.oid : yield* conflict()
        })
      )
      return oid === undefined ? undefined : `Auto-merged ${base} into ${ref} on deployment.`
    }),

    /** Fails unless the checks succeeded: those with the names in `contexts`, or by default all of the commit. */
    check: Effect.fnUntraced(function* (
      ref: string,
      sha: string,
      contexts: ReadonlyArray<string> | undefined,
      { repository }: RepositoryContext
    ) {
      const checks = (yield* rollups.ofCommits(repository.row.id, [sha])).get(sha)
      const passed =
        contexts === undefined
          ? checks === undefined || checks.state === "success"
          : contexts.every((context) => RequiredChecks.hasPassed({ context }, checks))
      if (!passed) return yield* ApiError.conflict(`Conflict: Commit status checks failed for ${ref}.`)
    })
  }
})
