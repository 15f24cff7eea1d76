/** Artifacts of workflow runs. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { gone, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { FileRedirect } from "../FileRedirect.ts"
import { Bytes, ObjectId, Timestamp } from "../Scalars.ts"

/** An artifact. `size_in_bytes` is the size of the zip archive. */
export const Artifact = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  name: Schema.String,
  size_in_bytes: Bytes,
  url: Schema.String,
  archive_download_url: Schema.String,
  expired: Schema.Boolean,
  created_at: Schema.NullOr(Timestamp),
  expires_at: Schema.NullOr(Timestamp),
  updated_at: Schema.NullOr(Timestamp),
  /** `sha256:<hex digest>` of the archive. */
  digest: Schema.optionalKey(Schema.NullOr(Schema.String)),
  workflow_run: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        id: Schema.optionalKey(Schema.Int),
        repository_id: Schema.optionalKey(Schema.Int),
        head_repository_id: Schema.optionalKey(Schema.Int),
        head_branch: Schema.optionalKey(Schema.String),
        head_sha: Schema.optionalKey(ObjectId)
      })
    )
  )
}).annotate({
  identifier: "Artifact",
  ...Presentation.of({
    columns: {
      ID: "id",
      NAME: "name",
      SIZE: "size_in_bytes",
      BRANCH: "workflow_run.head_branch",
      EXPIRED: "expired",
      CREATED: "created_at"
    },
    title: "name",
    arguments: {
      artifact_id: "id",
      archive_format: { path: "archive_download_url", pattern: "([^/]+)$", when: { expired: false } },
      run_id: "workflow_run.id",
      ref: "workflow_run.head_sha"
    }
  })
})
export type Artifact = typeof Artifact.Type

/** A page of artifacts. */
export const ArtifactList = Schema.Struct({
  total_count: Schema.Int,
  artifacts: Schema.Array(Artifact)
}).annotate({ identifier: "ArtifactList" })

const artifactPath = { ...repositoryPath, artifact_id: Schema.Int.annotate({ description: "Id of the artifact." }) }
const name = Schema.optionalKey(Schema.String.annotate({ description: "Only artifacts of this name." }))
const actions = (level: "read" | "write") => [[{ target: "repository", category: "actions", level }]] as const
const reads = { public: true, permission: actions("read"), privateScopes: ["repo"] } as const

/** Endpoints of artifacts. */
export class Artifacts extends Group.make("artifacts", () => [
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/actions/artifacts", {
    params: repositoryPath,
    query: { name, ...pageQuery },
    success: Paged(ArtifactList),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/list-artifacts-for-repo",
      summary: "List artifacts of a repository",
      words: "builds, build results",
      command: "list",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/actions/artifacts/:artifact_id", {
    params: artifactPath,
    success: Artifact,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "actions/get-artifact", summary: "Get an artifact", ...reads })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/actions/artifacts/:artifact_id", {
    params: artifactPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/delete-artifact",
      summary: "Delete an artifact",
      permission: actions("write"),
      scopes: ["repo"],
      privateScopes: ["repo"]
    })
  ),
  HttpApiEndpoint.get("download", "/repos/:owner/:repo/actions/artifacts/:artifact_id/:archive_format", {
    params: { ...artifactPath, archive_format: Schema.String.annotate({ description: "`zip`." }) },
    success: FileRedirect,
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/download-artifact",
      summary: "Download an artifact",
      words: "save artifact, verify digest",
      description: "Redirects to a zip file. The URL expires after one minute and needs no token.",
      public: false,
      permission: actions("read"),
      scopes: ["repo"],
      privateScopes: ["repo"]
    })
  ),
  HttpApiEndpoint.get("listForWorkflowRun", "/repos/:owner/:repo/actions/runs/:run_id/artifacts", {
    params: { ...repositoryPath, run_id: Schema.Int.annotate({ description: "Id of the workflow run." }) },
    query: {
      name,
      direction: Schema.optionalKey(
        Schema.Literals(["asc", "desc"]).annotate({ description: "Order by age; desc by default." })
      ),
      ...pageQuery
    },
    success: Paged(ArtifactList),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/list-workflow-run-artifacts",
      summary: "List artifacts of a workflow run",
      command: "list-for-run",
      ...reads,
      paging: "page"
    })
  )
]) {}
