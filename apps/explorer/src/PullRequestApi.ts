/** The part of the explorer's API that reads pull requests and checks. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Comparison, ListedCommit } from "./ComparisonApi.ts"
import { Issue, LinkedIssue, written } from "./IssueApi.ts"

const Text = Schema.NullOr(Schema.String)

/** A branch of a pull request. */
export const Branch = Schema.Struct({
  /** Null if the repository was deleted, or if the caller cannot read it. */
  repository: Schema.NullOr(Schema.Struct({ owner: Schema.String, repo: Schema.String })),
  /** Null for a deleted account. */
  owner: Text,
  name: Schema.String,
  commit: Schema.String,
  isDeleted: Schema.Boolean
})
export type Branch = typeof Branch.Type

/** A pull request: the issue, and its branches. */
export const PullRequest = Schema.Struct({
  ...Issue.fields,
  base: Branch,
  head: Branch,
  mergedAt: Text,
  mergedBy: Text,
  /** The commit of the base branch; null before the merge. */
  mergeCommit: Text,
  /** `checking`, `conflicts`, or a state of the contract, for example `blocked`. Null unless it is open. */
  mergeability: Text,
  /** The method of an automatic merge. */
  autoMerge: Text,
  /** Logins of users, and names of teams. */
  reviewers: Schema.Array(Schema.String),
  commits: Schema.Int,
  changedFiles: Schema.Int
})
export type PullRequest = typeof PullRequest.Type

export const CheckRun = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  suite: Schema.NullOr(Schema.Int),
  /** For example `in_progress`. */
  status: Schema.String,
  /** For example `failure`. Null unless completed. */
  conclusion: Text,
  startedAt: Text,
  completedAt: Text,
  url: Text,
  title: Text,
  /** Markdown. */
  summary: Text,
  text: Text,
  /** Number of annotations. */
  annotations: Schema.Int
})
export type CheckRun = typeof CheckRun.Type

/** All check runs of an app. */
export const CheckSuite = Schema.Struct({
  id: Schema.Int,
  /** Name of the app. Null for a deleted one. */
  app: Text,
  status: Text,
  conclusion: Text
})
export type CheckSuite = typeof CheckSuite.Type

export const CommitStatus = Schema.Struct({
  context: Schema.String,
  /** `error`, `failure`, `pending`, `success` or a newer value. */
  state: Schema.String,
  description: Text,
  url: Text,
  updatedAt: Schema.String
})
export type CommitStatus = typeof CommitStatus.Type

/** The check runs and statuses of a commit. At most 100 of each are listed. */
export const Checks = Schema.Struct({
  suites: Schema.Array(CheckSuite),
  runs: Schema.Array(CheckRun),
  totalRuns: Schema.Int,
  statuses: Schema.Array(CommitStatus),
  totalStatuses: Schema.Int
})
export type Checks = typeof Checks.Type

export const Annotation = Schema.Struct({
  path: Schema.String,
  firstLine: Schema.Int,
  lastLine: Schema.Int,
  /** `notice`, `warning`, `failure` or a newer value. */
  level: Text,
  title: Text,
  message: Schema.String,
  details: Text
})
export type Annotation = typeof Annotation.Type

/** One page of annotations. */
export const AnnotationPage = Schema.Struct({
  annotations: Schema.Array(Annotation),
  /** Number of the next page. */
  next: Schema.NullOr(Schema.Int)
})
export type AnnotationPage = typeof AnnotationPage.Type

/** A comment of a review on a file. */
export const ReviewComment = Schema.Struct({ id: Schema.Int, ...written })
export type ReviewComment = typeof ReviewComment.Type

/** A comment on lines of a file, or on the whole file, and the replies. */
export const ReviewThread = Schema.Struct({
  /** Id of the first comment. */
  id: Schema.Int,
  path: Schema.String,
  isOnFile: Schema.Boolean,
  /** The version before (`L`) or after (`R`) the changes. */
  side: Schema.Literals(["L", "R"]),
  /** The last line, and the first of several. Null for a file, and for lines that have changed since. */
  line: Schema.NullOr(Schema.Int),
  startLine: Schema.NullOr(Schema.Int),
  /** The lines of the commented commit. */
  original: Schema.Struct({ line: Schema.NullOr(Schema.Int), startLine: Schema.NullOr(Schema.Int) }),
  /** The lines before the comment, in the format of a patch. */
  hunk: Schema.String,
  comments: Schema.Array(ReviewComment)
})
export type ReviewThread = typeof ReviewThread.Type

export const ReviewThreads = Schema.Struct({
  threads: Schema.Array(ReviewThread),
  /** False if the pull request has more comments. */
  isComplete: Schema.Boolean
})
export type ReviewThreads = typeof ReviewThreads.Type

const repository = { owner: Schema.String, repo: Schema.String }
const pull = { ...repository, number: Schema.Int }

/** Pull requests, and the checks of commits. */
export class PullRequests extends HttpApiGroup.make("pullRequests")
  .add(
    HttpApiEndpoint.get("getPullRequest", "/pull", { query: pull, success: PullRequest }),
    /** The oldest first, at most 250. */
    HttpApiEndpoint.get("listPullRequestCommits", "/pull-commits", {
      query: pull,
      success: Schema.Array(ListedCommit)
    }),
    HttpApiEndpoint.get("getPullRequestChanges", "/pull-changes", {
      query: {
        ...pull,
        /** The commits of the branches. */
        base: Schema.String,
        head: Schema.String,
        path: Schema.optionalKey(Schema.String),
        ignoreWhitespace: Schema.optionalKey(Schema.Literal("true"))
      },
      success: Comparison
    }),
    HttpApiEndpoint.get("listReviewThreads", "/pull-threads", { query: pull, success: ReviewThreads }),
    HttpApiEndpoint.get("listCommitPullRequests", "/commit-pulls", {
      query: { ...repository, ref: Schema.String },
      success: Schema.Array(LinkedIssue)
    }),
    HttpApiEndpoint.get("getChecks", "/checks", { query: { ...repository, ref: Schema.String }, success: Checks }),
    HttpApiEndpoint.get("listAnnotations", "/annotations", {
      query: { ...repository, run: Schema.Int, page: Schema.Int },
      success: AnnotationPage
    })
  )
  .prefix("/api") {}
