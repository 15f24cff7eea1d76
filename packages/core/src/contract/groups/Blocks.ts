/** Users that the signed-in user blocks. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery } from "../Parameters.ts"
import { UserSummary } from "./User.ts"

const blocking = (level: "read" | "write") =>
  ({ permission: [[{ target: "user", category: "blocking", level }]], scopes: ["user"] }) as const
const params = { username: Schema.String.annotate({ description: "Login of the account." }) }
const success = HttpApiSchema.NoContent

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
  HttpApiEndpoint.get("checkBlocked", "/user/blocks/:username", { params, success, error: notFound }).annotateMerge(
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
    params,
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
  HttpApiEndpoint.delete("unblock", "/user/blocks/:username", { params, success, error: notFound }).annotateMerge(
    Operation.annotations({
      operationId: "users/unblock",
      summary: "Unblock a user",
      words: "unban, unblock account",
      ...blocking("write"),
      reversible: true,
      notModified: true
    })
  )
]) {}
