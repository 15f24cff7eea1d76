/** Secrets and variables of organizations: the repositories that have them. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery } from "../Parameters.ts"
import { openEnum } from "../Scalars.ts"
import { MinimalRepository } from "./Repository.ts"

/** Which repositories of an organization have a secret or variable. */
export const valueVisibilities = ["all", "private", "selected"] as const // literal types

/** Members that a secret and a variable of an organization have in addition. */
export const organizationValueFields = {
  visibility: openEnum(valueVisibilities),
  selected_repositories_url: Schema.optionalKey(Schema.String)
}

/** The repositories that have a secret or variable. */
export const SelectedRepositories = Schema.Struct({
  total_count: Schema.Int,
  repositories: Schema.Array(MinimalRepository)
}).annotate({ identifier: "SelectedRepositories" })

const selectedIds = Schema.Array(Schema.Int)

/** Input field: the selected repositories of a secret or variable. */
export const selectedRepositoriesInput = {
  selected_repository_ids: Schema.optionalKey(
    selectedIds.annotate({ description: "Ids of the repositories, with the visibility `selected`." })
  )
}

/** Input field: which repositories have a secret or variable. */
export const visibilityInput = Schema.Literals(valueVisibilities).annotate({
  description: "`all` repositories, `private` ones, or the `selected` ones."
})

/** Access rules of the secrets or variables of an organization. */
export const rules = (category: "actions_variables" | "secrets", level: "read" | "write") =>
  ({
    permission: [[{ target: "organization", category, level }]],
    scopes: ["admin:org"],
    access: "administer"
  }) as const // literal types

/** The exposure of a secret or variable of an organization to repositories. */
export const exposure = (noun: "secret" | "variable") =>
  ({
    gives: "access",
    consequence: `Everyone who can write to one of the repositories can read the ${noun} in a workflow.`
  }) as const // literal types

/** Declares the endpoints of the selected repositories of an organization's secrets or variables. */
export const repositoryEndpoints = <const Path extends `/${string}`, Params extends Schema.Struct.Fields>({
  category,
  noun,
  params,
  path
}: {
  readonly category: Parameters<typeof rules>[0]
  readonly noun: "secret" | "variable"
  readonly path: Path
  readonly params: Params
}) =>
  [
    HttpApiEndpoint.get("listSelectedRepositories", `${path}/repositories` as const, {
      params: { ...organizationPath, ...params },
      query: pageQuery,
      success: Paged(SelectedRepositories),
      error: [notFound, conflict]
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/list-selected-repos-for-org-${noun}`,
        summary: `List the selected repositories of an organization's ${noun}`,
        command: "repos",
        ...rules(category, "read"),
        paging: "page"
      })
    ),
    HttpApiEndpoint.put("setSelectedRepositories", `${path}/repositories` as const, {
      params: { ...organizationPath, ...params },
      payload: Schema.Struct({
        selected_repository_ids: selectedIds.annotate({ description: "Ids of the repositories." })
      }),
      success: HttpApiSchema.NoContent,
      error: [notFound, conflict, validationFailed]
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/set-selected-repos-for-org-${noun}`,
        summary: `Set the selected repositories of an organization's ${noun}`,
        command: "set-repos",
        ...rules(category, "write"),
        reversible: false, // the list has pages
        exposure: exposure(noun)
      })
    ),
    HttpApiEndpoint.put("addSelectedRepository", `${path}/repositories/:repository_id` as const, {
      params: { ...organizationPath, ...params, ...repositoryIdPath },
      success: HttpApiSchema.NoContent,
      error: [notFound, conflict]
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/add-selected-repo-to-org-${noun}`,
        summary: `Add a repository to those of an organization's ${noun}`,
        command: "add-repo",
        ...rules(category, "write"),
        effect: "create",
        idempotent: true,
        exposure: exposure(noun)
      })
    ),
    HttpApiEndpoint.delete("removeSelectedRepository", `${path}/repositories/:repository_id` as const, {
      params: { ...organizationPath, ...params, ...repositoryIdPath },
      success: HttpApiSchema.NoContent,
      error: [notFound, conflict]
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/remove-selected-repo-from-org-${noun}`,
        summary: `Remove a repository from those of an organization's ${noun}`,
        command: "remove-repo",
        ...rules(category, "write")
      })
    )
  ] as const // a tuple, so that each endpoint keeps its type

const repositoryIdPath = { repository_id: Schema.Int.annotate({ description: "Id of the repository." }) }
