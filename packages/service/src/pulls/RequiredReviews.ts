/** The state of the reviews of a pull request, as far as the rules of its base branch need it. */
import * as Effect from "effect/Effect"
import { TeamRows } from "../accounts/TeamRows.ts"
import type { PullRequestRow } from "../issues/PullRequestRows.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import * as CodeOwnersFile from "../reviews/CodeOwnersFile.ts"
import type { Owner } from "../reviews/CodeOwners.ts"
import * as OwnerAccounts from "../reviews/OwnerAccounts.ts"
import { type Opinion, type PullRequestReviewState, ReviewState } from "../reviews/ReviewState.ts"
import * as ReviewRequirements from "../rules/ReviewRequirements.ts"
import type { AppliedRule } from "../rules/RuleSources.ts"

/** Number of files whose owners are found before yielding to the event loop. */
const FILES_PER_TICK = 100

/** True if a rule asks for the state of the reviews. */
export const areNeededBy = (rules: ReadonlyArray<AppliedRule>): boolean =>
  rules.some(({ type }) => type === "pull_request" || type === "required_review_thread_resolution")

/** Makes the function that reads the state of the reviews. Reads nothing if no rule needs it, or if it is known. */
export const make = Effect.gen(function* () {
  const accounts = yield* OwnerAccounts.make
  const readOwners = yield* CodeOwnersFile.make
  const states = yield* ReviewState
  const teams = yield* TeamRows

  /** The owners of the changed files. Each set is listed once; one approval of a set suffices. */
  const ownersOf = Effect.fnUntraced(function* (pull: PullRequestRow, { git }: ServedRepository) {
    const sets = new Map<string, ReadonlyArray<Owner>>()
    const file = yield* readOwners(git, pull.base_sha)
    const from = file === undefined ? undefined : yield* git.mergeBase(pull.base_sha, pull.head_sha)
    if (file === undefined || from === undefined) return [...sets.values()]
    const { files } = yield* git.changes.list({ from, to: pull.head_sha })
    for (const [index, { path, previousPath }] of files.entries()) {
      for (const one of previousPath === undefined ? [path] : [path, previousPath]) {
        const owners = file.owners.ownersOf(one)
        if (owners.length > 0) sets.set(owners.map(({ name }) => name).join(" "), owners)
      }
      if (index % FILES_PER_TICK === FILES_PER_TICK - 1) yield* Effect.yieldNow
    }
    return [...sets.values()]
  })

  /** The names of the owners without an approval. Owners without an account that may write are ignored. */
  const missingOwners = Effect.fnUntraced(function* (
    pull: PullRequestRow,
    repository: ServedRepository,
    approvals: ReadonlyArray<Opinion>
  ) {
    const sets = yield* ownersOf(pull, repository)
    if (sets.length === 0) return []
    const accountOf = yield* accounts(repository.row, sets.flat())
    const approvers = new Set(approvals.map(({ user }) => user.id))
    const members = new Map<number, ReadonlySet<number>>()
    const missing = new Set<string>()
    for (const owners of sets) {
      const ids: Array<number> = []
      for (const owner of owners) {
        const account = accountOf(owner)
        if (account?._tag === "User") ids.push(account.user.id)
        if (account?._tag !== "Team") continue
        const known = members.get(account.id) ?? new Set((yield* teams.membersOf(account.id)).map(({ id }) => id))
        members.set(account.id, known)
        ids.push(...known)
      }
      if (ids.length > 0 && !ids.some((id) => approvers.has(id))) for (const { name } of owners) missing.add(name)
    }
    return [...missing]
  })

  return Effect.fn("RequiredReviews.stateOf")(function* (
    pull: PullRequestRow,
    repository: ServedRepository,
    rules: ReadonlyArray<AppliedRule>,
    known?: PullRequestReviewState
  ) {
    if (known === undefined && !areNeededBy(rules)) return ReviewRequirements.noReviews
    const read = known ?? (yield* states.of([pull.issue_id])).get(pull.issue_id)
    const { opinions, unresolvedThreads } = read ?? { opinions: [], unresolvedThreads: 0 }
    const approvals = opinions.filter(({ state }) => state === "APPROVED")
    const needsOwners = rules.some((rule) => rule.type === "pull_request" && rule.parameters.require_code_owner_review)
    const state: ReviewRequirements.ReviewState = {
      approvals: approvals.length,
      changeRequests: opinions.length - approvals.length,
      unresolvedThreads,
      missingCodeOwners: needsOwners ? yield* missingOwners(pull, repository, approvals) : [],
      isLastPushApproved: approvals.some(
        ({ commit_id, user }) => commit_id === pull.head_sha && user.id !== pull.head_pusher_id
      )
    }
    return state
  })
})
