/** Accounts. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, usernamePath } from "../Parameters.ts"
import { searchQuery } from "../SearchPage.ts"
import { userSorts } from "../SearchSorts.ts"
import { User, UserSearchResults, UserSummary } from "./User.ts"

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** Changes of the caller's profile. A missing member keeps the present value, an empty text removes it. */
export const ProfileChange = Schema.Struct({
  name: text("Name that people see."),
  email: text("Public email address: one of your verified addresses."),
  blog: text("URL of a web page."),
  twitter_username: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({ description: "Name on Twitter (X), without the at sign." })
  ),
  company: text("Company."),
  location: text("Place."),
  hireable: Schema.optionalKey(Schema.Boolean.annotate({ description: "True if you are looking for work." })),
  bio: text("What you write about yourself, at most 160 characters.")
}).annotate({ identifier: "ProfileChange" })
export type ProfileChange = typeof ProfileChange.Type

/** Operations of the administrators of the site. GitHub Enterprise Server has them at the same paths. */
const administration = {
  extension: true,
  access: "administer",
  permission: "refused",
  scopes: ["site_admin"]
} as const // literal types

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
  HttpApiEndpoint.patch("update", "/user", {
    payload: ProfileChange,
    success: User,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/update-authenticated",
      summary: "Change your profile",
      words: "bio, name, company, location",
      permission: [[{ target: "user", category: "profile", level: "write" }]],
      scopes: ["user"],
      notModified: true,
      exposure: {
        gives: "data",
        consequence: "Everyone sees this email address in your profile.",
        when: { values: { email: "any" } }
      }
    })
  ),
  HttpApiEndpoint.get("list", "/users", {
    query: {
      since: Schema.optionalKey(Schema.Int.annotate({ description: "Only accounts with a larger id." })),
      per_page: pageQuery.per_page
    },
    success: Paged(Schema.Array(UserSummary)),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list",
      summary: "List all users and organizations",
      words: "accounts",
      public: true,
      paging: "since"
    })
  ),
  HttpApiEndpoint.get("getByUsername", "/users/:username", {
    params: usernamePath,
    success: User,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/get-by-username",
      summary: "Get a user or an organization",
      command: "get",
      public: true
    })
  ),
  HttpApiEndpoint.get("getById", "/user/:account_id", {
    params: { account_id: Schema.Int.annotate({ description: "Id of the account." }) },
    success: User,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/get-by-id",
      summary: "Get a user or an organization by its id",
      public: true
    })
  ),
  HttpApiEndpoint.put("suspend", "/users/:username/suspended", {
    params: usernamePath,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      ...administration,
      summary: "Suspend a user",
      words: "disable account, lock out",
      description: "The tokens of the user are refused until the suspension ends.",
      effect: "create",
      idempotent: true
    })
  ),
  HttpApiEndpoint.delete("unsuspend", "/users/:username/suspended", {
    params: usernamePath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      ...administration,
      summary: "End the suspension of a user",
      words: "enable account",
      reversible: true,
      exposure: { gives: "access", consequence: "{username|The account} can do again what it could before." }
    })
  ),
  HttpApiEndpoint.delete("delete", "/admin/users/:username", {
    params: usernamePath,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      ...administration,
      summary: "Delete a user",
      words: "remove account, ghost",
      description: "What the user wrote stays, without an author. Fails while the user owns repositories."
    })
  ),
  HttpApiEndpoint.get("search", "/search/users", {
    query: searchQuery("ann location:oslo type:user", userSorts),
    success: Paged(UserSearchResults),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "search/users",
      summary: "Search users and organizations",
      words: "find accounts, find people",
      public: true,
      paging: "page",
      resource: "search",
      mediaTypes: ["text-match"]
    })
  )
]) {}
