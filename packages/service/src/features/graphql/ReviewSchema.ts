/** The GraphQL types of reviews of pull requests. */
import { connection, PAGE } from "./IssueSchema.ts"

/** The fields that reviews and their comments have. */
const TEXT = `
  id: ID!
  databaseId: Int
  fullDatabaseId: String
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  url: URI!
  resourcePath: URI!
  createdAt: DateTime!
  updatedAt: DateTime!
  includesCreatedEdit: Boolean!
  viewerDidAuthor: Boolean!
  viewerCanReact: Boolean!
  reactionGroups: [ReactionGroup!]
  pullRequest: PullRequest!
  repository: Repository!`

/** The place of a thread or comment. The lines are null if they are no longer in the diff. */
const PLACE = `
  path: String!
  line: Int
  startLine: Int
  originalLine: Int
  originalStartLine: Int
  subjectType: PullRequestReviewThreadSubjectType!`

export const definition = `
extend type PullRequest {
  "The opinions of those who may write. Null without an opinion."
  reviewDecision: PullRequestReviewDecision
  reviews(${PAGE}, states: [PullRequestReviewState!], author: String): PullRequestReviewConnection
  latestReviews(${PAGE}, writersOnly: Boolean = false): PullRequestReviewConnection
  latestOpinionatedReviews(${PAGE}, writersOnly: Boolean = false): PullRequestReviewConnection
  reviewRequests(${PAGE}): ReviewRequestConnection
  reviewThreads(${PAGE}): PullRequestReviewThreadConnection!
  viewerLatestReview: PullRequestReview
  viewerLatestReviewRequest: ReviewRequest
}

extend type Organization {
  "The teams that the viewer sees, by name."
  teams(${PAGE}, orderBy: TeamOrder, query: String, userLogins: [String!]): TeamConnection!
  "Null if the team does not exist, or the viewer does not see it."
  team(slug: String!): Team
}

extend type PullRequest {
  "Those who changed the files before, and who commented on them."
  suggestedReviewers: [SuggestedReviewer]!
  "The suggested reviewers and all others who can be requested, selected by login or name."
  suggestedReviewerActors(${PAGE}, query: String): SuggestedReviewerActorConnection!
}
"An account that changed the files before (author) or commented on them (commenter)."
type SuggestedReviewer { isAuthor: Boolean! isCommenter: Boolean! reviewer: User! }
type SuggestedReviewerActor { isAuthor: Boolean! isCommenter: Boolean! reviewer: Actor! }
${connection("SuggestedReviewerActor")}
enum TeamOrderField { NAME }
input TeamOrder { field: TeamOrderField! direction: OrderDirection! }
enum DiffSide { LEFT RIGHT }
enum PullRequestReviewCommentState { PENDING SUBMITTED }
enum PullRequestReviewDecision { APPROVED CHANGES_REQUESTED REVIEW_REQUIRED }
enum PullRequestReviewEvent { APPROVE COMMENT DISMISS REQUEST_CHANGES }
enum PullRequestReviewState { APPROVED CHANGES_REQUESTED COMMENTED DISMISSED PENDING }
enum PullRequestReviewThreadSubjectType { FILE LINE }

type PullRequestReview implements Node & Comment & Reactable {
  ${TEXT}
  state: PullRequestReviewState!
  submittedAt: DateTime
  publishedAt: DateTime
  commit: Commit
  comments(${PAGE}): PullRequestReviewCommentConnection!
}

type PullRequestReviewComment implements Node & Comment & Reactable {
  ${TEXT}
  ${PLACE}
  position: Int
  originalPosition: Int!
  outdated: Boolean!
  diffHunk: String!
  state: PullRequestReviewCommentState!
  commit: Commit
  originalCommit: Commit
  replyTo: PullRequestReviewComment
  pullRequestReview: PullRequestReview
  publishedAt: DateTime
  isMinimized: Boolean!
  minimizedReason: String
}

type PullRequestReviewThread implements Node {
  id: ID!
  ${PLACE}
  diffSide: DiffSide!
  startDiffSide: DiffSide
  isCollapsed: Boolean!
  isOutdated: Boolean!
  isResolved: Boolean!
  resolvedBy: User
  comments(${PAGE}): PullRequestReviewCommentConnection!
  pullRequest: PullRequest!
  repository: Repository!
  viewerCanReply: Boolean!
  viewerCanResolve: Boolean!
  viewerCanUnresolve: Boolean!
}

type Team implements Node {
  id: ID!
  databaseId: Int
  name: String!
  slug: String!
  combinedSlug: String!
  description: String
  url: URI!
  privacy: TeamPrivacy!
  createdAt: DateTime!
  updatedAt: DateTime!
  organization: Organization!
  parentTeam: Team
  "With the members of child teams."
  members(${PAGE}, query: String): TeamMemberConnection!
}
type TeamMemberConnection { nodes: [User] edges: [TeamMemberEdge] totalCount: Int! pageInfo: PageInfo! }
type TeamMemberEdge { cursor: String! node: User! }
enum TeamPrivacy { SECRET VISIBLE }
union RequestedReviewer = User | Bot | Mannequin | Team
type ReviewRequest implements Node {
  id: ID!
  databaseId: Int
  asCodeOwner: Boolean!
  requestedReviewer: RequestedReviewer
  pullRequest: PullRequest!
}
${connection("PullRequestReview")}
${connection("PullRequestReviewComment")}
${connection("PullRequestReviewThread")}
${connection("ReviewRequest")}
${connection("Team")}
`
