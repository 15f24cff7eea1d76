/** Watched repositories: who is notified of all activity in a repository, and who of none. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath, usernamePath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Timestamp } from "../Scalars.ts"
import { MinimalRepository } from "./Repository.ts"
import { UserSummary } from "./User.ts"

/** The watching of a repository by the signed-in user. */
export const RepositorySubscription = Schema.Struct({
  /** True if the user is notified of all conversations. */
  subscribed: Schema.Boolean,
  /** True if the user is notified of nothing in the repository. */
  ignored: Schema.Boolean,
  reason: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  url: Schema.String,
  repository_url: Schema.String
}).annotate({
  identifier: "RepositorySubscription",
  ...Presentation.of({ columns: { SUBSCRIBED: "subscribed", IGNORED: "ignored", SINCE: "created_at" } })
})
export type RepositorySubscription = typeof RepositorySubscription.Type

const reads = { public: true, permission: [[Operation.metadataRead]], privateScopes: ["repo"] } as const // literal types

const own = {
  permission: [[Operation.metadataRead]],
  scopes: ["notifications", "repo"],
  privateScopes: ["repo"],
  access: "read"
} as const // literal types

/** Endpoints of watched repositories. */
export class Watching extends Group.make("watching", () => [
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/subscribers", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(UserSummary)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-watchers-for-repo",
      summary: "List the watchers of a repository",
      command: "list",
      words: "subscribers",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/subscription", {
    params: repositoryPath,
    success: RepositorySubscription,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/get-repo-subscription",
      summary: "Show if you watch a repository",
      answers: { no: "{owner}/{repo} is not watched" },
      ...own
    })
  ),
  HttpApiEndpoint.put("set", "/repos/:owner/:repo/subscription", {
    params: repositoryPath,
    payload: Schema.Struct({
      subscribed: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "Notify of all conversations in the repository." })
      ),
      ignored: Schema.optionalKey(Schema.Boolean.annotate({ description: "Notify of nothing in the repository." }))
    }),
    success: RepositorySubscription,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/set-repo-subscription",
      summary: "Watch or ignore a repository",
      words: "subscribe, mute",
      ...own,
      effect: "update"
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/subscription", {
    params: repositoryPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/delete-repo-subscription",
      summary: "Stop watching a repository",
      words: "unwatch, unsubscribe",
      ...own,
      reversible: true
    })
  ),
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/subscriptions", {
    query: pageQuery,
    success: Paged(Schema.Array(MinimalRepository))
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-watched-repos-for-authenticated-user",
      summary: "List the repositories that you watch",
      command: "mine",
      permission: [[{ target: "user", category: "watching", level: "read" }]],
      scopes: ["notifications", "repo"],
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForUser", "/users/:username/subscriptions", {
    params: usernamePath,
    query: pageQuery,
    success: Paged(Schema.Array(MinimalRepository)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-repos-watched-by-user",
      summary: "List the repositories that a user watches",
      public: true,
      permission: [[]],
      paging: "page"
    })
  )
]) {}
