/** Accounts: the summary in other resources, and the profile. */
import * as Schema from "effect/Schema"
import * as Presentation from "../Presentation.ts"
import { matchFields, pageFields } from "../SearchPage.ts"
import { OpaqueId, openEnum, Timestamp, UserId } from "../Scalars.ts"

const account = {
  columns: { LOGIN: "login", ID: "id", TYPE: "type" },
  arguments: {
    username: "login",
    assignee: "login",
    target_user: "login",
    user_id: "id",
    account_id: "id",
    org: { path: "login", when: { type: "Organization" } }
  }
}

/** The summary of an account in other resources. URL fields may be URI templates. */
export const UserSummary = Schema.Struct({
  login: Schema.String,
  id: UserId,
  node_id: Schema.String,
  avatar_url: Schema.String,
  avatar_service_id: Schema.NullOr(OpaqueId),
  url: Schema.String,
  html_url: Schema.String,
  followers_url: Schema.String,
  following_url: Schema.String,
  gists_url: Schema.String,
  starred_url: Schema.String,
  subscriptions_url: Schema.String,
  organizations_url: Schema.String,
  repos_url: Schema.String,
  events_url: Schema.String,
  received_events_url: Schema.String,
  type: openEnum(["User", "Organization", "Bot"]),
  site_admin: Schema.Boolean
}).annotate({ identifier: "UserSummary", ...Presentation.of({ ...account, inline: true }) })
export type UserSummary = typeof UserSummary.Type

/** An account with its profile. */
export const User = Schema.Struct({
  ...UserSummary.fields,
  name: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  blog: Schema.NullOr(Schema.String),
  location: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  hireable: Schema.NullOr(Schema.Boolean),
  bio: Schema.NullOr(Schema.String),
  twitter_username: Schema.optionalKey(Schema.NullOr(Schema.String)),
  public_repos: Schema.Int,
  public_gists: Schema.Int,
  followers: Schema.Int,
  following: Schema.Int,
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Only in the response for a suspended account, which cannot sign in. */
  suspended_at: Schema.optionalKey(Schema.NullOr(Timestamp)),
  // The following members are only in the response to the owner of the account, with the `user` scope.
  two_factor_authentication: Schema.optionalKey(Schema.Boolean),
  private_gists: Schema.optionalKey(Schema.Int),
  total_private_repos: Schema.optionalKey(Schema.Int),
  owned_private_repos: Schema.optionalKey(Schema.Int),
  disk_usage: Schema.optionalKey(Schema.Int),
  collaborators: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "User", ...Presentation.of(account) })
export type User = typeof User.Type

/** A matching account. Some forges also send members of the profile. */
export const UserSearchItem = Schema.Struct({ ...UserSummary.fields, ...matchFields }).annotate({
  identifier: "UserSearchItem",
  ...Presentation.of({ ...account, opens: ["users.getByUsername"] })
})
export type UserSearchItem = typeof UserSearchItem.Type

/** A page of matching accounts. */
export const UserSearchResults = Schema.Struct(pageFields(UserSearchItem)).annotate({
  identifier: "UserSearchResults"
})
export type UserSearchResults = typeof UserSearchResults.Type
