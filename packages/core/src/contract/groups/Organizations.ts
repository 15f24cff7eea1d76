/** Organizations, modeled on GitHub's REST API, because the specification names only the URLs of organizations. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Timestamp, UserId } from "../Scalars.ts"

const presentation = Presentation.of({
  columns: { LOGIN: "login", ID: "id", DESCRIPTION: "description" },
  arguments: { org: "login" }
})

/** An organization in a list. URL fields may be URI templates. */
export const OrganizationSummary = Schema.Struct({
  login: Schema.String,
  id: UserId,
  node_id: Schema.String,
  url: Schema.String,
  repos_url: Schema.String,
  events_url: Schema.String,
  hooks_url: Schema.String,
  issues_url: Schema.String,
  members_url: Schema.String,
  public_members_url: Schema.String,
  avatar_url: Schema.String,
  description: Schema.NullOr(Schema.String)
}).annotate({
  identifier: "OrganizationSummary",
  ...presentation
})
export type OrganizationSummary = typeof OrganizationSummary.Type

/** An organization with its profile. */
export const Organization = Schema.Struct({
  ...OrganizationSummary.fields,
  name: Schema.optionalKey(Schema.NullOr(Schema.String)),
  company: Schema.optionalKey(Schema.NullOr(Schema.String)),
  blog: Schema.optionalKey(Schema.NullOr(Schema.String)),
  location: Schema.optionalKey(Schema.NullOr(Schema.String)),
  email: Schema.optionalKey(Schema.NullOr(Schema.String)),
  public_repos: Schema.Int,
  public_gists: Schema.Int,
  followers: Schema.Int,
  following: Schema.Int,
  html_url: Schema.String,
  type: Schema.String,
  has_organization_projects: Schema.Boolean,
  has_repository_projects: Schema.Boolean,
  created_at: Timestamp,
  updated_at: Timestamp,
  archived_at: Schema.optionalKey(Schema.NullOr(Timestamp))
}).annotate({ identifier: "Organization", ...presentation })
export type Organization = typeof Organization.Type

/** Endpoints of organizations. */
export class Organizations extends Group.make("organizations", () => [
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/orgs", {
    query: pageQuery,
    success: Paged(Schema.Array(OrganizationSummary))
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-for-authenticated-user",
      summary: "List the signed-in user's organizations",
      command: "mine",
      scopes: ["read:org", "user"],
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/orgs/:org", {
    params: organizationPath,
    success: Organization,
    error: notFound
  }).annotateMerge(Operation.annotations({ operationId: "orgs/get", summary: "Get an organization", public: true }))
]) {}
