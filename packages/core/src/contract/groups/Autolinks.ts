/** Autolinks: references in texts of a repository, such as `TICKET-12`, that link to another program. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Timestamp } from "../Scalars.ts"

/** An autolink of a repository. Its id is unique in the forge. */
export const Autolink = Schema.Struct({
  id: Schema.Int,
  key_prefix: Schema.String,
  url_template: Schema.String,
  is_alphanumeric: Schema.Boolean,
  updated_at: Schema.optionalKey(Schema.NullOr(Timestamp))
}).annotate({
  identifier: "Autolink",
  ...Presentation.of({
    columns: { ID: "id", PREFIX: "key_prefix", URL: "url_template", ALPHANUMERIC: "is_alphanumeric" },
    title: "key_prefix",
    identity: ["id"],
    arguments: { autolink_id: "id" }
  })
})
export type Autolink = typeof Autolink.Type

const autolinkPath = { ...repositoryPath, autolink_id: Schema.Int.annotate({ description: "Id of the autolink." }) }

const administration = (level: "read" | "write") =>
  ({
    permission: [[{ target: "repository", category: "administration", level }]],
    scopes: ["public_repo", "repo"],
    privateScopes: ["repo"],
    access: "administer"
  }) as const // literal types

/** Endpoints of autolinks. */
export class Autolinks extends Group.make("autolinks", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/autolinks", {
    params: repositoryPath,
    success: Schema.Array(Autolink),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-autolinks",
      summary: "List autolinks",
      ...administration("read")
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/autolinks", {
    params: repositoryPath,
    payload: Schema.Struct({
      key_prefix: Schema.String.annotate({
        description:
          "Start of a reference, such as `TICKET-`: letters, digits and `.-_+=:/#`, without a digit at the end."
      }),
      url_template: Schema.String.annotate({
        description: "URL of the link, with `<num>` for the rest of the reference."
      }),
      is_alphanumeric: Schema.optionalKey(
        Schema.Boolean.annotate({
          description: "`<num>` is letters, digits and `-`, by default; only digits if false."
        })
      )
    }),
    success: Autolink.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-autolink",
      summary: "Create an autolink",
      words: "link references to an issue tracker, jira",
      ...administration("write")
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/autolinks/:autolink_id", {
    params: autolinkPath,
    success: Autolink,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-autolink",
      summary: "Get an autolink",
      ...administration("read")
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/autolinks/:autolink_id", {
    params: autolinkPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-autolink",
      summary: "Delete an autolink",
      ...administration("write")
    })
  )
]) {}
