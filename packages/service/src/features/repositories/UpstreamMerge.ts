/** Updates a branch of a fork from the branch of the same name in the upstream repository. */
import * as Effect from "effect/Effect"
import type { UpstreamMerge } from "@tongs/core/contract/groups/Branches"
import { Roles } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as Merging from "../../git/merging/Merging.ts"
import * as RefName from "../../git/values/RefName.ts"
import { Forks } from "../../repositories/Forks.ts"
import { CommitSigning } from "../../verification/CommitSigning.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as BranchCommits from "../gitData/BranchCommits.ts"

const notFork = ApiError.invalid("The repository is not a fork, so it has no upstream repository")

/** Creates the function that fast-forwards a branch to the upstream branch, or merges that branch into it. */
export const make = Effect.gen(function* () {
  const merge = yield* Merging.make
  const commit = yield* BranchCommits.make
  const forks = yield* Forks
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const { sign } = yield* CommitSigning

  /** Finds the upstream repository, if the caller may read its files. */
  const findUpstream = Effect.fnUntraced(function* ({ caller, repository }: SignedInRepositoryContext) {
    const { parent_id } = repository.row
    if (parent_id === null) return yield* notFork
    const rows = yield* registry.byIds([parent_id])
    const [upstream] = yield* registry.open(yield* roles.readable(caller, rows))
    return upstream ?? (yield* ApiError.invalid("The upstream repository cannot be read with this token"))
  })

  return Effect.fnUntraced(function* (branch: string, context: SignedInRepositoryContext) {
    const { git } = context.repository
    if ((yield* git.ref(RefName.branch(branch))) === undefined) return yield* ApiError.notFound("Branch not found")
    const upstream = yield* findUpstream(context)
    const base = `${upstream.row.owner.login}:${branch}`
    const theirs = (yield* upstream.git.ref(RefName.branch(branch)))?.oid
    if (theirs === undefined) return yield* ApiError.invalid(`The upstream repository has no branch ${branch}`)
    const person = yield* Shapes.personOf(context.caller.user)
    let type: "merge" | "fast-forward" | "none" = "none"
    yield* commit(
      context,
      branch,
      Effect.fnUntraced(function* (tip) {
        type = "none"
        if (tip === undefined) return yield* ApiError.notFound("Branch not found")
        if ((yield* git.commit(theirs)) !== undefined && (yield* git.isAncestor(theirs, tip))) return undefined
        // A merge that fails must leave no objects of the upstream repository in the fork.
        const view = yield* forks.openView(context.repository, upstream)
        if (yield* view.git.isAncestor(tip, theirs)) {
          type = "fast-forward"
          yield* view.copy(theirs)
          return theirs
        }
        type = "merge"
        const merged = yield* merge(view.git, {
          method: "merge",
          base: tip,
          head: theirs,
          message: `Merge branch '${base}' into ${branch}`,
          author: person,
          committer: person,
          sign
        })
        if (merged._tag === "Nothing") return undefined
        if (merged._tag === "Unsupported") return yield* ApiError.invalid(merged.detail)
        if (merged._tag === "Conflict") return yield* ApiError.conflict("There are merge conflicts")
        if (merged._tag === "Unrelated") {
          return yield* ApiError.conflict(`There is no common ancestor between ${branch} and ${base}`)
        }
        yield* view.copy(merged.oid)
        return merged.oid
      }, Effect.scoped),
      { isForkSync: true }
    )
    const messages = {
      merge: `Successfully fetched and merged from upstream ${base}.`,
      "fast-forward": `Successfully fetched and fast-forwarded from upstream ${base}.`,
      none: `This branch is not behind the upstream ${base}.`
    }
    const result: UpstreamMerge = { message: messages[type], merge_type: type, base_branch: base }
    return result
  })
})
