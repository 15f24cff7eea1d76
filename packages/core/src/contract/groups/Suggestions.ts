/** Suggested changes of review comments: an extension of the embedded forge. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Exposure from "../Exposure.ts"
import { conflict, notFound, unsupported, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import * as Presentation from "../Presentation.ts"
import { pullRequestPath } from "../PullRequestAccess.ts"
import { Sha } from "../Scalars.ts"

/** The commit that applied suggestions to the head of a pull request. */
export const AppliedSuggestions = Schema.Struct({
  sha: Sha,
  /** The branch in the repository of the head. */
  branch: Schema.String,
  /** Paths of the changed files. */
  paths: Schema.Array(Schema.String)
}).annotate({
  identifier: "AppliedSuggestions",
  ...Presentation.of({
    columns: { COMMIT: "sha", BRANCH: "branch" },
    title: "sha",
    arguments: { ref: "sha", commit_sha: "sha", branch: "branch" }
  })
})
export type AppliedSuggestions = typeof AppliedSuggestions.Type

/** Suggested changes. Absent on forges without this extension (`Unsupported`). */
export class Suggestions extends Group.make("suggestions", () => [
  HttpApiEndpoint.post("apply", "/tongs/repos/:owner/:repo/pulls/:pull_number/suggestions", {
    params: pullRequestPath,
    payload: Schema.Struct({
      suggestions: Schema.Array(
        Schema.Struct({
          comment_id: Schema.Int.annotate({ description: "Id of the review comment." }),
          index: Schema.optionalKey(
            Schema.Int.annotate({
              description: "Number of the block in the comment, from 0; the first one by default."
            })
          )
        })
      ).annotate({ description: "The suggestions to apply in one commit." }),
      message: Schema.optionalKey(Schema.String.annotate({ description: "Commit message; GitHub's one by default." })),
      expected_head_sha: Schema.optionalKey(Schema.String.annotate({ description: "Id that the head must have." }))
    }),
    success: AppliedSuggestions.pipe(HttpApiSchema.status(201)),
    error: [notFound, conflict, validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      summary: "Apply suggested changes of review comments",
      words: "commit suggestion, accept suggestion",
      description: "Commits the suggestions to the head of the pull request, with their authors as co-authors.",
      ...Operation.writesFiles,
      access: "read",
      exposure: Exposure.workflowFiles,
      extension: true,
      effect: "create",
      idempotent: false
    })
  )
]) {}
