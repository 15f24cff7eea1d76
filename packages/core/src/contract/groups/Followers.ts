/** Followers of users. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, usernamePath } from "../Parameters.ts"
import { UserSummary } from "./User.ts"

const followers = (level: "read" | "write") =>
  ({ permission: [[{ target: "user", category: "followers", level }]] }) as const // literal types
const writes = { ...followers("write"), scopes: ["user:follow"], notModified: true } as const // literal types

const accounts = Paged(Schema.Array(UserSummary))
const success = HttpApiSchema.NoContent

/** Endpoints of followers. */
export class Followers extends Group.make("followers", () => [
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/followers", {
    query: pageQuery,
    success: accounts
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-followers-for-authenticated-user",
      summary: "List your followers",
      words: "my followers",
      command: "mine",
      ...followers("read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listFollowedByAuthenticatedUser", "/user/following", {
    query: pageQuery,
    success: accounts
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-followed-by-authenticated-user",
      summary: "List whom you follow",
      words: "following",
      command: "list-own-following",
      ...followers("read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("check", "/user/following/:username", {
    params: usernamePath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/check-person-is-followed-by-authenticated",
      summary: "Check if you follow a user",
      answers: { yes: "You follow {username}", no: "You do not follow {username}" },
      ...followers("read")
    })
  ),
  HttpApiEndpoint.put("follow", "/user/following/:username", {
    params: usernamePath,
    success,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/follow",
      summary: "Follow a user",
      ...writes,
      effect: "create",
      idempotent: true
    })
  ),
  HttpApiEndpoint.delete("unfollow", "/user/following/:username", {
    params: usernamePath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/unfollow",
      summary: "Stop following a user",
      ...writes,
      reversible: true
    })
  ),
  HttpApiEndpoint.get("listForUser", "/users/:username/followers", {
    params: usernamePath,
    query: pageQuery,
    success: accounts,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-followers-for-user",
      summary: "List the followers of a user",
      command: "list",
      public: true,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listFollowedByUser", "/users/:username/following", {
    params: usernamePath,
    query: pageQuery,
    success: accounts,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-following-for-user",
      summary: "List whom a user follows",
      command: "list-following",
      public: true,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("checkForUser", "/users/:username/following/:target_user", {
    params: {
      ...usernamePath,
      target_user: Schema.String.annotate({ description: "Login of the user who may be followed." })
    },
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/check-following-for-user",
      summary: "Check if a user follows another",
      answers: { yes: "{username} follows {target_user}", no: "{username} does not follow {target_user}" },
      public: true
    })
  )
]) {}
