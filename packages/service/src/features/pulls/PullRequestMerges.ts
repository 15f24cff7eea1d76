/** Merges pull requests, and brings their base branch into their head. */
import * as Effect from "effect/Effect"
import type { Merge } from "../../git/merging/Merging.ts"
import * as Merging from "../../git/merging/Merging.ts"
import { atLeast, Roles } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { Forks } from "../../repositories/Forks.ts"
import { PullRequestRows } from "../../issues/PullRequestRows.ts"
import * as RefName from "../../git/values/RefName.ts"
import { CommitSigning } from "../../verification/CommitSigning.ts"
import * as CommitStates from "../../pulls/CommitStates.ts"
import * as RequiredReviews from "../../pulls/RequiredReviews.ts"
import { Enforcement } from "../../rules/Enforcement.ts"
import * as MergeMessage from "../../pulls/MergeMessage.ts"
import * as BranchCommits from "../gitData/BranchCommits.ts"
import * as RefMoves from "../gitData/RefMoves.ts"
import * as PullRequestTarget from "./PullRequestTarget.ts"
import * as Retargeting from "./Retargeting.ts"

type Method = "merge" | "squash" | "rebase"

export interface MergeInput {
  readonly merge_method?: Method
  readonly sha?: string
  readonly commit_title?: string
  readonly commit_message?: string
}

const methodNames = { merge: "Merge commits", squash: "Squash merges", rebase: "Rebase merges" } as const // sentences

export const headWasModified = () => ApiError.conflict("Head branch was modified. Review and try the merge again.")

const notMergeable = () => ApiError.notAllowed("Pull Request is not mergeable")

/** The error for commits that cannot be merged. */
const failureOf = (merged: Exclude<Merge, { readonly _tag: "Merged" }>) =>
  merged._tag === "Unsupported" ? ApiError.invalid(merged.detail) : notMergeable()

export const make = Effect.gen(function* () {
  const commit = yield* BranchCommits.make
  const move = yield* RefMoves.make
  const merge = yield* Merging.make
  const rows = yield* PullRequestRows
  const retarget = yield* Retargeting.make
  const forks = yield* Forks
  const roles = yield* Roles
  const reviewsOf = yield* RequiredReviews.make
  const rules = yield* Enforcement
  const stateOf = yield* CommitStates.make
  const { sign } = yield* CommitSigning
  const target = yield* PullRequestTarget.make

  const methodOf = Effect.fnUntraced(function* (given: Method | undefined, { row }: ServedRepository) {
    const allowed = {
      merge: row.allow_merge_commit === 1,
      squash: row.allow_squash_merge === 1,
      rebase: row.allow_rebase_merge === 1
    }
    const method = given ?? (allowed.merge ? "merge" : allowed.squash ? "squash" : "rebase")
    if (allowed[method]) return method
    return yield* ApiError.notAllowed(`${methodNames[method]} are not allowed on this repository.`)
  })

  /** Deletes the head after a merge, if the repository is set so. Pull requests into the head get the base instead. */
  const deleteHead = Effect.fnUntraced(function* ({ pull }: PullRequestTarget.Found, context: RefMoves.Mover) {
    const { git, row } = context.repository
    if (row.delete_branch_on_merge === 0 || pull.head_repository_id !== row.id) return
    const ref = RefName.branch(pull.head_ref)
    const found = yield* git.ref(ref)
    if (found?.oid !== pull.head_sha || pull.head_ref === (yield* git.head)) return
    const base = yield* git.ref(RefName.branch(pull.base_ref))
    if (base !== undefined) yield* retarget(context, pull.head_ref, { base_ref: pull.base_ref, base_sha: base.oid })
    yield* move(context, { ref, before: found.oid, after: null })
  })

  /** Fails if the pull request was merged or has another head since it was read. `base` is the tip of its base branch. */
  const requireUnchanged = Effect.fnUntraced(function* (
    { issue, pull: before }: PullRequestTarget.Found,
    base: string
  ) {
    const pull = (yield* rows.byIssues([issue.id])).get(issue.id)
    if (pull === undefined || pull.state === "closed") return yield* notMergeable()
    if (pull.head_sha !== before.head_sha) return yield* headWasModified()
    // Another process has moved the branch and has not recorded it yet.
    const begun = yield* rows.mergeOf(pull.repository_id, pull.base_ref, base)
    if (begun?.issue_id === issue.id) return yield* notMergeable()
  })

  const mergePull = Effect.fnUntraced(function* (
    found: PullRequestTarget.Found,
    input: MergeInput,
    context: RefMoves.Mover
  ) {
    const { caller, repository } = context
    const { issue, pull } = found
    const { git } = repository
    if (pull.state === "closed") return yield* notMergeable()
    if (pull.draft === 1) return yield* ApiError.notAllowed("Pull Request is still a draft")
    const head = pull.head_sha
    if (input.sha !== undefined && input.sha.toLowerCase() !== head) return yield* headWasModified()
    const method = yield* methodOf(input.merge_method, repository)
    const committer = yield* Shapes.personOf(caller.user)
    const state = yield* stateOf(repository.row.id, head)
    const reviews = yield* reviewsOf(pull, repository, yield* rules.activeRules(repository, pull.base_ref))
    const given = { title: input.commit_title, text: input.commit_message }
    const oid = yield* commit(
      context,
      pull.base_ref,
      Effect.fnUntraced(function* (base) {
        if (base === undefined) return yield* notMergeable()
        yield* requireUnchanged(found, base)
        const request =
          method === "rebase"
            ? { method, base, head, committer }
            : {
                ...(yield* MergeMessage.make(repository, { issue, pull, base, method, committer }, given)),
                method,
                base,
                head,
                committer,
                sign
              }
        const merged = yield* merge(git, request)
        if (merged._tag !== "Merged") return yield* failureOf(merged)
        yield* rows.beginMerge({
          issue_id: issue.id,
          repository_id: repository.row.id,
          base_ref: pull.base_ref,
          after: merged.oid,
          head
        })
        return merged.oid
      }),
      { pullRequest: { ...state, head, method, reviews } }
    )
    if (oid === undefined) return yield* notMergeable()
    yield* deleteHead(found, context).pipe(
      Effect.catch((error) =>
        Effect.logWarning(`The head of ${repository.fullName}#${issue.number} was not deleted: ${error.message}`)
      )
    )
    return oid
  })

  /** The context of a request for the repository of the head, if the caller may push there. */
  const headContext = Effect.fnUntraced(function* ({ pull }: PullRequestTarget.Found, context: RefMoves.Mover) {
    const repository = yield* target.headOf(pull, context.repository)
    if (repository === undefined) return yield* PullRequestTarget.refused("The repository of the head was deleted")
    const role = yield* roles.onRepository(context.caller, repository.row)
    const isMaintainer = pull.maintainer_can_modify === 1 && atLeast(context.role, "write")
    if (!atLeast(role, "write") && !isMaintainer)
      return yield* ApiError.forbidden(`${context.caller.user.login} may not push to ${repository.fullName}`)
    return { ...context, repository, role }
  })

  /** Merges the base branch into the head, or copies the commits of the head onto the base branch. */
  const updateBranch = Effect.fnUntraced(function* (
    found: PullRequestTarget.Found,
    expected: string | undefined,
    method: "merge" | "rebase",
    context: RefMoves.Mover
  ) {
    const { pull } = found
    if (pull.state === "closed") return yield* PullRequestTarget.refused("The pull request is closed")
    if (expected !== undefined && expected.toLowerCase() !== pull.head_sha)
      return yield* PullRequestTarget.refused("expected head sha didn’t match current head ref.")
    const own = yield* headContext(found, context)
    const person = yield* Shapes.personOf(context.caller.user)
    const { git } = own.repository
    const base = pull.base_sha
    const oid = yield* commit(
      own,
      pull.head_ref,
      Effect.fnUntraced(function* (tip) {
        if (tip === undefined) return yield* PullRequestTarget.refused("The head branch was deleted")
        if ((yield* git.commit(base)) === undefined) yield* forks.copyCommit(own.repository, context.repository, base)
        if (yield* git.isAncestor(base, tip)) return undefined
        const message = `Merge branch '${pull.base_ref}' into ${pull.head_ref}\n`
        const merged = yield* merge(
          git,
          method === "rebase"
            ? { method, base, head: tip, committer: person }
            : { method, base: tip, head: base, message, author: person, committer: person, sign }
        )
        if (merged._tag === "Nothing") return undefined
        if (merged._tag === "Conflict") return yield* PullRequestTarget.refused("merge conflict between base and head")
        return merged._tag === "Merged" ? merged.oid : yield* failureOf(merged)
      })
    )
    if (oid === undefined) return yield* PullRequestTarget.refused("There are no new commits on the base branch.")
  })

  return { headContext, mergePull, methodOf, updateBranch }
})
