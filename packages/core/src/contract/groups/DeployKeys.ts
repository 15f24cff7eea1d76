/** Deploy keys: public SSH keys that give access to one repository. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Timestamp } from "../Scalars.ts"

/** A deploy key of a repository. Its id is unique in the forge. */
export const DeployKey = Schema.Struct({
  id: Schema.Int,
  key: Schema.String,
  url: Schema.String,
  title: Schema.String,
  verified: Schema.Boolean,
  created_at: Timestamp,
  read_only: Schema.Boolean,
  /** Login. Null if the account was deleted. */
  added_by: Schema.optionalKey(Schema.NullOr(Schema.String)),
  last_used: Schema.optionalKey(Schema.NullOr(Timestamp)),
  enabled: Schema.optionalKey(Schema.Boolean)
}).annotate({
  identifier: "DeployKey",
  ...Presentation.of({
    columns: { ID: "id", TITLE: "title", READ_ONLY: "read_only", CREATED: "created_at", KEY: "key" },
    title: "title",
    identity: ["id"],
    arguments: { key_id: "id", username: "added_by" }
  })
})
export type DeployKey = typeof DeployKey.Type

const deployKeyPath = { ...repositoryPath, key_id: Schema.Int.annotate({ description: "Id of the deploy key." }) }

const administration = (level: "read" | "write") =>
  ({
    permission: [[{ target: "repository", category: "administration", level }]],
    scopes: ["public_repo", "repo"],
    privateScopes: ["repo"],
    access: "administer"
  }) as const // literal types

/** Endpoints of deploy keys. */
export class DeployKeys extends Group.make("deployKeys", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/keys", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(DeployKey)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-deploy-keys",
      summary: "List deploy keys",
      ...administration("read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/keys", {
    params: repositoryPath,
    payload: Schema.Struct({
      title: Schema.optionalKey(
        Schema.String.annotate({ description: "Label of the key; the comment of the key by default." })
      ),
      key: Schema.String.annotate({ description: "The public key, for example `ssh-ed25519 AAAA…`." }),
      read_only: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "True if the key can only read; false by default." })
      )
    }),
    success: DeployKey.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-deploy-key",
      summary: "Create a deploy key",
      ...administration("write"),
      exposure: {
        gives: "access",
        consequence:
          "Anyone with the private key can read the repository, and change it unless the key is read-only, until the key is deleted."
      }
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/keys/:key_id", {
    params: deployKeyPath,
    success: DeployKey,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-deploy-key",
      summary: "Get a deploy key",
      ...administration("read")
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/keys/:key_id", {
    params: deployKeyPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-deploy-key",
      summary: "Delete a deploy key",
      ...administration("write")
    })
  )
]) {}
