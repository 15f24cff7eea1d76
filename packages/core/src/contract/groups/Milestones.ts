/** Milestones of a repository: goals with a date, to which issues and pull requests belong. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { readsIssues, writesIssues } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { milestonePath, pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Timestamp } from "../Scalars.ts"
import { UserSummary } from "./User.ts"

/** A milestone. Its number is unique in the repository, its id in the forge. */
export const Milestone = Schema.Struct({
  url: Schema.String,
  html_url: Schema.String,
  labels_url: Schema.String,
  id: Schema.Int,
  node_id: Schema.String,
  number: Schema.Int,
  state: openEnum(["open", "closed"]),
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  /** Null if the account was deleted. */
  creator: Schema.NullOr(UserSummary),
  open_issues: Schema.Int,
  closed_issues: Schema.Int,
  created_at: Timestamp,
  updated_at: Timestamp,
  closed_at: Schema.NullOr(Timestamp),
  due_on: Schema.NullOr(Timestamp)
}).annotate({
  identifier: "Milestone",
  ...Presentation.of({
    columns: { NUMBER: "number", TITLE: "title", STATE: "state", OPEN: "open_issues", DUE: "due_on" },
    title: "title",
    identity: ["number"],
    arguments: { milestone_number: "number", username: "creator.login" }
  })
})
export type Milestone = typeof Milestone.Type

const state = Schema.optionalKey(Schema.Literals(["open", "closed"]).annotate({ description: "open by default." }))
const description = Schema.optionalKey(Schema.NullOr(Schema.String).annotate({ description: "What belongs to it." }))
/** A timestamp, or a date, which stands for its beginning in UTC. */
const due_on = Schema.optionalKey(
  Schema.NullOr(Schema.Union([Timestamp, Schema.String])).annotate({
    description: "When it is due, for example 2026-01-31 or 2026-01-31T12:00:00Z."
  })
)

/** The members of a new milestone. */
export const NewMilestone = Schema.Struct({
  title: Schema.String.annotate({ description: "Title, unique in the repository." }),
  state,
  description,
  due_on
}).annotate({ identifier: "NewMilestone" })
export type NewMilestone = typeof NewMilestone.Type

/** The members of a milestone to change. */
export const MilestoneUpdate = Schema.Struct({
  title: Schema.optionalKey(Schema.String.annotate({ description: "The new title, unique in the repository." })),
  state: Schema.optionalKey(Schema.Literals(["open", "closed"]).annotate({ description: "The new state." })),
  description,
  due_on
}).annotate({ identifier: "MilestoneUpdate" })
export type MilestoneUpdate = typeof MilestoneUpdate.Type

/** Endpoints of milestones. */
export class Milestones extends Group.make("milestones", () => [
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/milestones", {
    params: repositoryPath,
    query: {
      state: Schema.optionalKey(
        Schema.Literals(["open", "closed", "all"]).annotate({ description: "Only this state; open by default." })
      ),
      sort: Schema.optionalKey(
        Schema.Literals(["due_on", "completeness"]).annotate({ description: "due_on by default." })
      ),
      direction: Schema.optionalKey(Schema.Literals(["asc", "desc"]).annotate({ description: "asc by default." })),
      ...pageQuery
    },
    success: Paged(Schema.Array(Milestone)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-milestones",
      summary: "List milestones",
      command: "list",
      ...readsIssues,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/milestones", {
    params: repositoryPath,
    payload: NewMilestone,
    success: Milestone.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({ operationId: "issues/create-milestone", summary: "Create a milestone", ...writesIssues })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/milestones/:milestone_number", {
    params: milestonePath,
    success: Milestone,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "issues/get-milestone", summary: "Get a milestone", ...readsIssues })
  ),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/milestones/:milestone_number", {
    params: milestonePath,
    payload: MilestoneUpdate,
    success: Milestone,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({ operationId: "issues/update-milestone", summary: "Update a milestone", ...writesIssues })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/milestones/:milestone_number", {
    params: milestonePath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "issues/delete-milestone", summary: "Delete a milestone", ...writesIssues })
  )
]) {}
