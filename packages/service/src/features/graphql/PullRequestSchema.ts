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

type PullRequest implements Node & Comment & Lockable & Labelable & Assignable & Closable & Reactable & UniformResourceLocatable {
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

${connection("PullRequest")}
${connection("PullRequestCommit")}
${connection("PullRequestChangedFile")}
`
