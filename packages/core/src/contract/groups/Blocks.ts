/** Users that the signed-in user, or an organization, blocks. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, usernamePath } from "../Parameters.ts"
import { UserSummary } from "./User.ts"

const blocking = (level: "read" | "write") =>
  ({ permission: [[{ target: "user", category: "blocking", level }]], scopes: ["user"] }) as const
const success = HttpApiSchema.NoContent

const ofOrganization = (level: "read" | "write") =>
  ({
    permission: [[{ target: "organization", category: "organization_user_blocking", level }]],
    scopes: ["admin:org"],
    access: "administer"
  }) as const // literal types
const organizationUserPath = { ...organizationPath, ...usernamePath }

/** Endpoints of blocked users. */
export class Blocks extends Group.make("blocks", () => [
  HttpApiEndpoint.get("listBlockedByAuthenticatedUser", "/user/blocks", {
    query: pageQuery,
    success: Paged(Schema.Array(UserSummary)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-blocked-by-authenticated-user",
      summary: "List blocked users",
      words: "banned, blocks",
      command: "list",
      ...blocking("read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("checkBlocked", "/user/blocks/:username", {
    params: usernamePath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/check-blocked",
      summary: "Check if a user is blocked",
      command: "check",
      description: "Fails with 404 if the user is not blocked.",
      answers: { yes: "{username} is blocked", no: "{username} is not blocked" },
      ...blocking("read")
    })
  ),
  HttpApiEndpoint.put("block", "/user/blocks/:username", {
    params: usernamePath,
    success,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/block",
      summary: "Block a user",
      words: "ban, block account",
      ...blocking("write"),
      effect: "create",
      idempotent: true,
      notModified: true
    })
  ),
  HttpApiEndpoint.delete("unblock", "/user/blocks/:username", {
    params: usernamePath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/unblock",
      summary: "Unblock a user",
      words: "unban, unblock account",
      ...blocking("write"),
      reversible: true,
      notModified: true
    })
  ),
  HttpApiEndpoint.get("listForOrg", "/orgs/:org/blocks", {
    params: organizationPath,
    query: pageQuery,
    success: Paged(Schema.Array(UserSummary)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-blocked-users",
      summary: "List users that an organization blocks",
      words: "banned, blocks",
      ...ofOrganization("read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("checkForOrg", "/orgs/:org/blocks/:username", {
    params: organizationUserPath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/check-blocked-user",
      summary: "Check if an organization blocks a user",
      answers: { yes: "{org} blocks {username}", no: "{org} does not block {username}" },
      ...ofOrganization("read")
    })
  ),
  HttpApiEndpoint.put("blockForOrg", "/orgs/:org/blocks/:username", {
    params: organizationUserPath,
    success,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/block-user",
      summary: "Block a user from an organization",
      words: "ban",
      ...ofOrganization("write"),
      effect: "create",
      idempotent: true
    })
  ),
  HttpApiEndpoint.delete("unblockForOrg", "/orgs/:org/blocks/:username", {
    params: organizationUserPath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/unblock-user",
      summary: "Unblock a user from an organization",
      words: "unban",
      ...ofOrganization("write"),
      reversible: true
    })
  )
]) {}
