/** Branches (spec part 4). */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "./Failure.ts"
import * as Group from "./Group.ts"
import * as Operation from "./Operation.ts"
import { Paged } from "./Paged.ts"
import { pageQuery, repositoryPath } from "./Parameters.ts"
import * as Presentation from "./Presentation.ts"
import { Sha } from "./Scalars.ts"

/** The id and URL of a commit. */
export const CommitLink = Schema.Struct({ sha: Sha, url: Schema.String }).annotate({
  identifier: "CommitLink",
  ...Presentation.of({ columns: { SHA: "sha" } })
})

/** A branch with its latest commit. */
export const Branch = Schema.Struct({
  name: Schema.String,
  commit: CommitLink,
  protected: Schema.Boolean
}).annotate({
  identifier: "Branch",
  ...Presentation.of({
    columns: { NAME: "name", SHA: "commit.sha", PROTECTED: "protected" },
    arguments: {
      ref: "name",
      basehead: { path: "name", template: "HEAD...{}" },
      tree_sha: "name",
      "commits.sha": "name",
      "gitRefs.ref": { path: "name", template: "heads/{}" },
      "gitRefs.sha": "commit.sha"
    },
    opens: ["commits.list"]
  })
})
export type Branch = typeof Branch.Type

/** Endpoints of branches. */
export class Branches extends Group.make("branches", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/branches", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(Branch)),
    error: notFound
  }).annotateMerge(Operation.annotations({ summary: "List branches", ...Operation.readsContents, paging: "page" }))
]) {}
