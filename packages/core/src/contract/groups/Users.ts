/** Accounts. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { User } from "./User.ts"

/** Endpoints of accounts. */
export class Users extends Group.make("users", () => [
  HttpApiEndpoint.get("getAuthenticated", "/user", { success: User }).annotateMerge(
    Operation.annotations({
      operationId: "users/get-authenticated",
      summary: "Get the signed-in user",
      words: "whoami, me",
      command: "me"
    })
  ),
  HttpApiEndpoint.get("getByUsername", "/users/:username", {
    params: { username: Schema.String.annotate({ description: "Login of the account." }) },
    success: User,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/get-by-username",
      summary: "Get a user or an organization",
      command: "get",
      public: true
    })
  )
]) {}
