/** What rules demand of the reviews of a pull request. */
import type { NewRule } from "@tongs/core/contract/groups/Rules"

type Method = "merge" | "squash" | "rebase"

export type PullRequestParameters = Extract<NewRule, { readonly type: "pull_request" }>["parameters"]

/** The state of the reviews of a pull request. Only reviewers with write access count. */
export interface ReviewState {
  /** Number of reviewers whose latest review approves the pull request. */
  readonly approvals: number
  /** Number of reviewers whose latest review requests changes. */
  readonly changeRequests: number
  readonly unresolvedThreads: number
  /** Names of the code owners whose approval is missing. */
  readonly missingCodeOwners: ReadonlyArray<string>
  /** Names of the teams whose approvals of certain files are missing. */
  readonly missingTeams: ReadonlyArray<string>
  /** True if somebody other than the last pusher approved the latest push. */
  readonly isLastPushApproved: boolean
}

/** The state of a pull request without reviews. */
export const noReviews: ReviewState = {
  approvals: 0,
  changeRequests: 0,
  unresolvedThreads: 0,
  missingCodeOwners: [],
  missingTeams: [],
  isLastPushApproved: false
}

const methodNames = { merge: "Merge commits", squash: "Squash merges", rebase: "Rebase merges" } as const // sentences

const UNRESOLVED = "A conversation must be resolved before this pull request can be merged."

/** Returns the message for unresolved conversations, or `undefined`. */
export const unresolved = ({ unresolvedThreads }: ReviewState): string | undefined =>
  unresolvedThreads > 0 ? UNRESOLVED : undefined

/** True if an approval is missing. */
export const isReviewMissing = (parameters: PullRequestParameters, state: ReviewState): boolean =>
  state.approvals < parameters.required_approving_review_count ||
  (parameters.require_code_owner_review && state.missingCodeOwners.length > 0) ||
  state.missingTeams.length > 0 ||
  (parameters.require_last_push_approval && !state.isLastPushApproved)

/** Returns the messages of all requirements that are not met. `method` is undefined before a merge. */
export const violations = (
  parameters: PullRequestParameters,
  state: ReviewState,
  method?: Method
): ReadonlyArray<string> => {
  const { allowed_merge_methods: allowed, required_approving_review_count: count } = parameters
  const needsReview = count > 0 || parameters.require_code_owner_review
  const reviews = count === 1 ? "review is" : "reviews are"
  return [
    ...(state.approvals < count
      ? [`At least ${count} approving ${reviews} required by reviewers with write access.`]
      : []),
    ...(needsReview && state.changeRequests > 0 ? ["Changes were requested by reviewers with write access."] : []),
    ...(parameters.require_code_owner_review && state.missingCodeOwners.length > 0
      ? [`Waiting on code owner review from ${state.missingCodeOwners.join(", ")}.`]
      : []),
    ...(state.missingTeams.length > 0 && (parameters.required_reviewers ?? []).length > 0
      ? [`Waiting on required reviews from ${state.missingTeams.join(", ")}.`]
      : []),
    ...(parameters.require_last_push_approval && !state.isLastPushApproved
      ? ["New changes require approval from someone other than the last pusher."]
      : []),
    ...(parameters.required_review_thread_resolution && state.unresolvedThreads > 0 ? [UNRESOLVED] : []),
    ...(allowed !== undefined && method !== undefined && !allowed.includes(method)
      ? [`${methodNames[method]} are not allowed on this branch.`]
      : [])
  ]
}
