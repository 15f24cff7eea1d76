/** The GraphQL mutations. Each mutation takes one input, and returns its payload. */

/** The settings of a new and of a changed repository. */
const SETTINGS = "description: String homepageUrl: URI hasIssuesEnabled: Boolean hasWikiEnabled: Boolean"

const ofRepositories = {
  createRepository: [
    `name: String! visibility: RepositoryVisibility! ownerId: ID teamId: ID template: Boolean ${SETTINGS}`,
    "repository: Repository"
  ],
  cloneTemplateRepository: [
    `repositoryId: ID! name: String! ownerId: ID! visibility: RepositoryVisibility! description: String
     includeAllBranches: Boolean`,
    "repository: Repository"
  ],
  updateRepository: [
    `repositoryId: ID! name: String template: Boolean hasProjectsEnabled: Boolean hasDiscussionsEnabled: Boolean
     ${SETTINGS}`,
    "repository: Repository"
  ],
  archiveRepository: ["repositoryId: ID!", "repository: Repository"],
  unarchiveRepository: ["repositoryId: ID!", "repository: Repository"]
} satisfies Readonly<Record<string, readonly [input: string, payload: string]>>

export type RepositoryMutationName = keyof typeof ofRepositories

const ofIssues = {
  createIssue: [
    `repositoryId: ID! title: String! body: String labelIds: [ID!] assigneeIds: [ID!] milestoneId: ID
     projectIds: [ID!] issueTemplate: String issueTypeId: ID parentIssueId: ID`,
    "issue: Issue"
  ],
  updateIssue: [
    `id: ID! title: String body: String state: IssueState labelIds: [ID!] assigneeIds: [ID!] milestoneId: ID
     projectIds: [ID!] issueTypeId: ID`,
    "issue: Issue actor: Actor"
  ],
  closeIssue: ["issueId: ID! stateReason: IssueClosedStateReason duplicateIssueId: ID", "issue: Issue"],
  reopenIssue: ["issueId: ID!", "issue: Issue"],
  deleteIssue: ["issueId: ID!", "repository: Repository"],
  transferIssue: ["issueId: ID! repositoryId: ID! createLabelsIfMissing: Boolean", "issue: Issue"],
  pinIssue: ["issueId: ID!", "issue: Issue"],
  unpinIssue: ["issueId: ID!", "id: ID issue: Issue"],
  lockLockable: ["lockableId: ID! lockReason: LockReason", "lockedRecord: Lockable actor: Actor"],
  unlockLockable: ["lockableId: ID!", "unlockedRecord: Lockable actor: Actor"],
  addComment: ["subjectId: ID! body: String!", "commentEdge: IssueCommentEdge subject: Node"],
  updateIssueComment: ["id: ID! body: String!", "issueComment: IssueComment"],
  deleteIssueComment: ["id: ID!", ""],
  addLabelsToLabelable: ["labelableId: ID! labelIds: [ID!]!", "labelable: Labelable"],
  removeLabelsFromLabelable: ["labelableId: ID! labelIds: [ID!]!", "labelable: Labelable"],
  addAssigneesToAssignable: ["assignableId: ID! assigneeIds: [ID!]!", "assignable: Assignable"],
  removeAssigneesFromAssignable: ["assignableId: ID! assigneeIds: [ID!]!", "assignable: Assignable"],
  replaceActorsForAssignable: ["assignableId: ID! actorIds: [ID!] actorLogins: [String!]", "assignable: Assignable"],
  addReaction: ["subjectId: ID! content: ReactionContent!", "reaction: Reaction subject: Reactable"],
  removeReaction: ["subjectId: ID! content: ReactionContent!", "reaction: Reaction subject: Reactable"],
  createLinkedBranch: [
    "issueId: ID! oid: GitObjectID! name: String repositoryId: ID",
    "issue: Issue linkedBranch: LinkedBranch"
  ],
  deleteLinkedBranch: ["linkedBranchId: ID!", "issue: Issue"],
  createLabel: ["repositoryId: ID! name: String! color: String! description: String", "label: Label"],
  updateLabel: ["id: ID! name: String color: String description: String", "label: Label"],
  deleteLabel: ["id: ID!", ""]
} satisfies Readonly<Record<string, readonly [input: string, payload: string]>>

export type MutationName = keyof typeof ofIssues

const ofIssueRelations = {
  addSubIssue: ["issueId: ID! subIssueId: ID! replaceParent: Boolean", "issue: Issue subIssue: Issue"],
  removeSubIssue: ["issueId: ID! subIssueId: ID!", "issue: Issue subIssue: Issue"],
  reprioritizeSubIssue: ["issueId: ID! subIssueId: ID! afterId: ID beforeId: ID", "issue: Issue"],
  addBlockedBy: ["issueId: ID! blockingIssueId: ID!", "issue: Issue blockingIssue: Issue"],
  removeBlockedBy: ["issueId: ID! blockingIssueId: ID!", "issue: Issue blockingIssue: Issue"],
  updateIssueIssueType: ["issueId: ID! issueTypeId: ID", "issue: Issue"]
} satisfies Readonly<Record<string, readonly [input: string, payload: string]>>

export type IssueRelationMutationName = keyof typeof ofIssueRelations

const ofPullRequests = {
  createPullRequest: [
    `repositoryId: ID! baseRefName: String! headRefName: String! headRepositoryId: ID title: String! body: String
     draft: Boolean maintainerCanModify: Boolean`,
    "pullRequest: PullRequest"
  ],
  updatePullRequest: [
    `pullRequestId: ID! title: String body: String state: PullRequestUpdateState baseRefName: String
     maintainerCanModify: Boolean labelIds: [ID!] assigneeIds: [ID!] milestoneId: ID projectIds: [ID!]`,
    "pullRequest: PullRequest actor: Actor"
  ],
  closePullRequest: ["pullRequestId: ID!", "pullRequest: PullRequest"],
  reopenPullRequest: ["pullRequestId: ID!", "pullRequest: PullRequest"],
  mergePullRequest: [
    `pullRequestId: ID! commitHeadline: String commitBody: String expectedHeadOid: GitObjectID
     mergeMethod: PullRequestMergeMethod authorEmail: String`,
    "pullRequest: PullRequest actor: Actor"
  ],
  enablePullRequestAutoMerge: [
    `pullRequestId: ID! commitHeadline: String commitBody: String expectedHeadOid: GitObjectID
     mergeMethod: PullRequestMergeMethod = MERGE authorEmail: String`,
    "pullRequest: PullRequest actor: Actor"
  ],
  disablePullRequestAutoMerge: ["pullRequestId: ID!", "pullRequest: PullRequest actor: Actor"],
  revertPullRequest: [
    "pullRequestId: ID! title: String body: String draft: Boolean = false",
    "pullRequest: PullRequest revertPullRequest: PullRequest"
  ],
  markPullRequestReadyForReview: ["pullRequestId: ID!", "pullRequest: PullRequest"],
  convertPullRequestToDraft: ["pullRequestId: ID!", "pullRequest: PullRequest"],
  updatePullRequestBranch: [
    "pullRequestId: ID! expectedHeadOid: GitObjectID updateMethod: PullRequestBranchUpdateMethod",
    "pullRequest: PullRequest"
  ]
} satisfies Readonly<Record<string, readonly [input: string, payload: string]>>

export type PullRequestMutationName = keyof typeof ofPullRequests

/** The lines of a new thread. */
const LINES = "line: Int side: DiffSide = RIGHT startLine: Int startSide: DiffSide"

const ofReviews = {
  addPullRequestReview: [
    `pullRequestId: ID! commitOID: GitObjectID body: String event: PullRequestReviewEvent
     comments: [DraftPullRequestReviewComment] threads: [DraftPullRequestReviewThread]`,
    "pullRequestReview: PullRequestReview"
  ],
  submitPullRequestReview: [
    "pullRequestId: ID pullRequestReviewId: ID event: PullRequestReviewEvent! body: String",
    "pullRequestReview: PullRequestReview"
  ],
  updatePullRequestReview: ["pullRequestReviewId: ID! body: String!", "pullRequestReview: PullRequestReview"],
  deletePullRequestReview: ["pullRequestReviewId: ID!", "pullRequestReview: PullRequestReview"],
  dismissPullRequestReview: ["pullRequestReviewId: ID! message: String!", "pullRequestReview: PullRequestReview"],
  updatePullRequestReviewComment: [
    "pullRequestReviewCommentId: ID! body: String!",
    "pullRequestReviewComment: PullRequestReviewComment"
  ],
  deletePullRequestReviewComment: ["id: ID!", "pullRequestReview: PullRequestReview"],
  addPullRequestReviewThread: [
    `pullRequestId: ID pullRequestReviewId: ID path: String! body: String! ${LINES}
     subjectType: PullRequestReviewThreadSubjectType = LINE`,
    "thread: PullRequestReviewThread"
  ],
  addPullRequestReviewThreadReply: [
    "pullRequestReviewThreadId: ID! pullRequestReviewId: ID body: String!",
    "comment: PullRequestReviewComment"
  ],
  resolveReviewThread: ["threadId: ID!", "thread: PullRequestReviewThread"],
  unresolveReviewThread: ["threadId: ID!", "thread: PullRequestReviewThread"],
  requestReviews: [
    "pullRequestId: ID! userIds: [ID!] botIds: [ID!] teamIds: [ID!] union: Boolean = false",
    "pullRequest: PullRequest actor: Actor"
  ],
  requestReviewsByLogin: [
    `pullRequestId: ID! userLogins: [String!] botLogins: [String!] teamSlugs: [String!] union: Boolean = false`,
    "pullRequest: PullRequest actor: Actor"
  ]
} satisfies Readonly<Record<string, readonly [input: string, payload: string]>>

export type ReviewMutationName = keyof typeof ofReviews

const ofRefs = {
  createRef: ["repositoryId: ID! name: String! oid: GitObjectID!", "ref: Ref"],
  updateRef: ["refId: ID! oid: GitObjectID! force: Boolean = false", "ref: Ref"],
  deleteRef: ["refId: ID!", ""],
  createCommitOnBranch: [
    "branch: CommittableBranch! expectedHeadOid: GitObjectID! fileChanges: FileChanges message: CommitMessage!",
    "commit: Commit ref: Ref"
  ]
} satisfies Readonly<Record<string, readonly [input: string, payload: string]>>

export type RefMutationName = keyof typeof ofRefs

/** Members of the input, and the members of the payload, by mutation. */
const mutations = {
  ...ofIssues,
  ...ofIssueRelations,
  ...ofPullRequests,
  ...ofReviews,
  ...ofRepositories,
  ...ofRefs
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

export const definition = `
enum IssueClosedStateReason { COMPLETED NOT_PLANNED DUPLICATE }
enum PullRequestUpdateState { CLOSED OPEN }
enum PullRequestBranchUpdateMethod { MERGE REBASE }
input DraftPullRequestReviewComment { path: String! position: Int! body: String! }
input DraftPullRequestReviewThread { path: String! body: String! ${LINES} }
"A branch by its node id, or by its repository and name."
input CommittableBranch { id: ID repositoryNameWithOwner: String branchName: String }
input CommitMessage { headline: String! body: String }
input FileChanges { additions: [FileAddition!] = [] deletions: [FileDeletion!] = [] }
"A file to add or replace, with its content in base64."
input FileAddition { path: String! contents: Base64String! }
input FileDeletion { path: String! }
type Reaction implements Node { id: ID! content: ReactionContent! createdAt: DateTime! user: User }

type Mutation {
${Object.keys(mutations)
  .map((name) => `  ${name}(input: ${capitalized(name)}Input!): ${capitalized(name)}Payload`)
  .join("\n")}
}
${Object.entries(mutations)
  .map(
    ([name, [input, payload]]) => `
input ${capitalized(name)}Input { clientMutationId: String ${input} }
type ${capitalized(name)}Payload { clientMutationId: String ${payload} }`
  )
  .join("\n")}
`
