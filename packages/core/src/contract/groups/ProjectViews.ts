/** Views of projects. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { organizationPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { UserSummary } from "./User.ts"
import { openEnum, Timestamp } from "../Scalars.ts"

/** Pairs of a field id and a direction, `asc` or `desc`. */
const SortBy = Schema.Array(Schema.Array(Schema.Union([Schema.Int, Schema.String])))
const Fields = Schema.Array(Schema.Int)

/** A view of a project. */
export const ProjectView = Schema.Struct({
  id: Schema.Int,
  number: Schema.Int,
  name: Schema.String,
  layout: openEnum(["table", "board", "roadmap"]),
  node_id: Schema.String,
  project_url: Schema.String,
  html_url: Schema.String,
  creator: UserSummary,
  created_at: Timestamp,
  updated_at: Timestamp,
  filter: Schema.optionalKey(Schema.NullOr(Schema.String)),
  visible_fields: Fields,
  sort_by: SortBy,
  group_by: Fields,
  vertical_group_by: Fields
}).annotate({
  identifier: "ProjectView",
  ...Presentation.of({
    columns: { NUMBER: "number", NAME: "name", LAYOUT: "layout", UPDATED: "updated_at" },
    title: "name"
  })
})
export type ProjectView = typeof ProjectView.Type

/** The view, or an object with the view as `value`: `wrappers` of the dialect decides. The client accepts both. */
export const CreatedProjectView = Schema.Union([Schema.Struct({ value: ProjectView }), ProjectView]).annotate({
  identifier: "CreatedProjectView"
})

const project_number = Schema.Int.annotate({ description: "Number of the project." })
const payload = Schema.Struct({
  name: Schema.String.annotate({ description: "Name of the view." }),
  layout: Schema.Literals(["table", "board", "roadmap"]).annotate({ description: "How the view shows the items." }),
  filter: Schema.optionalKey(Schema.String.annotate({ description: "A filter query." })),
  visible_fields: Schema.optionalKey(Fields.annotate({ description: "Ids of the fields to show." })),
  sort_by: Schema.optionalKey(SortBy.annotate({ description: "Pairs of a field id and asc or desc." })),
  group_by: Schema.optionalKey(Fields.annotate({ description: "Id of the field by which the items are grouped." })),
  vertical_group_by: Schema.optionalKey(
    Fields.annotate({ description: "Id of the field whose values are the columns of a board." })
  )
})
const success = CreatedProjectView.pipe(HttpApiSchema.status(201))
const error = [notFound, validationFailed] as const

/** Endpoints of project views. */
export class ProjectViews extends Group.make("projectViews", () => [
  HttpApiEndpoint.post("createForOrg", "/orgs/:org/projectsV2/:project_number/views", {
    params: { ...organizationPath, project_number },
    payload,
    success,
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "projects/create-view-for-org",
      summary: "Create a view in an organization's project",
      command: "create-for-organization",
      permission: [[{ target: "organization", category: "projects", level: "write" }]],
      scopes: ["project"],
      notModified: true
    })
  ),
  HttpApiEndpoint.post("createForUser", "/users/:user_id/projectsV2/:project_number/views", {
    params: { user_id: Schema.String.annotate({ description: "Id or login of the user." }), project_number },
    payload,
    success,
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "projects/create-view-for-user",
      summary: "Create a view in a user's project",
      permission: "refused",
      scopes: ["project"],
      notModified: true
    })
  )
]) {}
