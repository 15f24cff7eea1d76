/** The commit log: commits with the accounts of authors and committers. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import { Signature, Verification } from "./GitCommits.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { matchFields, pageFields, searches, searchQuery } from "../SearchPage.ts"
import { commitSorts } from "../SearchSorts.ts"
import { RepositorySummary } from "./Repository.ts"
import { UserSummary } from "./User.ts"
import { openEnum, Sha, Timestamp } from "../Scalars.ts"

/** An account or null. Some forges send `{}` instead of null. */
const Account = Schema.Union([
  UserSummary,
  Schema.Null,
  Schema.Record(Schema.String, Schema.Never).pipe(
    Schema.decodeTo(Schema.Null, SchemaTransformation.transform({ decode: () => null, encode: () => ({}) }))
  )
])

const summary = {
  url: Schema.String,
  sha: Sha,
  node_id: Schema.String,
  html_url: Schema.String,
  comments_url: Schema.String,
  commit: Schema.Struct({
    url: Schema.String,
    author: Schema.NullOr(Signature),
    committer: Schema.NullOr(Signature),
    message: Schema.String,
    comment_count: Schema.Int,
    tree: Schema.Struct({ sha: Sha, url: Schema.String }),
    verification: Schema.optionalKey(Verification)
  }),
  /** The account that has the e-mail address of the commit's author; null without such an account. */
  author: Account,
  committer: Account,
  parents: Schema.Array(Schema.Struct({ sha: Sha, url: Schema.String, html_url: Schema.optionalKey(Schema.String) }))
}

const presentation = Presentation.of({
  columns: { SHA: "sha", SUBJECT: "commit.message", AUTHOR: "commit.author.name", AGE: "commit.author.date" },
  title: "commit.message",
  arguments: {
    ref: "sha",
    commit_sha: "sha",
    tree_sha: "commit.tree.sha",
    username: "author.login",
    "commits.sha": "sha",
    "gitRefs.sha": "sha"
  }
})

/** A commit without its changes. */
export const CommitSummary = Schema.Struct(summary).annotate({
  identifier: "CommitSummary",
  ...presentation
})
export type CommitSummary = typeof CommitSummary.Type

/** A matching commit and its repository. */
export const CommitSearchItem = Schema.Struct({
  ...summary,
  repository: RepositorySummary,
  ...matchFields
}).annotate({
  identifier: "CommitSearchItem",
  ...Presentation.of({
    columns: {
      SHA: "sha",
      REPOSITORY: "repository.full_name",
      SUBJECT: "commit.message",
      AUTHOR: "commit.author.name",
      AGE: "commit.author.date"
    },
    title: "commit.message",
    identity: ["repository.full_name", "sha"],
    arguments: {
      owner: "repository.owner.login",
      repo: "repository.name",
      ref: "sha",
      commit_sha: "sha",
      tree_sha: "commit.tree.sha",
      username: "author.login",
      "commits.sha": "sha",
      "gitRefs.sha": "sha"
    },
    opens: ["commits.get"]
  })
})
export type CommitSearchItem = typeof CommitSearchItem.Type

/** A page of matching commits. */
export const CommitSearchResults = Schema.Struct(pageFields(CommitSearchItem)).annotate({
  identifier: "CommitSearchResults"
})
export type CommitSearchResults = typeof CommitSearchResults.Type

const count = Schema.optionalKey(Schema.Int)

const lines = Schema.Int.annotate(Presentation.format("count"))

/** The change to one file in a commit. */
export const FileChange = Schema.Struct({
  sha: Schema.NullOr(Schema.String),
  filename: Schema.String,
  status: openEnum(["added", "removed", "modified", "renamed", "copied", "changed", "unchanged"]),
  additions: lines,
  deletions: lines,
  changes: lines,
  blob_url: Schema.NullOr(Schema.String),
  raw_url: Schema.NullOr(Schema.String),
  contents_url: Schema.String,
  /** Unified diff without the file header; absent for binary files and very large changes. */
  patch: Schema.optionalKey(Schema.String),
  previous_filename: Schema.optionalKey(Schema.String)
}).annotate({
  identifier: "FileChange",
  ...Presentation.of({
    columns: { FILE: "filename", STATUS: "status", ADDED: "additions", REMOVED: "deletions" },
    arguments: { path: "filename", file_sha: "sha" },
    opens: ["contents.get"]
  })
})
export type FileChange = typeof FileChange.Type

/** A commit with its changes to files. */
export const Commit = Schema.Struct({
  ...summary,
  /** Changed lines of the whole commit. Absent if counting takes too long. */
  stats: Schema.optionalKey(Schema.Struct({ additions: count, deletions: count, total: count })),
  /** A page of the changed files, by path. The pages end after 3,000 files. */
  files: Schema.optionalKey(Schema.Array(FileChange))
}).annotate({ identifier: "Commit", ...presentation })
export type Commit = typeof Commit.Type

/** A comparison of two commits: the commits and changes of `head` since the merge base with `base`. */
export const Comparison = Schema.Struct({
  url: Schema.String,
  html_url: Schema.String,
  permalink_url: Schema.String,
  diff_url: Schema.String,
  patch_url: Schema.String,
  base_commit: CommitSummary,
  merge_base_commit: CommitSummary,
  /** `diverged`: both `base` and `head` have commits that the other lacks. */
  status: openEnum(["ahead", "behind", "diverged", "identical"]),
  /** Commits of `head` that `base` lacks. */
  ahead_by: Schema.Int,
  /** Commits of `base` that `head` lacks. */
  behind_by: Schema.Int,
  total_commits: Schema.Int,
  /** Commits of `head` that `base` lacks, oldest first. At most the newest 250. */
  commits: Schema.Array(CommitSummary),
  /** Changed files, at most 300. */
  files: Schema.optionalKey(Schema.Array(FileChange))
}).annotate({ identifier: "Comparison" })
export type Comparison = typeof Comparison.Type

/** Endpoints of the commit log. */
export class Commits extends Group.make("commits", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/commits", {
    params: repositoryPath,
    query: {
      sha: Schema.optionalKey(
        Schema.String.annotate({ description: "Branch, tag or commit to start from; the default branch by default." })
      ),
      path: Schema.optionalKey(Schema.String.annotate({ description: "Only commits that touch this path." })),
      author: Schema.optionalKey(Schema.String.annotate({ description: "Login or e-mail address." })),
      committer: Schema.optionalKey(Schema.String.annotate({ description: "Login or e-mail address." })),
      since: Schema.optionalKey(
        Timestamp.annotate({ description: "Only commits after this time, for example 2026-01-31T12:00:00Z." })
      ),
      until: Schema.optionalKey(
        Timestamp.annotate({ description: "Only commits before this time, for example 2026-01-31T12:00:00Z." })
      ),
      ...pageQuery
    },
    success: Paged(Schema.Array(CommitSummary)),
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-commits",
      summary: "List commits",
      ...Operation.readsContents,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/commits/:ref", {
    params: { ...repositoryPath, ref: Schema.String.annotate({ description: "Commit, branch or tag." }) },
    query: {
      per_page: Schema.optionalKey(
        Schema.Int.annotate({ description: "Changed files per page, up to 100; 300 by default." })
      ),
      page: Schema.optionalKey(Schema.Int.annotate({ description: "Page of the changed files, from 1." }))
    },
    success: Commit,
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-commit",
      summary: "Get a commit with its changes",
      perPage: 300,
      ...Operation.readsContents,
      rest: true,
      mediaTypes: ["diff", "patch", "sha"]
    })
  ),
  HttpApiEndpoint.get("compare", "/repos/:owner/:repo/compare/:basehead", {
    params: {
      ...repositoryPath,
      basehead: Schema.String.annotate({
        description:
          "Two branches, tags or commits, joined by three dots: `main...feature`. Those of another repository in the network of forks are `owner:feature` or `owner:repo:feature`."
      })
    },
    success: Comparison,
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/compare-commits-with-basehead",
      summary: "Compare two commits",
      words: "diff, difference",
      ...Operation.readsContents,
      rest: true,
      mediaTypes: ["diff", "patch"]
    })
  ),
  HttpApiEndpoint.get("search", "/search/commits", {
    query: searchQuery("crash repo:octo/hello author:octo", commitSorts),
    success: Paged(CommitSearchResults),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "search/commits",
      summary: "Search commits",
      words: "find commits, history",
      ...searches,
      permission: Operation.readsContents.permission
    })
  )
]) {}
