/** Members of teams. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, teamPath, usernamePath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum } from "../Scalars.ts"
import { Member } from "./Member.ts"
import { organizationPeople } from "./Teams.ts"

/** The membership of an account in a team. It is pending until the account joins the organization. */
export const TeamMembership = Schema.Struct({
  url: Schema.String,
  role: openEnum(["member", "maintainer"]),
  state: openEnum(["active", "pending"])
}).annotate({ identifier: "TeamMembership", ...Presentation.of({ columns: { ROLE: "role", STATE: "state" } }) })
export type TeamMembership = typeof TeamMembership.Type

const memberPath = { ...teamPath, ...usernamePath }

/** Endpoints of members of teams. */
export class TeamMembers extends Group.make("teamMembers", () => [
  HttpApiEndpoint.get("list", "/orgs/:org/teams/:team_slug/members", {
    params: teamPath,
    query: {
      role: Schema.optionalKey(
        Schema.Literals(["member", "maintainer", "all"]).annotate({
          description: "Only accounts with this role; all by default."
        })
      ),
      ...pageQuery
    },
    success: Paged(Schema.Array(Member)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/list-members-in-org",
      summary: "List members of a team",
      description: "Includes the members of child teams.",
      words: "people of a team",
      ...organizationPeople("read", "read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/orgs/:org/teams/:team_slug/memberships/:username", {
    params: memberPath,
    success: TeamMembership,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/get-membership-for-user-in-org",
      summary: "Get the role of an account in a team",
      ...organizationPeople("read", "read")
    })
  ),
  HttpApiEndpoint.put("add", "/orgs/:org/teams/:team_slug/memberships/:username", {
    params: memberPath,
    payload: Schema.Struct({
      role: Schema.optionalKey(
        Schema.Literals(["member", "maintainer"]).annotate({ description: "`member` by default." })
      )
    }),
    success: TeamMembership,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/add-or-update-membership-for-user-in-org",
      summary: "Add an account to a team, or change its role",
      words: "join team, promote",
      description: "For owners of the organization and maintainers of the team.",
      ...organizationPeople("write", "write"),
      effect: "create",
      idempotent: true,
      exposure: { gives: "access", consequence: "{username|The account} gets access to the repositories of the team." }
    })
  ),
  HttpApiEndpoint.delete("remove", "/orgs/:org/teams/:team_slug/memberships/:username", {
    params: memberPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/remove-membership-for-user-in-org",
      summary: "Remove an account from a team",
      words: "leave team",
      description: "Owners and maintainers remove anyone, others themselves. Unassigns the account from issues.",
      ...organizationPeople("write", "write")
    })
  )
]) {}
