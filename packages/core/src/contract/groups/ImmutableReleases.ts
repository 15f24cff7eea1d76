/** Immutable releases: whether the assets and the tag of a published release can change. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum } from "../Scalars.ts"
import { MinimalRepository } from "./Repository.ts"

/** Whether new releases of a repository are immutable. */
export const ImmutableReleasesState = Schema.Struct({
  enabled: Schema.Boolean,
  enforced_by_owner: Schema.Boolean
}).annotate({
  identifier: "ImmutableReleasesState",
  ...Presentation.of({ columns: { ENABLED: "enabled", ENFORCED: "enforced_by_owner" } })
})
export type ImmutableReleasesState = typeof ImmutableReleasesState.Type

const policies = ["all", "none", "selected"] as const

/** The repositories of an organization whose new releases are immutable. */
export const ImmutableReleasesPolicy = Schema.Struct({
  enforced_repositories: openEnum(policies),
  selected_repositories_url: Schema.optionalKey(Schema.String)
}).annotate({
  identifier: "ImmutableReleasesPolicy",
  ...Presentation.of({ columns: { ENFORCED: "enforced_repositories" } })
})
export type ImmutableReleasesPolicy = typeof ImmutableReleasesPolicy.Type

/** A selected repository, which operations name by its id. */
const SelectedRepository = Schema.Struct(MinimalRepository.fields).annotate({
  identifier: "ImmutableReleasesRepository",
  ...Presentation.of({
    columns: { ID: "id", NAME: "full_name", PRIVATE: "private", UPDATED: "updated_at" },
    title: "full_name",
    arguments: { repository_id: "id", owner: "owner.login", repo: "name", username: "owner.login" }
  })
})

/** A page of repositories. */
const SelectedRepositories = Schema.Struct({
  total_count: Schema.Int,
  repositories: Schema.Array(SelectedRepository)
}).annotate({ identifier: "ImmutableReleasesRepositories" })

const selected = Schema.Array(Schema.Int).annotate({ description: "Ids of repositories of the organization." })

const ofRepository = (level: "read" | "write") =>
  ({
    permission: [[{ target: "repository", category: "administration", level }]],
    scopes: ["public_repo", "repo"],
    privateScopes: ["repo"],
    access: "administer"
  }) as const // literal types

const ofOrganization = (level: "read" | "write") =>
  ({
    permission: [[{ target: "organization", category: "administration", level }]],
    scopes: ["admin:org"],
    access: "administer"
  }) as const // literal types

const SETTINGS = "/orgs/:org/settings/immutable-releases"

const repositoryIdPath = {
  ...organizationPath,
  repository_id: Schema.Int.annotate({ description: "Id of the repository." })
}

/** Endpoints of immutable releases. */
export class ImmutableReleases extends Group.make("immutableReleases", () => [
  HttpApiEndpoint.get("getPolicy", SETTINGS, {
    params: organizationPath,
    success: ImmutableReleasesPolicy,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/get-immutable-releases-settings",
      summary: "Get the policy of an organization for immutable releases",
      ...ofOrganization("read")
    })
  ),
  HttpApiEndpoint.put("setPolicy", SETTINGS, {
    params: organizationPath,
    payload: Schema.Struct({
      enforced_repositories: Schema.Literals(policies).annotate({
        description: "Repositories whose new releases are immutable."
      }),
      selected_repository_ids: Schema.optionalKey(selected)
    }),
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/set-immutable-releases-settings",
      summary: "Set the policy of an organization for immutable releases",
      ...ofOrganization("write"),
      reversible: { except: { selected_repository_ids: "any" } }
    })
  ),
  HttpApiEndpoint.get("listSelected", `${SETTINGS}/repositories`, {
    params: organizationPath,
    query: pageQuery,
    success: Paged(SelectedRepositories),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/get-immutable-releases-settings-repositories",
      summary: "List repositories selected for immutable releases",
      ...ofOrganization("read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.put("setSelected", `${SETTINGS}/repositories`, {
    params: organizationPath,
    payload: Schema.Struct({ selected_repository_ids: selected }),
    success: HttpApiSchema.NoContent,
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/set-immutable-releases-settings-repositories",
      summary: "Set the repositories selected for immutable releases",
      ...ofOrganization("write"),
      reversible: false // the list has pages
    })
  ),
  HttpApiEndpoint.put("addSelected", `${SETTINGS}/repositories/:repository_id`, {
    params: repositoryIdPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/enable-selected-repository-immutable-releases-organization",
      summary: "Select a repository for immutable releases",
      ...ofOrganization("write"),
      effect: "create",
      idempotent: true
    })
  ),
  HttpApiEndpoint.delete("removeSelected", `${SETTINGS}/repositories/:repository_id`, {
    params: repositoryIdPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/disable-selected-repository-immutable-releases-organization",
      summary: "Deselect a repository for immutable releases",
      ...ofOrganization("write"),
      reversible: true
    })
  ),
  HttpApiEndpoint.put("enable", "/repos/:owner/:repo/immutable-releases", {
    params: repositoryPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/enable-immutable-releases",
      summary: "Make new releases immutable",
      description: "Releases published from now on keep their assets and their tag.",
      ...ofRepository("write"),
      effect: "create",
      idempotent: true
    })
  ),
  HttpApiEndpoint.get("check", "/repos/:owner/:repo/immutable-releases", {
    params: repositoryPath,
    success: ImmutableReleasesState,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/check-immutable-releases",
      summary: "Check if new releases are immutable",
      answers: { no: "New releases of {owner}/{repo} can change" },
      ...ofRepository("read")
    })
  ),
  HttpApiEndpoint.delete("disable", "/repos/:owner/:repo/immutable-releases", {
    params: repositoryPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/disable-immutable-releases",
      summary: "Let new releases change",
      description: "Immutable releases stay so.",
      ...ofRepository("write"),
      reversible: true
    })
  )
]) {}
