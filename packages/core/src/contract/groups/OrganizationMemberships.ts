/** Memberships in organizations: the role of an account, active or pending until the account accepts. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, usernamePath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum } from "../Scalars.ts"
import { OrganizationSummary } from "./Organizations.ts"
import { organizationPeople } from "./Teams.ts"
import { UserSummary } from "./User.ts"

/** The membership of an account in an organization. The role `admin` is that of owners. */
export const OrganizationMembership = Schema.Struct({
  url: Schema.String,
  state: openEnum(["active", "pending"]),
  role: openEnum(["admin", "member", "billing_manager"]),
  organization_url: Schema.String,
  organization: OrganizationSummary,
  user: Schema.NullOr(UserSummary)
}).annotate({
  identifier: "OrganizationMembership",
  ...Presentation.of({
    columns: { ORGANIZATION: "organization.login", USER: "user.login", ROLE: "role", STATE: "state" },
    identity: ["organization.login"],
    arguments: { org: "organization.login", username: "user.login" }
  })
})
export type OrganizationMembership = typeof OrganizationMembership.Type

const memberPath = { ...organizationPath, ...usernamePath }

/** Access rules of an operation on the signed-in user's memberships. */
const own = (level: "read" | "write") =>
  ({ permission: [], scopes: level === "read" ? ["read:org", "user"] : ["write:org"] }) as const // literal types

/** Endpoints of memberships. */
export class OrganizationMemberships extends Group.make("organizationMemberships", () => [
  HttpApiEndpoint.get("get", "/orgs/:org/memberships/:username", {
    params: memberPath,
    success: OrganizationMembership,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/get-membership-for-user",
      summary: "Get the role of an account in an organization",
      ...organizationPeople("write", "read")
    })
  ),
  HttpApiEndpoint.put("set", "/orgs/:org/memberships/:username", {
    params: memberPath,
    payload: Schema.Struct({
      role: Schema.optionalKey(
        Schema.Literals(["admin", "member"]).annotate({ description: "`admin`: an owner; `member` by default." })
      )
    }),
    success: OrganizationMembership,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/set-membership-for-user",
      summary: "Invite an account to an organization, or change its role",
      words: "add member, promote to owner",
      description: "An account that is no member is invited, and the membership is pending until it accepts.",
      ...organizationPeople("administer", "write"),
      effect: "create",
      idempotent: true,
      exposure: { gives: "access", consequence: "{username|The account} gets access to the organization." }
    })
  ),
  HttpApiEndpoint.delete("remove", "/orgs/:org/memberships/:username", {
    params: memberPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/remove-membership-for-user",
      summary: "Remove an account from an organization, or cancel its invitation",
      words: "leave organization",
      description: "Owners remove anyone, members themselves. The account loses its teams, roles and assignments.",
      ...organizationPeople("write", "write")
    })
  ),
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/memberships/orgs", {
    query: {
      state: Schema.optionalKey(
        Schema.Literals(["active", "pending"]).annotate({ description: "Only memberships in this state." })
      ),
      ...pageQuery
    },
    success: Paged(Schema.Array(OrganizationMembership)),
    error: [validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-memberships-for-authenticated-user",
      summary: "List the signed-in user's memberships and invitations",
      words: "my invitations to organizations",
      command: "mine",
      ...own("read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("getForAuthenticatedUser", "/user/memberships/orgs/:org", {
    params: organizationPath,
    success: OrganizationMembership,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/get-membership-for-authenticated-user",
      summary: "Get the signed-in user's role in an organization",
      command: "get-own",
      ...own("read")
    })
  ),
  HttpApiEndpoint.patch("updateForAuthenticatedUser", "/user/memberships/orgs/:org", {
    params: organizationPath,
    payload: Schema.Struct({ state: Schema.Literals(["active"]).annotate({ description: "`active` accepts." }) }),
    success: OrganizationMembership,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/update-membership-for-authenticated-user",
      summary: "Accept an invitation to an organization",
      words: "join organization",
      command: "accept",
      ...own("write"),
      reversible: false
    })
  )
]) {}
