/** Branches. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Commit, CommitSummary } from "./Commits.ts"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Sha } from "../Scalars.ts"

/** The id and URL of a commit. */
export const CommitLink = Schema.Struct({ sha: Sha, url: Schema.String }).annotate({
  identifier: "CommitLink",
  ...Presentation.of({ columns: { SHA: "sha" } })
})

/** Parameters that a branch gives to other operations. */
const branchArguments = {
  ref: "name",
  branch: "name",
  basehead: { path: "name", template: "HEAD...{}" },
  tree_sha: "name",
  "branches.head": "name",
  "branches.new_name": "name",
  "commits.sha": "name",
  "gitRefs.ref": { path: "name", template: "heads/{}" },
  "gitRefs.sha": "commit.sha"
}

const branch = Schema.String.annotate({ description: "Name of the branch, without `refs/heads/`." })

/** A branch with its latest commit. */
export const Branch = Schema.Struct({
  name: Schema.String,
  commit: CommitLink,
  protected: Schema.Boolean
}).annotate({
  identifier: "Branch",
  ...Presentation.of({
    columns: { NAME: "name", SHA: "commit.sha", PROTECTED: "protected" },
    arguments: branchArguments,
    opens: ["commits.list"]
  })
})
export type Branch = typeof Branch.Type

/** A branch with its latest commit in full, and its protection. */
export const BranchDetail = Schema.Struct({
  name: Schema.String,
  commit: CommitSummary,
  _links: Schema.Struct({ self: Schema.String, html: Schema.String }),
  protected: Schema.Boolean,
  protection: Schema.Struct({
    enabled: Schema.optionalKey(Schema.Boolean),
    required_status_checks: Schema.optionalKey(
      Schema.Struct({
        enforcement_level: Schema.optionalKey(Schema.String),
        contexts: Schema.Array(Schema.String),
        checks: Schema.optionalKey(
          Schema.Array(Schema.Struct({ context: Schema.String, app_id: Schema.NullOr(Schema.Int) }))
        )
      })
    )
  }),
  protection_url: Schema.String
}).annotate({
  identifier: "BranchDetail",
  ...Presentation.of({
    columns: {
      NAME: "name",
      SHA: "commit.sha",
      SUBJECT: "commit.commit.message",
      AGE: "commit.commit.author.date",
      PROTECTED: "protected"
    },
    arguments: branchArguments
  })
})
export type BranchDetail = typeof BranchDetail.Type

/** The result of updating a branch of a fork from the upstream repository. */
export const UpstreamMerge = Schema.Struct({
  message: Schema.optionalKey(Schema.String),
  merge_type: Schema.optionalKey(openEnum(["merge", "fast-forward", "none"])),
  base_branch: Schema.optionalKey(Schema.String)
}).annotate({
  identifier: "UpstreamMerge",
  ...Presentation.of({ columns: { RESULT: "merge_type", BASE: "base_branch", MESSAGE: "message" } })
})
export type UpstreamMerge = typeof UpstreamMerge.Type

/** Endpoints of branches. */
export class Branches extends Group.make("branches", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/branches", {
    params: repositoryPath,
    query: {
      protected: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "Only branches that an active ruleset protects, or only the others." })
      ),
      ...pageQuery
    },
    success: Paged(Schema.Array(Branch)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-branches",
      summary: "List branches",
      ...Operation.readsContents,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/branches/:branch", {
    params: { ...repositoryPath, branch },
    success: BranchDetail,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-branch",
      summary: "Get a branch",
      ...Operation.readsContents,
      rest: true
    })
  ),
  HttpApiEndpoint.post("rename", "/repos/:owner/:repo/branches/:branch/rename", {
    params: { ...repositoryPath, branch },
    payload: Schema.Struct({ new_name: Schema.String.annotate({ description: "New name of the branch." }) }),
    success: BranchDetail.pipe(HttpApiSchema.status(201)),
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/rename-branch",
      summary: "Rename a branch",
      words: "move branch",
      description: "Renaming the default branch needs the administration permission.",
      ...Operation.writesContents,
      effect: "update",
      idempotent: false,
      rest: true
    })
  ),
  HttpApiEndpoint.post("merge", "/repos/:owner/:repo/merges", {
    params: repositoryPath,
    payload: Schema.Struct({
      base: Schema.String.annotate({ description: "Branch to merge into." }),
      head: Schema.String.annotate({ description: "Branch or commit to merge." }),
      commit_message: Schema.optionalKey(
        Schema.String.annotate({ description: "Message of the merge commit; names both branches by default." })
      )
    }),
    success: [Commit.pipe(HttpApiSchema.status(201)), HttpApiSchema.NoContent],
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/merge",
      summary: "Merge a branch",
      words: "integrate, pull in",
      description: "Creates a merge commit. No content (204) if the base already contains the head.",
      noContent: "Nothing to merge",
      ...Operation.writesFiles
    })
  ),
  HttpApiEndpoint.post("mergeUpstream", "/repos/:owner/:repo/merge-upstream", {
    params: repositoryPath,
    payload: Schema.Struct({ branch: Schema.String.annotate({ description: "Branch of the fork to update." }) }),
    success: UpstreamMerge,
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/merge-upstream",
      summary: "Update a branch of a fork from its upstream repository",
      words: "sync fork, update fork",
      ...Operation.writesFiles,
      effect: "update",
      idempotent: false,
      reversible: false
    })
  )
]) {}
