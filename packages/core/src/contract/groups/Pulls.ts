/** Pull requests: lists, single pull requests, their commits and files, and merges. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { CommitLink } from "./Branches.ts"
import { CommitSummary, FileChange } from "./Commits.ts"
import { mergeMethods, PullRequest, PullRequestSummary } from "./PullRequest.ts"
import { conflict, methodNotAllowed, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { textTypes } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { authorsPullRequests, proposesChanges, pullRequestPath, readsPullRequests } from "../PullRequestAccess.ts"
import { Sha } from "../Scalars.ts"

export { PullRequest, PullRequestSummary } from "./PullRequest.ts"

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** The members of a new pull request. */
export const NewPullRequest = Schema.Struct({
  title: text("Title. Required without `issue`."),
  head: Schema.String.annotate({
    description: "Branch with the changes, or `owner:branch` for a branch of a fork."
  }),
  head_repo: text("Name of the repository that has the changes, if the owner of `head` has several forks."),
  base: Schema.String.annotate({ description: "Branch to change." }),
  body: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ description: "Text, in Markdown." }))),
  maintainer_can_modify: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Whether maintainers of the repository may push to the head." })
  ),
  draft: Schema.optionalKey(Schema.Boolean.annotate({ description: "Whether the work is unfinished." })),
  issue: Schema.optionalKey(Schema.Int.annotate({ description: "Number of an issue to turn into a pull request." }))
}).annotate({ identifier: "NewPullRequest" })
export type NewPullRequest = typeof NewPullRequest.Type

/** The members of a pull request to change. */
export const PullRequestUpdate = Schema.Struct({
  title: text("The new title."),
  body: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ description: "The new text, in Markdown." }))),
  state: Schema.optionalKey(Schema.Literals(["open", "closed"]).annotate({ description: "The new state." })),
  base: text("The new branch to change."),
  maintainer_can_modify: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Whether maintainers of the repository may push to the head." })
  )
}).annotate({ identifier: "PullRequestUpdate" })
export type PullRequestUpdate = typeof PullRequestUpdate.Type

/** The result of a merge. */
export const PullRequestMerge = Schema.Struct({
  sha: Sha,
  merged: Schema.Boolean,
  message: Schema.String
}).annotate({
  identifier: "PullRequestMerge",
  ...Presentation.of({ columns: { SHA: "sha", MERGED: "merged", MESSAGE: "message" } })
})
export type PullRequestMerge = typeof PullRequestMerge.Type

/** The answer to the update of a head. */
export const BranchUpdate = Schema.Struct({
  message: Schema.optionalKey(Schema.String),
  url: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "BranchUpdate", ...Presentation.of({ columns: { MESSAGE: "message", URL: "url" } }) })
export type BranchUpdate = typeof BranchUpdate.Type

/** A branch and its newest commit. */
export const HeadBranch = Schema.Struct({
  name: Schema.String,
  commit: CommitLink,
  protected: Schema.Boolean
}).annotate({
  identifier: "HeadBranch",
  ...Presentation.of({
    columns: { NAME: "name", SHA: "commit.sha", PROTECTED: "protected" },
    arguments: { branch: "name", ref: "name" },
    opens: ["branches.get"]
  })
})
export type HeadBranch = typeof HeadBranch.Type

const commitPath = {
  ...repositoryPath,
  commit_sha: Schema.String.annotate({ description: "Id of the commit, or a branch." })
}

/** Endpoints of pull requests. */
export class Pulls extends Group.make("pulls", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/pulls", {
    params: repositoryPath,
    query: {
      state: Schema.optionalKey(
        Schema.Literals(["open", "closed", "all"]).annotate({ description: "Only this state; open by default." })
      ),
      head: text("Only pull requests with this head: `owner:branch`."),
      base: text("Only pull requests into this branch."),
      sort: Schema.optionalKey(
        Schema.Literals(["created", "updated", "popularity", "long-running"]).annotate({
          description:
            "created by default. `popularity` counts comments; `long-running` has pull requests that are older than a month."
        })
      ),
      direction: Schema.optionalKey(
        Schema.Literals(["asc", "desc"]).annotate({
          description: "desc by default without sort or for created, otherwise asc."
        })
      ),
      ...pageQuery
    },
    success: Paged(Schema.Array(PullRequestSummary)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/list",
      summary: "List pull requests",
      words: "prs, merge requests, changes to review",
      ...readsPullRequests,
      mediaTypes: textTypes,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/pulls", {
    params: repositoryPath,
    payload: NewPullRequest,
    success: PullRequest.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/create",
      summary: "Create a pull request",
      words: "open pr, propose changes, merge request",
      ...proposesChanges,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/pulls/:pull_number", {
    params: pullRequestPath,
    success: PullRequest,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/get",
      summary: "Get a pull request",
      words: "pr, mergeable",
      ...readsPullRequests,
      mediaTypes: [...textTypes, "diff", "patch"]
    })
  ),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/pulls/:pull_number", {
    params: pullRequestPath,
    payload: PullRequestUpdate,
    success: PullRequest,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/update",
      summary: "Update a pull request",
      words: "close pr, reopen, edit, change base",
      ...authorsPullRequests,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.get("listCommits", "/repos/:owner/:repo/pulls/:pull_number/commits", {
    params: pullRequestPath,
    query: pageQuery,
    success: Paged(Schema.Array(CommitSummary)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/list-commits",
      summary: "List the commits of a pull request",
      command: "commits",
      description: "Oldest first, at most 250.",
      ...readsPullRequests,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listFiles", "/repos/:owner/:repo/pulls/:pull_number/files", {
    params: pullRequestPath,
    query: pageQuery,
    success: Paged(Schema.Array(FileChange)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/list-files",
      summary: "List the changed files of a pull request",
      words: "diff, changes",
      command: "files",
      description: "By path, at most 3,000.",
      ...readsPullRequests,
      paging: "page"
    })
  ),
  HttpApiEndpoint.put("merge", "/repos/:owner/:repo/pulls/:pull_number/merge", {
    params: pullRequestPath,
    payload: Schema.Struct({
      commit_title: text("First line of the commit message."),
      commit_message: text("The rest of the commit message."),
      sha: text("Id that the head must have."),
      merge_method: Schema.optionalKey(
        Schema.Literals(mergeMethods).annotate({
          description:
            "`merge` creates a merge commit, `squash` one commit with all changes, `rebase` copies the commits onto the base; by default the first that the repository allows."
        })
      )
    }),
    success: PullRequestMerge,
    error: [notFound, methodNotAllowed, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/merge",
      summary: "Merge a pull request",
      words: "land pr, squash, rebase, integrate",
      ...Operation.writesFiles,
      effect: "update",
      idempotent: false,
      reversible: false
    })
  ),
  HttpApiEndpoint.get("checkIfMerged", "/repos/:owner/:repo/pulls/:pull_number/merge", {
    params: pullRequestPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/check-if-merged",
      summary: "Check whether a pull request was merged",
      command: "merged",
      answers: { yes: "The pull request was merged", no: "The pull request was not merged" },
      ...readsPullRequests,
      permission: Operation.readsContents.permission
    })
  ),
  HttpApiEndpoint.put("updateBranch", "/repos/:owner/:repo/pulls/:pull_number/update-branch", {
    params: pullRequestPath,
    payload: Schema.Struct({ expected_head_sha: text("Id that the head must have.") }),
    success: BranchUpdate.pipe(HttpApiSchema.status(202)),
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "pulls/update-branch",
      summary: "Merge the base branch into the head of a pull request",
      words: "update branch, sync with base",
      ...authorsPullRequests,
      idempotent: false,
      reversible: false
    })
  ),
  HttpApiEndpoint.get("listForCommit", "/repos/:owner/:repo/commits/:commit_sha/pulls", {
    params: commitPath,
    query: pageQuery,
    success: Paged(Schema.Array(PullRequestSummary)),
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-pull-requests-associated-with-commit",
      summary: "List the pull requests of a commit",
      command: "of-commit",
      description: "The merged one that brought the commit to the default branch, otherwise all with the commit.",
      ...readsPullRequests,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listBranchesForHead", "/repos/:owner/:repo/commits/:commit_sha/branches-where-head", {
    params: commitPath,
    success: Schema.Array(HeadBranch),
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-branches-for-head-commit",
      summary: "List the branches whose newest commit is this one",
      command: "branches-of-commit",
      ...Operation.readsContents
    })
  )
]) {}
