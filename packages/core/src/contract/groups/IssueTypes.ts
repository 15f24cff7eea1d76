/** Types of issues, such as Bug, which an organization defines for its repositories. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { readsIssues } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import { organizationPath, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Timestamp } from "../Scalars.ts"

const colors = ["gray", "blue", "green", "yellow", "orange", "red", "pink", "purple"] as const // literal types

/** A type of issues. Its name is unique in the organization. */
export const IssueType = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  color: Schema.optionalKey(Schema.NullOr(openEnum(colors))),
  created_at: Schema.optionalKey(Timestamp),
  updated_at: Schema.optionalKey(Timestamp),
  is_enabled: Schema.optionalKey(Schema.Boolean)
}).annotate({
  identifier: "IssueType",
  ...Presentation.of({
    columns: { ID: "id", NAME: "name", COLOR: "color", ENABLED: "is_enabled", DESCRIPTION: "description" },
    title: "name",
    inline: true,
    arguments: { issue_type_id: "id" }
  })
})
export type IssueType = typeof IssueType.Type

/** The members of a type of issues. */
export const NewIssueType = Schema.Struct({
  name: Schema.String.annotate({ description: "Name, unique in the organization." }),
  is_enabled: Schema.Boolean.annotate({ description: "False for a type that new issues cannot have." }),
  description: Schema.optionalKey(
    Schema.NullOr(Schema.String.annotate({ description: "What issues of this type are." }))
  ),
  color: Schema.optionalKey(Schema.NullOr(Schema.Literals(colors).annotate({ description: "Color of the type." })))
}).annotate({ identifier: "NewIssueType" })
export type NewIssueType = typeof NewIssueType.Type

const typePath = {
  ...organizationPath,
  issue_type_id: Schema.Int.annotate({ description: "Id of the type." })
}

const administers = {
  access: "administer",
  permission: [[{ target: "organization", category: "issue_types", level: "write" }]],
  scopes: ["admin:org"]
} as const // literal types

/** Endpoints of the types of issues. */
export class IssueTypes extends Group.make("issueTypes", () => [
  HttpApiEndpoint.get("listForOrg", "/orgs/:org/issue-types", {
    params: organizationPath,
    success: Schema.Array(IssueType),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-issue-types",
      summary: "List the types of issues of an organization",
      command: "list",
      permission: [[{ target: "organization", category: "issue_types", level: "read" }]],
      scopes: ["read:org", "write:org", "admin:org"]
    })
  ),
  HttpApiEndpoint.post("createForOrg", "/orgs/:org/issue-types", {
    params: organizationPath,
    payload: NewIssueType,
    success: IssueType,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/create-issue-type",
      summary: "Create a type of issues",
      command: "create",
      ...administers
    })
  ),
  HttpApiEndpoint.put("updateForOrg", "/orgs/:org/issue-types/:issue_type_id", {
    params: typePath,
    payload: NewIssueType,
    success: IssueType,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/update-issue-type",
      summary: "Update a type of issues",
      command: "update",
      ...administers
    })
  ),
  HttpApiEndpoint.delete("deleteForOrg", "/orgs/:org/issue-types/:issue_type_id", {
    params: typePath,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/delete-issue-type",
      summary: "Delete a type of issues",
      command: "delete",
      description: "Issues of this type then have none.",
      ...administers
    })
  ),
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/issue-types", {
    params: repositoryPath,
    success: Schema.Array(IssueType),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-issue-types",
      summary: "List the types of issues of a repository",
      command: "list-for-repository",
      ...readsIssues
    })
  )
]) {}
