/** Statuses of commits, which external services such as continuous integration report. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { commitRefPath, pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { ExternalUrl, ObjectId, openEnum, Timestamp } from "../Scalars.ts"
import { RepositorySummary } from "./Repository.ts"
import { UserSummary } from "./User.ts"

/** The states of a status. */
export const statusStates = ["error", "failure", "pending", "success"] as const // literal types

const shared = {
  url: Schema.String,
  avatar_url: Schema.NullOr(Schema.String),
  id: Schema.Int,
  node_id: Schema.String,
  state: openEnum(statusStates),
  description: Schema.NullOr(Schema.String),
  target_url: Schema.NullOr(ExternalUrl),
  /** Name that tells apart the statuses of several services. */
  context: Schema.String,
  created_at: Timestamp,
  updated_at: Timestamp
}

const presentation = {
  columns: { ID: "id", CONTEXT: "context", STATE: "state", CREATED: "created_at", DESCRIPTION: "description" },
  title: "context",
  identity: ["id"]
}

/** The commit is the end of the address. */
const given = { "statuses.context": "context", sha: { path: "url", pattern: "([^/]+)$" } }

/** A status of a commit. */
export const Status = Schema.Struct({
  ...shared,
  /** Null if the account was deleted. */
  creator: Schema.NullOr(UserSummary)
}).annotate({
  identifier: "Status",
  ...Presentation.of({ ...presentation, arguments: { ...given, username: "creator.login" } })
})
export type Status = typeof Status.Type

/** The newest status of a context. */
export const CurrentStatus = Schema.Struct(shared).annotate({
  identifier: "CurrentStatus",
  ...Presentation.of({ ...presentation, arguments: given })
})
export type CurrentStatus = typeof CurrentStatus.Type

/** The newest statuses of all contexts, and the state that follows from them. */
export const CombinedStatus = Schema.Struct({
  /** `failure` if any status is a failure or an error; otherwise `pending` if any is pending or no status exists; otherwise `success`. */
  state: openEnum(["failure", "pending", "success"]),
  statuses: Schema.Array(CurrentStatus),
  sha: ObjectId,
  total_count: Schema.Int,
  repository: RepositorySummary,
  commit_url: Schema.String,
  url: Schema.String
}).annotate({ identifier: "CombinedStatus" })
export type CombinedStatus = typeof CombinedStatus.Type

const permission = (level: "read" | "write") => [[{ target: "repository", category: "statuses", level }]] as const // a literal type
const reads = { public: true, permission: permission("read"), privateScopes: ["repo"] }

/** Endpoints of statuses. */
export class Statuses extends Group.make("statuses", () => [
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/statuses/:sha", {
    params: { ...repositoryPath, sha: Schema.String.annotate({ description: "Id of the commit." }) },
    payload: Schema.Struct({
      state: Schema.Literals(statusStates).annotate({ description: "The state." }),
      target_url: Schema.optionalKey(
        Schema.NullOr(Schema.String).annotate({ description: "URL of the details, for example of the log." })
      ),
      description: Schema.optionalKey(
        Schema.NullOr(Schema.String).annotate({ description: "Short text of up to 140 characters." })
      ),
      context: Schema.optionalKey(
        Schema.String.annotate({ description: "Name of the service and its check, `default` by default." })
      )
    }),
    success: Status.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-commit-status",
      summary: "Set the status of a commit",
      words: "report, continuous integration, CI, build",
      permission: permission("write"),
      scopes: ["public_repo", "repo:status", "repo"],
      privateScopes: ["repo"]
    })
  ),
  HttpApiEndpoint.get("listForRef", "/repos/:owner/:repo/commits/:ref/statuses", {
    params: commitRefPath,
    query: pageQuery,
    success: Paged(Schema.Array(Status)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-commit-statuses-for-ref",
      summary: "List the statuses of a commit",
      description: "All statuses that were set, the newest first.",
      command: "list",
      ...reads,
      rest: true,
      alsoAt: "/repos/:owner/:repo/statuses/:ref",
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("getCombinedForRef", "/repos/:owner/:repo/commits/:ref/status", {
    params: commitRefPath,
    query: pageQuery,
    success: Paged(CombinedStatus),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-combined-status-for-ref",
      summary: "Get the combined status of a commit",
      words: "CI, passed, failed",
      description: "The newest status of each context.",
      command: "combined",
      ...reads,
      rest: true,
      paging: "page"
    })
  )
]) {}
