/** The GraphQL types of pull requests. */
import { connection, CONVERSATION, PAGE } from "./IssueSchema.ts"

const FILTERS = `${PAGE}, states: [PullRequestState!], labels: [String!], baseRefName: String, headRefName: String,
    orderBy: IssueOrder`

export const definition = `
extend type Repository {
  pullRequest(number: Int!): PullRequest
  pullRequests(
    ${FILTERS}
  ): PullRequestConnection!
  pullRequestTemplates: [PullRequestTemplate!]
}

enum PullRequestState { OPEN CLOSED MERGED }
enum MergeableState { CONFLICTING MERGEABLE UNKNOWN }
enum MergeStateStatus { BEHIND BLOCKED CLEAN DIRTY DRAFT HAS_HOOKS UNKNOWN UNSTABLE }
enum PullRequestMergeMethod { MERGE REBASE SQUASH }
enum PatchStatus { ADDED CHANGED COPIED DELETED MODIFIED RENAMED }
enum PullRequestReviewDecision { APPROVED CHANGES_REQUESTED REVIEW_REQUIRED }
enum PullRequestReviewState { APPROVED CHANGES_REQUESTED COMMENTED DISMISSED PENDING }

type PullRequest implements Node & Comment & Lockable & Labelable & Assignable & Closable & Reactable {
  ${CONVERSATION}
  state: PullRequestState!
  permalink: URI!
  isDraft: Boolean!
  baseRef: Ref
  baseRefName: String!
  baseRefOid: GitObjectID!
  baseRepository: Repository
  headRef: Ref
  headRefName: String!
  headRefOid: GitObjectID!
  "Null if the repository was deleted, or the viewer cannot read it."
  headRepository: Repository
  headRepositoryOwner: RepositoryOwner
  isCrossRepository: Boolean!
  maintainerCanModify: Boolean!
  "UNKNOWN until a merge was tried in the background."
  mergeable: MergeableState!
  mergeStateStatus: MergeStateStatus!
  canBeRebased: Boolean!
  merged: Boolean!
  mergedAt: DateTime
  mergedBy: Actor
  mergeCommit: Commit
  "The commit of refs/pull/N/merge. Null if the pull request is closed or has conflicts."
  potentialMergeCommit: Commit
  additions: Int!
  deletions: Int!
  changedFiles: Int!
  commits(${PAGE}): PullRequestCommitConnection!
  files(${PAGE}): PullRequestChangedFileConnection
  "The issues that a merge closes, by the text of the pull request."
  closingIssuesReferences(${PAGE}): IssueConnection
  viewerMergeHeadlineText(mergeType: PullRequestMergeMethod): String!
  viewerMergeBodyText(mergeType: PullRequestMergeMethod): String!
  "Null: the forge has no reviews."
  reviewDecision: PullRequestReviewDecision
  reviews(${PAGE}, states: [PullRequestReviewState!], author: String): PullRequestReviewConnection
  latestReviews(${PAGE}, writersOnly: Boolean): PullRequestReviewConnection
  reviewRequests(${PAGE}): ReviewRequestConnection
  "The merge that happens as soon as the pull request can be merged."
  autoMergeRequest: AutoMergeRequest
  isInMergeQueue: Boolean!
  isMergeQueueEnabled: Boolean!
}

type PullRequestCommit { commit: Commit! pullRequest: PullRequest! url: URI! }
type PullRequestChangedFile { path: String! additions: Int! deletions: Int! changeType: PatchStatus! }
type PullRequestTemplate { filename: String body: String repository: Repository! }
type AutoMergeRequest {
  authorEmail: String
  commitBody: String
  commitHeadline: String
  mergeMethod: PullRequestMergeMethod!
  enabledAt: DateTime
  enabledBy: Actor
  pullRequest: PullRequest!
}

"Empty: the forge has no reviews."
type PullRequestReview implements Node {
  id: ID!
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  url: URI!
  state: PullRequestReviewState!
  submittedAt: DateTime
  createdAt: DateTime!
  updatedAt: DateTime!
  commit: Commit
  reactionGroups: [ReactionGroup!]
}
type Team implements Node { id: ID! name: String! slug: String! organization: Organization! }
union RequestedReviewer = User | Bot | Mannequin | Team
"Empty: the forge has no reviews."
type ReviewRequest implements Node { id: ID! asCodeOwner: Boolean! requestedReviewer: RequestedReviewer }
${connection("PullRequest")}
${connection("PullRequestCommit")}
${connection("PullRequestChangedFile")}
${connection("PullRequestReview")}
${connection("ReviewRequest")}
`
