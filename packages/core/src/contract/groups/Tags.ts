/** Lists of tags. `GitTags` has the tag objects. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { CommitLink } from "./Branches.ts"
import { notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"

/** A tag with its commit. */
export const Tag = Schema.Struct({
  name: Schema.String,
  commit: CommitLink,
  zipball_url: Schema.String,
  tarball_url: Schema.String,
  node_id: Schema.String
}).annotate({
  identifier: "Tag",
  ...Presentation.of({
    columns: { NAME: "name", SHA: "commit.sha" },
    arguments: {
      ref: "name",
      basehead: { path: "name", template: "{}...HEAD" },
      tree_sha: "name",
      "commits.sha": "name",
      "gitRefs.ref": { path: "name", template: "tags/{}" },
      "gitRefs.sha": "commit.sha"
    },
    opens: ["commits.list"]
  })
})
export type Tag = typeof Tag.Type

/** Endpoints of tags. */
export class Tags extends Group.make("tags", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/tags", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(Tag)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-tags",
      summary: "List tags",
      public: true,
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"],
      paging: "page"
    })
  )
]) {}
