/** The state of the reviews of a pull request, as far as the rules of its base branch need it. */
import * as Effect from "effect/Effect"
import * as Glob from "@tongs/core/text/Glob"
import { TeamRows } from "../accounts/TeamRows.ts"
import type { PullRequestRow } from "../issues/PullRequestRows.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import * as CodeOwnersFile from "../reviews/CodeOwnersFile.ts"
import type { Owner } from "../reviews/CodeOwners.ts"
import * as OwnerAccounts from "../reviews/OwnerAccounts.ts"
import { type Opinion, type PullRequestReviewState, ReviewState } from "../reviews/ReviewState.ts"
import * as ReviewRequirements from "../rules/ReviewRequirements.ts"
import type { AppliedRule } from "../rules/RuleSources.ts"

type RequiredReviewer = NonNullable<ReviewRequirements.PullRequestParameters["required_reviewers"]>[number]

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

  /** The paths of the changed files, and their former paths. */
  const changedPaths = Effect.fnUntraced(function* (pull: PullRequestRow, { git }: ServedRepository) {
    const from = yield* git.mergeBase(pull.base_sha, pull.head_sha)
    if (from === undefined) return []
    return yield* git.changes.paths({ from, to: pull.head_sha })
  })

  const membersOf = (teamId: number) =>
    Effect.map(teams.membersOf(teamId), (members): ReadonlySet<number> => new Set(members.map(({ id }) => id)))

  /** The owners of the changed files. Each set is listed once; one approval of a set suffices. */
  const ownersOf = Effect.fnUntraced(function* (pull: PullRequestRow, repository: ServedRepository) {
    const sets = new Map<string, ReadonlyArray<Owner>>()
    const file = yield* readOwners(repository.git, pull.base_sha)
    if (file === undefined) return []
    for (const [index, path] of (yield* changedPaths(pull, repository)).entries()) {
      const owners = file.owners.ownersOf(path)
      if (owners.length > 0) sets.set(owners.map(({ name }) => name).join(" "), owners)
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
        const known = members.get(account.id) ?? (yield* membersOf(account.id))
        members.set(account.id, known)
        ids.push(...known)
      }
      if (ids.length > 0 && !ids.some((id) => approvers.has(id))) for (const { name } of owners) missing.add(name)
    }
    return [...missing]
  })

  /** The names of the required teams without enough approvals. */
  const missingTeams = Effect.fnUntraced(function* (
    pull: PullRequestRow,
    repository: ServedRepository,
    required: ReadonlyArray<RequiredReviewer>,
    approvals: ReadonlyArray<Opinion>
  ) {
    if (required.length === 0) return []
    const paths = yield* changedPaths(pull, repository)
    const missing = new Set<number>()
    for (const { file_patterns, minimum_approvals, reviewer } of required) {
      const isRequired = Glob.compileOrdered(file_patterns, Glob.fnmatch)
      if (minimum_approvals === 0 || !paths.some(isRequired)) continue
      const members = yield* membersOf(reviewer.id)
      if (approvals.filter(({ user }) => members.has(user.id)).length < minimum_approvals) missing.add(reviewer.id)
    }
    const { login, id } = repository.row.owner
    return (yield* teams.byIds(id, [...missing])).map(({ slug }) => `@${login}/${slug}`)
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
    const parameters = rules.flatMap((rule) => (rule.type === "pull_request" ? [rule.parameters] : []))
    const needsOwners = parameters.some(({ require_code_owner_review }) => require_code_owner_review)
    const reviewers = parameters.flatMap(({ required_reviewers = [] }) => required_reviewers)
    const state: ReviewRequirements.ReviewState = {
      approvals: approvals.length,
      changeRequests: opinions.length - approvals.length,
      unresolvedThreads,
      missingCodeOwners: needsOwners ? yield* missingOwners(pull, repository, approvals) : [],
      missingTeams: yield* missingTeams(pull, repository, reviewers, approvals),
      isLastPushApproved: approvals.some(
        ({ commit_id, user }) => commit_id === pull.head_sha && user.id !== pull.head_pusher_id
      )
    }
    return state
  })
})
