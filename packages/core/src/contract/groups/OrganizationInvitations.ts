/** Pending invitations to organizations. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Timestamp } from "../Scalars.ts"
import { Team } from "./Team.ts"
import { organizationPeople } from "./Teams.ts"
import { UserSummary } from "./User.ts"

/** An invitation to an organization. It expires after seven days. */
export const OrganizationInvitation = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  login: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  role: openEnum(["admin", "direct_member", "billing_manager"]),
  created_at: Timestamp,
  failed_at: Schema.optionalKey(Schema.NullOr(Schema.String)),
  failed_reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  inviter: UserSummary,
  team_count: Schema.Int,
  invitation_teams_url: Schema.String,
  invitation_source: Schema.optionalKey(openEnum(["member"]))
}).annotate({
  identifier: "OrganizationInvitation",
  ...Presentation.of({
    columns: {
      ID: "id",
      LOGIN: "login",
      ROLE: "role",
      TEAMS: "team_count",
      INVITER: "inviter.login",
      CREATED: "created_at"
    },
    title: "login",
    arguments: { "organizationInvitations.invitation_id": "id" }
  })
})
export type OrganizationInvitation = typeof OrganizationInvitation.Type

const invitationPath = {
  ...organizationPath,
  invitation_id: Schema.Int.annotate({ description: "Id of the invitation." })
}

/** Endpoints of invitations to organizations. */
export class OrganizationInvitations extends Group.make("organizationInvitations", () => [
  HttpApiEndpoint.get("list", "/orgs/:org/invitations", {
    params: organizationPath,
    query: {
      ...pageQuery,
      role: Schema.optionalKey(
        Schema.Literals(["all", "admin", "direct_member", "billing_manager", "hiring_manager"]).annotate({
          description: "Only invitations with this role; all by default."
        })
      ),
      invitation_source: Schema.optionalKey(
        Schema.Literals(["all", "member", "scim"]).annotate({
          description: "Only invitations by a member or by a program; all by default."
        })
      )
    },
    success: Paged(Schema.Array(OrganizationInvitation)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-pending-invitations",
      summary: "List pending invitations to an organization",
      ...organizationPeople("administer", "read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/orgs/:org/invitations", {
    params: organizationPath,
    payload: Schema.Struct({
      invitee_id: Schema.optionalKey(Schema.Int.annotate({ description: "Id of the account, unless `email`." })),
      email: Schema.optionalKey(Schema.String.annotate({ description: "Email address of the account." })),
      role: Schema.optionalKey(
        Schema.Literals(["admin", "direct_member"]).annotate({
          description: "`admin`: an owner; `direct_member` by default."
        })
      ),
      team_ids: Schema.optionalKey(
        Schema.Array(Schema.Int).annotate({ description: "Ids of teams that the account joins." })
      )
    }),
    success: OrganizationInvitation.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/create-invitation",
      summary: "Invite an account to an organization",
      words: "add member",
      ...organizationPeople("administer", "write"),
      exposure: { gives: "access", consequence: "The account gets access to the organization when it accepts." }
    })
  ),
  HttpApiEndpoint.delete("cancel", "/orgs/:org/invitations/:invitation_id", {
    params: invitationPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/cancel-invitation",
      summary: "Cancel an invitation to an organization",
      ...organizationPeople("administer", "write")
    })
  ),
  HttpApiEndpoint.get("listTeams", "/orgs/:org/invitations/:invitation_id/teams", {
    params: invitationPath,
    query: pageQuery,
    success: Paged(Schema.Array(Team)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-invitation-teams",
      summary: "List the teams of an invitation",
      ...organizationPeople("administer", "read"),
      paging: "page"
    })
  )
]) {}
