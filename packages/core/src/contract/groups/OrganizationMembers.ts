/** Members of organizations. Each decides whether everyone sees the membership. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, usernamePath } from "../Parameters.ts"
import { Member } from "./Member.ts"
import { organizationPeople } from "./Teams.ts"

const memberPath = { ...organizationPath, ...usernamePath }
const success = HttpApiSchema.NoContent

/** Access rules of an operation on the own membership. */
const own = { permission: [], scopes: ["write:org"], access: "write" } as const // literal types

/** Query parameter: members by their two-factor authentication. */
export const twoFactorFilter = Schema.optionalKey(
  Schema.Literals(["2fa_disabled", "2fa_insecure", "all"]).annotate({
    description: "Only accounts without secure two-factor authentication, for owners; all by default."
  })
)

/** Endpoints of members. */
export class OrganizationMembers extends Group.make("organizationMembers", () => [
  HttpApiEndpoint.get("list", "/orgs/:org/members", {
    params: organizationPath,
    query: {
      filter: twoFactorFilter,
      role: Schema.optionalKey(
        Schema.Literals(["all", "admin", "member"]).annotate({ description: "`admin`: owners; all by default." })
      ),
      ...pageQuery
    },
    success: Paged(Schema.Array(Member)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-members",
      summary: "List members of an organization",
      description: "Members see all, others only public members.",
      words: "people, owners",
      public: true,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("check", "/orgs/:org/members/:username", {
    params: memberPath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/check-membership-for-user",
      summary: "Check if an account is a member of an organization",
      answers: { yes: "{username} is a member of {org}", no: "{username} is not a member of {org}" },
      public: true
    })
  ),
  HttpApiEndpoint.delete("remove", "/orgs/:org/members/:username", {
    params: memberPath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/remove-member",
      summary: "Remove a member from an organization",
      description: "The account loses its teams, and the roles and assignments in all repositories.",
      ...organizationPeople("administer", "write")
    })
  ),
  HttpApiEndpoint.get("listPublic", "/orgs/:org/public_members", {
    params: organizationPath,
    query: pageQuery,
    success: Paged(Schema.Array(Member)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-public-members",
      summary: "List public members of an organization",
      public: true,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("checkPublic", "/orgs/:org/public_members/:username", {
    params: memberPath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/check-public-membership-for-user",
      summary: "Check if an account is a public member of an organization",
      answers: { yes: "{username} is a public member of {org}", no: "{username} is not a public member of {org}" },
      public: true
    })
  ),
  HttpApiEndpoint.put("setPublic", "/orgs/:org/public_members/:username", {
    params: memberPath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/set-public-membership-for-authenticated-user",
      summary: "Make the own membership public",
      words: "publicize, show membership",
      ...own,
      effect: "create",
      idempotent: true,
      exposure: { gives: "data", consequence: "Everyone sees that {username|the account} is a member." }
    })
  ),
  HttpApiEndpoint.delete("removePublic", "/orgs/:org/public_members/:username", {
    params: memberPath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/remove-public-membership-for-authenticated-user",
      summary: "Hide the own membership",
      words: "conceal, private membership",
      ...own,
      reversible: true
    })
  )
]) {}
