/** Stars: repositories that accounts have starred, and the accounts that have starred a repository. */
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
import { Repository } from "./Repository.ts"
import { UserSummary } from "./User.ts"

/** A starred repository with the time of the star: the media type `star`. */
export const StarredRepository = Schema.Struct({ starred_at: Timestamp, repo: Repository }).annotate({
  identifier: "StarredRepository",
  ...Presentation.of({
    columns: { NAME: "repo.full_name", STARRED: "starred_at", DESCRIPTION: "repo.description" },
    arguments: { owner: "repo.owner.login", repo: "repo.name" }
  })
})
export type StarredRepository = typeof StarredRepository.Type

/** An account that has starred a repository, with the time of the star: the media type `star`. */
export const Stargazer = Schema.Struct({ starred_at: Timestamp, user: Schema.NullOr(UserSummary) }).annotate({
  identifier: "Stargazer",
  ...Presentation.of({
    columns: { LOGIN: "user.login", STARRED: "starred_at" },
    arguments: { username: "user.login" }
  })
})
export type Stargazer = typeof Stargazer.Type

const StargazerCount = Schema.Struct({ count: Schema.Int }).annotate({
  identifier: "StargazerCount",
  ...Presentation.of({ columns: { STARS: "count" } })
})

const starring = (level: "read" | "write") =>
  ({ permission: [[{ target: "user", category: "starring", level }]] }) as const // literal types
const writes = { ...starring("write"), scopes: ["public_repo", "repo"], access: "read" } as const // literal types

const starredQuery = {
  sort: Schema.optionalKey(
    Schema.Literals(["created", "updated"]).annotate({
      description: "`created` (the time of the star, the default) or `updated` (the last push)."
    })
  ),
  direction: Schema.optionalKey(
    Schema.Literals(["asc", "desc"]).annotate({ description: "Order; `desc` by default." })
  ),
  ...pageQuery
}
const starred = Paged(Schema.Array(Schema.Union([Repository, StarredRepository])))
const success = HttpApiSchema.NoContent

/** Endpoints of stars. */
export class Stars extends Group.make("stars", () => [
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/starred", {
    query: starredQuery,
    success: starred,
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-repos-starred-by-authenticated-user",
      summary: "List repositories that you starred",
      words: "favorites, bookmarks, my stars",
      command: "mine",
      ...starring("read"),
      mediaTypes: ["star"],
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("check", "/user/starred/:owner/:repo", {
    params: repositoryPath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/check-repo-is-starred-by-authenticated-user",
      summary: "Check if you starred a repository",
      answers: { yes: "{owner}/{repo} is starred", no: "{owner}/{repo} is not starred" },
      ...starring("read")
    })
  ),
  HttpApiEndpoint.put("star", "/user/starred/:owner/:repo", {
    params: repositoryPath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/star-repo-for-authenticated-user",
      summary: "Star a repository",
      words: "favorite, bookmark, like",
      ...writes,
      effect: "create",
      idempotent: true,
      notModified: true
    })
  ),
  HttpApiEndpoint.delete("unstar", "/user/starred/:owner/:repo", {
    params: repositoryPath,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/unstar-repo-for-authenticated-user",
      summary: "Unstar a repository",
      words: "remove star, unlike",
      ...writes,
      reversible: true,
      notModified: true
    })
  ),
  HttpApiEndpoint.get("listForUser", "/users/:username/starred", {
    params: usernamePath,
    query: starredQuery,
    success: starred,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-repos-starred-by-user",
      summary: "List repositories that a user starred",
      command: "list-by-user",
      public: true,
      mediaTypes: ["star"],
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listStargazers", "/repos/:owner/:repo/stargazers", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(Schema.Union([UserSummary, Stargazer]))),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-stargazers-for-repo",
      summary: "List accounts that starred a repository",
      command: "list-for-repository",
      words: "stargazers, fans",
      public: true,
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"],
      mediaTypes: ["star"],
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("getCount", "/repos/:owner/:repo/stargazers/count", {
    params: repositoryPath,
    success: StargazerCount,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/get-stargazer-count-for-repo",
      summary: "Count the stars of a repository",
      command: "count",
      public: true,
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"]
    })
  )
]) {}
