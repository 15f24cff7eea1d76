/** What resolvers share while a document is executed. */
import type * as Effect from "effect/Effect"
import type { RateLimitStatus } from "@tongs/core/contract/groups/RateLimit"
import type { TeamRow } from "../../accounts/TeamRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import type { Authenticated } from "../../access/Caller.ts"
import type { AppWithKey } from "../../access/InstallationRows.ts"
import type { Role } from "../../access/Roles.ts"
import type { ApiError } from "../../api/ApiError.ts"
import type { Urls } from "../../api/Urls.ts"
import type { CheckRunRow } from "../../checks/CheckRunRows.ts"
import type { WorkflowRow } from "../../runs/WorkflowRows.ts"
import type { WorkflowRunRow } from "../../runs/WorkflowRunRows.ts"
import type { CheckSuiteRow } from "../../checks/CheckSuiteRows.ts"
import type { Rollup } from "../../checks/Rollup.ts"
import type { DeploymentRow } from "../../deployments/DeploymentRows.ts"
import type { DeploymentStatusRow } from "../../deployments/DeploymentStatusRows.ts"
import type { GitError } from "../../git/values/GitError.ts"
import type { IssueRelation, CommentRange, NumberedIssue } from "../../issues/IssueIds.ts"
import type { IssueRow } from "../../issues/IssueRows.ts"
import type { LabelRow } from "../../issues/LabelRows.ts"
import type { LinkedBranchRow } from "../../issues/LinkedBranchRows.ts"
import type { PullRequestRow } from "../../issues/PullRequestRows.ts"
import type { ReviewCommentRow } from "../../reviews/ReviewCommentRows.ts"
import type { ReviewRequestRow } from "../../reviews/ReviewRequestRows.ts"
import type { ReviewRow } from "../../reviews/ReviewRows.ts"
import type { ReviewThreadRow } from "../../reviews/ReviewThreadRows.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { PullRequestReviewState } from "../../reviews/ReviewState.ts"
import type { BranchProtectionRow } from "../../rules/BranchProtectionRows.ts"
import type { AppliedRule } from "../../rules/RuleSources.ts"
import type { PageArguments } from "./Connections.ts"
import type { QueryError } from "./QueryError.ts"

/** Runs an operation of the REST API with the caller's rights. Returns its success value. */
type Call = (method: string, path: string, body?: object) => Effect.Effect<unknown, ApiError | GitError>

/** What a query counts towards the rate limits. */
export interface CountedQuery {
  readonly charged: number
  readonly isMutation: boolean
}

/** The request of a document. */
export interface QueryContext {
  readonly caller: Authenticated
  readonly call: Call
  /** Counts the query. Returns the error of the response if the query exceeds the primary limit. */
  readonly charge: (query: CountedQuery) => Effect.Effect<object | undefined>
  /** The state of the caller's rate limits. Undefined if the rate limits are off. */
  readonly rateLimit: Effect.Effect<RateLimitStatus | undefined>
  readonly urls: Urls
}

/** A repository, and the role of the caller. */
export interface FoundRepository {
  readonly served: ServedRepository
  readonly role: Role
}

/** A pull request, and its repository. */
export interface PullRequestSource {
  readonly row: IssueRow
  readonly at: FoundRepository
}

/** What the viewer has on a repository. */
export interface ViewerRelation {
  readonly hasStarred: boolean
  readonly subscription: "IGNORED" | "SUBSCRIBED" | "UNSUBSCRIBED"
}

export interface DeploymentArguments extends PageArguments {
  readonly environments?: ReadonlyArray<string> | null
  readonly orderBy?: { readonly field: "CREATED_AT"; readonly direction: "ASC" | "DESC" } | null
}

/** The arguments of a list of pull requests. */
export interface PullRequestArguments extends PageArguments {
  readonly states?: ReadonlyArray<"OPEN" | "CLOSED" | "MERGED"> | null
  readonly labels?: ReadonlyArray<string> | null
  readonly baseRefName?: string | null
  readonly headRefName?: string | null
  readonly orderBy?: {
    readonly field: "CREATED_AT" | "UPDATED_AT" | "COMMENTS"
    readonly direction: "ASC" | "DESC"
  } | null
}

/** A document that is executed: its request, and the functions that create objects of each type. */
export interface RunningQuery extends QueryContext {
  readonly run: <A>(effect: Effect.Effect<A, ApiError | GitError | QueryError>) => Promise<A>
  readonly account: (row: UserRow) => object
  readonly repository: (found: FoundRepository) => object
  /** Finds a repository by id. Undefined if the caller cannot read the repository. */
  readonly findRepository: (id: number) => Promise<FoundRepository | undefined>
  /** Returns the issue with an id. Null if the issue does not exist, or the caller cannot read it. */
  readonly issue: (id: number) => Promise<object | null>
  /** Returns the row of a pull request by the id of its issue. */
  readonly pullRequest: (issueId: number) => Promise<PullRequestRow | undefined>
  /** Return the reviews, the ids of threads, and the requests for reviews of a pull request by the id of its issue. */
  readonly reviewsOfPull: (issueId: number) => Promise<ReadonlyArray<ReviewRow> | undefined>
  readonly threadIdsOfPull: (issueId: number) => Promise<ReadonlyArray<number> | undefined>
  readonly requestsOfPull: (issueId: number) => Promise<ReadonlyArray<ReviewRequestRow> | undefined>
  readonly commentsOfThread: (threadId: number) => Promise<ReadonlyArray<ReviewCommentRow> | undefined>
  readonly commentsOfReview: (reviewId: number) => Promise<ReadonlyArray<ReviewCommentRow> | undefined>
  /** Return the rows with an id. The caller does not see pending reviews of others. */
  readonly review: (id: number) => Promise<ReviewRow | undefined>
  readonly reviewComment: (id: number) => Promise<ReviewCommentRow | undefined>
  readonly reviewThread: (id: number) => Promise<ReviewThreadRow | undefined>
  /** Returns the account with an email address. */
  readonly accountOfEmail: (email: string) => Promise<UserRow | undefined>
  /** Returns true if an account may write to a repository, by `<repository id> <account id>`. */
  readonly writer: (key: string) => Promise<boolean | undefined>
  /** Returns what rules ask of the reviews of a pull request, by the id of its issue. */
  readonly reviewState: (issueId: number) => Promise<PullRequestReviewState | undefined>
  /** Returns the active rules of a branch by `<repository id> <branch>`. */
  readonly rulesOfBranch: (key: string) => Promise<ReadonlyArray<AppliedRule> | undefined>
  /** Returns the ids of the issues that the text of a pull request closes. */
  readonly closedBy: (source: PullRequestSource) => Promise<ReadonlyArray<number> | undefined>
  /** Return the ids of the related issues of an issue, by its id. */
  readonly relatedIssues: Readonly<
    Record<IssueRelation, (issueId: number) => Promise<ReadonlyArray<number> | undefined>>
  >
  /** Returns the pull requests whose texts close an issue, by its id. */
  readonly closingPullRequests: (issueId: number) => Promise<ReadonlyArray<IssueRow> | undefined>
  /** Returns the stars and the subscription of the viewer on a repository, by its id. */
  readonly viewerRelation: (repositoryId: number) => Promise<ViewerRelation | undefined>
  /** Returns the pull requests whose head is a branch. */
  readonly pullRequestsOfHead: (at: FoundRepository, branch: string, given: PullRequestArguments) => Promise<object>
  /** Returns the rows of the pull requests that bring a commit, by `CheckObjects.commitKey`. */
  readonly pullRequestsByCommit: (key: string) => Promise<ReadonlyArray<PullRequestRow> | undefined>
  /** Returns the pull requests that bring a commit. */
  readonly pullRequestsOfCommit: (at: FoundRepository, oid: string, page: PageArguments) => Promise<object>
  /** Compares a branch with a commit. */
  readonly compare: (at: FoundRepository, base: string, headRef: string) => Promise<object>
  /** Returns the comment with an id. Null if the comment does not exist, or the caller cannot read it. */
  readonly comment: (id: number) => Promise<object | null>
  /** Returns the ids of the comments in a range. */
  readonly commentIds: (range: CommentRange) => Promise<ReadonlyArray<number> | undefined>
  /** Returns the linked branches of an issue. */
  readonly linkedBranches: (issueId: number) => Promise<ReadonlyArray<LinkedBranchRow> | undefined>
  /** Returns the git object with an id. Null if the repository does not have it. */
  readonly gitObject: (at: FoundRepository, oid: string) => Promise<object | null>
  /** Returns the checks of a commit by `CheckObjects.commitKey`. */
  readonly rollup: (key: string) => Promise<Rollup | undefined>
  readonly app: (id: number) => Promise<AppWithKey | undefined>
  readonly checkSuite: (id: number) => Promise<CheckSuiteRow | undefined>
  readonly workflow: (id: number) => Promise<WorkflowRow | undefined>
  readonly workflowRun: (id: number) => Promise<WorkflowRunRow | undefined>
  /** Returns the newest run of a check suite. */
  readonly workflowRunOfSuite: (suiteId: number) => Promise<WorkflowRunRow | undefined>
  /** Returns a check run with its texts. */
  readonly checkRunTexts: (id: number) => Promise<CheckRunRow | undefined>
  /** Returns the milestone with an id. Null if the milestone does not exist, or the caller cannot read it. */
  readonly milestone: (id: number) => Promise<object | null>
  /** Return rows by `<repository id> <number>`, by `<repository id> <name>`, by login, and by `<organization id> <slug>`. */
  readonly issueOfNumber: (key: string) => Promise<NumberedIssue | undefined>
  readonly labelOfName: (key: string) => Promise<LabelRow | undefined>
  readonly accountOfLogin: (login: string) => Promise<UserRow | undefined>
  readonly teamOfSlug: (key: string) => Promise<TeamRow | undefined>
  /** Returns the accounts that can be assigned in a repository. */
  readonly assignable: (repositoryId: number) => Promise<ReadonlyArray<UserRow> | undefined>
  /** Returns a page of these accounts, selected by login or name. */
  readonly suggestedActors: (
    at: FoundRepository,
    given: PageArguments & { readonly query?: string | null }
  ) => Promise<object>
  readonly protectionsOfRepository: (id: number) => Promise<ReadonlyArray<BranchProtectionRow> | undefined>
  /** Returns the rule that protects a branch. Null without a rule, or if the caller may not read the rule. */
  readonly protectionOf: (at: FoundRepository, branch: string) => Promise<object | null>
  /** Returns the deployments of a commit by `CheckObjects.commitKey`. */
  readonly deploymentsOfCommit: (key: string) => Promise<ReadonlyArray<DeploymentRow> | undefined>
  readonly deploymentsOf: (at: FoundRepository, oid: string, given: DeploymentArguments) => Promise<object>
  readonly statusesOfDeployment: (id: number) => Promise<ReadonlyArray<DeploymentStatusRow> | undefined>
  /** Returns the workflow run with an id. Null if the caller cannot read it. */
  readonly workflowRunById: (id: number) => Promise<object | null>
  /** Returns the object with a node id. Null if the object does not exist, or the caller cannot read it. */
  readonly node: (id: string) => Promise<object | null>
}
