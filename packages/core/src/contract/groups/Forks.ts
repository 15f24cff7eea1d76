/** Forks: repositories made from another repository, with its branches and tags. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import { MinimalRepository, Repository } from "./Repository.ts"

/** Endpoints of forks. */
export class Forks extends Group.make("forks", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/forks", {
    params: repositoryPath,
    query: {
      sort: Schema.optionalKey(
        Schema.Literals(["newest", "oldest", "stargazers", "watchers"]).annotate({
          description: "Order of the list; newest by default. `watchers` counts stars, as `stargazers` does."
        })
      ),
      ...pageQuery
    },
    success: Paged(Schema.Array(MinimalRepository)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-forks",
      summary: "List the forks of a repository",
      words: "network, copies of a repo",
      public: true,
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"],
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/forks", {
    params: repositoryPath,
    payload: Schema.Struct({
      organization: Schema.optionalKey(
        Schema.String.annotate({ description: "Organization that gets the fork; your account by default." })
      ),
      name: Schema.optionalKey(
        Schema.String.annotate({ description: "Name of the fork; that of the repository by default." })
      ),
      default_branch_only: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "Copy only the default branch; false by default." })
      )
    }),
    success: Repository.pipe(HttpApiSchema.status(202)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-fork",
      summary: "Fork a repository",
      words: "copy a repo, fork it",
      description:
        "Gives the existing fork if the account has one. A fork of a private repository is private, and only accounts " +
        "that may read the private repository may read the fork.",
      permission: [
        [
          { target: "repository", category: "administration", level: "write" },
          { target: "repository", category: "contents", level: "read" }
        ]
      ],
      scopes: ["public_repo", "repo"],
      privateScopes: ["repo"],
      access: "read",
      allowsArchived: true
    })
  )
]) {}
