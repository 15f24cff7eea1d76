/** Variables of repositories, for their workflows. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { repositoryPath } from "../Parameters.ts"
import * as Variable from "./Variable.ts"

const variables = (level: "read" | "write") =>
  ({
    permission: [[{ target: "repository", category: "actions_variables", level }]],
    scopes: ["repo"],
    privateScopes: ["repo"],
    access: "write"
  }) as const // literal types

/** Endpoints of variables of repositories. */
export class RepositoryVariables extends Group.make("repositoryVariables", () => [
  ...Variable.endpoints({
    id: "repo",
    words: "a repository",
    path: "/repos/:owner/:repo/actions",
    params: repositoryPath,
    item: Variable.Variable,
    list: Variable.VariableList,
    input: Variable.newVariableInput,
    change: Variable.variableChangeInput,
    reads: variables("read"),
    writes: variables("write")
  }),
  HttpApiEndpoint.get("listOrganizationVariables", "/repos/:owner/:repo/actions/organization-variables", {
    params: repositoryPath,
    query: Variable.variablePageQuery,
    success: Paged(Variable.VariableList),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/list-repo-organization-variables",
      summary: "List variables of the organization that a repository has",
      command: "list-organization",
      ...variables("read"),
      ...Variable.variablePaging
    })
  )
]) {}
