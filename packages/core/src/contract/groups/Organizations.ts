/** Organizations, modeled on GitHub's REST API, because the specification names only the URLs of organizations. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, usernamePath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Timestamp, UserId } from "../Scalars.ts"

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

const basePermissions = ["read", "write", "admin", "none"] as const // literal types

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
  archived_at: Schema.optionalKey(Schema.NullOr(Timestamp)),
  // The following members are only in the responses to owners.
  default_repository_permission: Schema.optionalKey(Schema.NullOr(openEnum(basePermissions))),
  members_can_create_repositories: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
}).annotate({ identifier: "Organization", ...presentation })
export type Organization = typeof Organization.Type

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** Changes of an organization. A missing member keeps the present value. */
export const OrganizationChange = Schema.Struct({
  name: text("Name that people see."),
  description: text("What the organization does, at most 160 characters."),
  company: text("Name of the company."),
  location: text("Place of the organization."),
  email: text("Public email address."),
  blog: text("URL of the web page."),
  default_repository_permission: Schema.optionalKey(
    Schema.Literals(basePermissions).annotate({ description: "Permission of members on all repositories." })
  ),
  members_can_create_repositories: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "False if only owners create repositories." })
  )
}).annotate({ identifier: "OrganizationChange" })
export type OrganizationChange = typeof OrganizationChange.Type

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
  }).annotateMerge(Operation.annotations({ operationId: "orgs/get", summary: "Get an organization", public: true })),
  HttpApiEndpoint.patch("update", "/orgs/:org", {
    params: organizationPath,
    payload: OrganizationChange,
    success: Organization,
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/update",
      summary: "Change an organization",
      words: "base permission, settings",
      permission: [[{ target: "organization", category: "administration", level: "write" }]],
      scopes: ["admin:org", "repo"],
      access: "administer",
      exposure: {
        gives: "access",
        consequence: "All members get this permission on all repositories.",
        when: { values: { default_repository_permission: "any" } }
      }
    })
  ),
  HttpApiEndpoint.get("listForUser", "/users/:username/orgs", {
    params: usernamePath,
    query: pageQuery,
    success: Paged(Schema.Array(OrganizationSummary)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-for-user",
      summary: "List organizations of which a user is a public member",
      public: true,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listAll", "/organizations", {
    query: {
      since: Schema.optionalKey(Schema.Int.annotate({ description: "Only organizations with a larger id." })),
      per_page: pageQuery.per_page
    },
    success: Paged(Schema.Array(OrganizationSummary)),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list",
      summary: "List all organizations",
      public: true,
      paging: "since"
    })
  )
]) {}
