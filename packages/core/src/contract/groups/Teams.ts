/** Teams of organizations. Members of a team have the roles of the teams above it. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, repositoryPath, teamPath } from "../Parameters.ts"
import { Team, TeamFull } from "./Team.ts"

/** Annotations of an operation on the members and teams of an organization. */
export const organizationPeople = (access: Operation.Access, level: "read" | "write") =>
  ({
    permission: [[{ target: "organization", category: "members", level }]],
    scopes: [level === "read" ? "read:org" : "write:org"],
    access
  }) as const // literal types

const privacy = Schema.optionalKey(
  Schema.Literals(["secret", "closed"]).annotate({
    description:
      "`secret`: only owners and members of the team see it; `closed`: all members of the organization. A nested team, or one with child teams, is closed."
  })
)

const notificationSetting = Schema.optionalKey(
  Schema.Literals(["notifications_enabled", "notifications_disabled"]).annotate({
    description: "Whether members get a notification when the team is mentioned."
  })
)

const parent = {
  parent_team_slug: Schema.optionalKey(
    Schema.NullOr(Schema.String.annotate({ description: "Slug of the parent team, unless `parent_team_id` is given." }))
  ),
  parent_team_id: Schema.optionalKey(
    Schema.NullOr(Schema.Int.annotate({ description: "Id of the parent team; null for none." }))
  )
}

const texts = (description: string) => Schema.optionalKey(Schema.Array(Schema.String).annotate({ description }))

/** The members of a new team. */
export const NewTeam = Schema.Struct({
  name: Schema.String.annotate({ description: "Name, from which the slug is made." }),
  description: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ description: "What the team does." }))),
  privacy,
  notification_setting: notificationSetting,
  ...parent,
  maintainers: texts("Logins of members of the organization who maintain the team."),
  repo_names: texts("Full names of repositories to add to the team."),
  permission: Schema.optionalKey(
    Schema.Literals(["pull", "push"]).annotate({ description: "Permission on these repositories; `pull` by default." })
  )
}).annotate({ identifier: "NewTeam" })
export type NewTeam = typeof NewTeam.Type

/** Changes of a team. A missing member keeps the present value. */
export const TeamChange = Schema.Struct({
  name: Schema.optionalKey(Schema.String.annotate({ description: "New name, which also changes the slug." })),
  description: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ description: "What the team does." }))),
  privacy,
  notification_setting: notificationSetting,
  ...parent,
  permission: Schema.optionalKey(
    Schema.Literals(["pull", "push", "admin"]).annotate({ description: "Without effect." })
  )
}).annotate({ identifier: "TeamChange" })
export type TeamChange = typeof TeamChange.Type

/** Endpoints of teams. */
export class Teams extends Group.make("teams", () => [
  HttpApiEndpoint.get("list", "/orgs/:org/teams", {
    params: organizationPath,
    query: {
      ...pageQuery,
      team_type: Schema.optionalKey(
        Schema.Literals(["all", "enterprise", "organization"]).annotate({
          description: "Teams of the organization or of its enterprise; all by default."
        })
      )
    },
    success: Paged(Schema.Array(Team)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/list",
      summary: "List teams of an organization",
      ...organizationPeople("write", "read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/orgs/:org/teams", {
    params: organizationPath,
    payload: NewTeam,
    success: TeamFull.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/create",
      summary: "Create a team",
      words: "new team, group of people",
      description: "The creator maintains the team.",
      ...organizationPeople("write", "write"),
      exposure: {
        gives: "access",
        consequence: "Members of the team, and of the teams below its parent, get access to its repositories."
      }
    })
  ),
  HttpApiEndpoint.get("get", "/orgs/:org/teams/:team_slug", {
    params: teamPath,
    success: TeamFull,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/get-by-name",
      summary: "Get a team",
      ...organizationPeople("read", "read")
    })
  ),
  HttpApiEndpoint.patch("update", "/orgs/:org/teams/:team_slug", {
    params: teamPath,
    payload: TeamChange,
    success: TeamFull,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/update-in-org",
      summary: "Change a team",
      words: "rename, move",
      description: "For owners of the organization and maintainers of the team. Members get the roles of a new parent.",
      ...organizationPeople("write", "write"),
      // A new name changes the path, and the parent is no member of the result.
      reversible: { except: { name: "any", parent_team_id: "any", parent_team_slug: "any" } },
      exposure: { gives: "access", consequence: "Members of the team get access to the repositories of its parent." }
    })
  ),
  HttpApiEndpoint.delete("delete", "/orgs/:org/teams/:team_slug", {
    params: teamPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/delete-in-org",
      summary: "Delete a team",
      description: "For owners of the organization and maintainers of the team. Also deletes its child teams.",
      ...organizationPeople("write", "write")
    })
  ),
  HttpApiEndpoint.get("listChildren", "/orgs/:org/teams/:team_slug/teams", {
    params: teamPath,
    query: pageQuery,
    success: Paged(Schema.Array(Team)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/list-child-in-org",
      summary: "List child teams of a team",
      words: "nested teams",
      ...organizationPeople("read", "read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/teams", {
    query: pageQuery,
    success: Paged(Schema.Array(TeamFull)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/list-for-authenticated-user",
      summary: "List the signed-in user's teams",
      words: "my teams",
      command: "mine",
      scopes: ["user", "repo", "read:org"],
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/teams", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(Team)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-teams",
      summary: "List teams with access to a repository",
      words: "who has access",
      permission: [[{ target: "repository", category: "administration", level: "read" }]],
      scopes: ["public_repo", "repo"],
      privateScopes: ["repo"],
      paging: "page"
    })
  )
]) {}
