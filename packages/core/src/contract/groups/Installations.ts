/** Installations of apps. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Repository } from "./Repository.ts"
import { UserSummary } from "./User.ts"
import { openEnum, Timestamp } from "../Scalars.ts"

/** An installation of an app in an account. */
export const Installation = Schema.Struct({
  id: Schema.Int,
  account: Schema.NullOr(UserSummary),
  repository_selection: Schema.optionalKey(openEnum(["all", "selected"])),
  access_tokens_url: Schema.String,
  repositories_url: Schema.String,
  html_url: Schema.String,
  app_id: Schema.Int,
  app_slug: Schema.optionalKey(Schema.String),
  target_id: Schema.Int,
  target_type: Schema.String,
  permissions: Schema.Record(Schema.String, Schema.String),
  events: Schema.Array(Schema.String),
  created_at: Schema.optionalKey(Timestamp),
  updated_at: Schema.optionalKey(Timestamp),
  single_file_name: Schema.NullOr(Schema.String),
  has_multiple_single_files: Schema.optionalKey(Schema.Boolean),
  single_file_paths: Schema.optionalKey(Schema.Array(Schema.String)),
  suspended_by: Schema.optionalKey(Schema.NullOr(UserSummary)),
  suspended_at: Schema.optionalKey(Schema.NullOr(Timestamp))
}).annotate({
  identifier: "Installation",
  ...Presentation.of({
    columns: {
      ID: "id",
      ACCOUNT: "account.login",
      APP: "app_slug",
      REPOSITORIES: "repository_selection",
      UPDATED: "updated_at"
    },
    title: "account.login",
    arguments: {
      username: "account.login",
      org: { path: "account.login", when: { target_type: "Organization" } },
      actor_type: { path: "id", template: "installation" },
      actor_id: "id",
      installation_id: "id",
      app_slug: "app_slug"
    }
  })
})
export type Installation = typeof Installation.Type

/** A page of installations. */
export const InstallationList = Schema.Struct({
  total_count: Schema.Int,
  installations: Schema.Array(Installation)
}).annotate({ identifier: "InstallationList" })

/** A page of the repositories of an installation. */
export const InstallationRepositories = Schema.Struct({
  total_count: Schema.Int,
  repositories: Schema.Array(Repository),
  repository_selection: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "InstallationRepositories" })

const installationPath = { installation_id: Schema.Int.annotate({ description: "Id of the installation." }) }
const repositoryOfInstallation = {
  ...installationPath,
  repository_id: Schema.Int.annotate({ description: "Id of the repository." })
}

/** Endpoints of app installations. */
export class Installations extends Group.make("installations", () => [
  HttpApiEndpoint.get("listReposAccessibleToInstallation", "/installation/repositories", {
    query: pageQuery,
    success: Paged(InstallationRepositories)
  }).annotateMerge(
    Operation.annotations({
      operationId: "apps/list-repos-accessible-to-installation",
      summary: "List the repositories of the installation",
      command: "repositories",
      paging: "page"
    })
  ),
  HttpApiEndpoint.delete("revokeAccessToken", "/installation/token", {
    success: HttpApiSchema.NoContent
  }).annotateMerge(
    Operation.annotations({
      operationId: "apps/revoke-installation-access-token",
      summary: "Revoke the installation token of the request",
      command: "revoke-token"
    })
  ),
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/installations", {
    query: pageQuery,
    success: Paged(InstallationList)
  }).annotateMerge(
    Operation.annotations({
      operationId: "apps/list-installations-for-authenticated-user",
      summary: "List the installations that you can access",
      command: "mine",
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listReposForAuthenticatedUser", "/user/installations/:installation_id/repositories", {
    params: installationPath,
    query: pageQuery,
    success: Paged(InstallationRepositories),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "apps/list-installation-repos-for-authenticated-user",
      summary: "List the repositories of an installation that you can access",
      command: "accessible",
      paging: "page"
    })
  ),
  HttpApiEndpoint.put("addRepo", "/user/installations/:installation_id/repositories/:repository_id", {
    params: repositoryOfInstallation,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "apps/add-repo-to-installation-for-authenticated-user",
      summary: "Add a repository to an installation",
      words: "give an app access, select repository",
      command: "add-repository",
      permission: "refused",
      scopes: ["repo"],
      access: "administer",
      effect: "create",
      idempotent: true,
      exposure: {
        gives: "access",
        consequence: "The app gets the access of its installation to the repository."
      }
    })
  ),
  HttpApiEndpoint.delete("removeRepo", "/user/installations/:installation_id/repositories/:repository_id", {
    params: repositoryOfInstallation,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "apps/remove-repo-from-installation-for-authenticated-user",
      summary: "Remove a repository from an installation",
      words: "take access from an app",
      command: "remove-repository",
      permission: "refused",
      scopes: ["repo"],
      access: "administer"
    })
  ),
  HttpApiEndpoint.get("listForOrganization", "/orgs/:org/installations", {
    params: organizationPath,
    query: pageQuery,
    success: Paged(InstallationList),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-app-installations",
      summary: "List the installations of apps in an organization",
      command: "list",
      permission: [[{ target: "organization", category: "administration", level: "read" }]],
      scopes: ["read:org"],
      access: "administer",
      paging: "page"
    })
  )
]) {}
