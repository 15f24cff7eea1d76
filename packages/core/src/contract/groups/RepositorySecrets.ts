/** Secrets of repositories, for their workflows. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Secret from "./Secret.ts"

const secrets = (access: Operation.Access, level: "read" | "write") =>
  ({
    permission: [[{ target: "repository", category: "secrets", level }]],
    scopes: ["repo"],
    privateScopes: ["repo"],
    access
  }) as const // literal types

/** Endpoints of secrets of repositories. */
export class RepositorySecrets extends Group.make("repositorySecrets", () => [
  ...Secret.endpoints({
    id: "repo",
    words: "a repository",
    path: "/repos/:owner/:repo/actions",
    params: repositoryPath,
    item: Secret.Secret,
    list: Secret.SecretList,
    input: Secret.secretInput,
    reads: secrets("write", "read"),
    writes: secrets("write", "write"),
    readsKey: secrets("read", "read")
  }),
  HttpApiEndpoint.get("listOrganizationSecrets", "/repos/:owner/:repo/actions/organization-secrets", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Secret.SecretList),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/list-repo-organization-secrets",
      summary: "List secrets of the organization that a repository has",
      command: "list-organization",
      ...secrets("write", "read"),
      paging: "page"
    })
  )
]) {}
