/** Templates of `.gitignore` files for new repositories. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"

/** A template of a `.gitignore` file. */
export const GitignoreTemplate = Schema.Struct({ name: Schema.String, source: Schema.String }).annotate({
  identifier: "GitignoreTemplate"
})

/** Endpoints of templates of `.gitignore` files. */
export class Gitignore extends Group.make("gitignore", () => [
  HttpApiEndpoint.get("getAllTemplates", "/gitignore/templates", {
    success: Schema.Array(Schema.String)
  }).annotateMerge(
    Operation.annotations({
      operationId: "gitignore/get-all-templates",
      summary: "List the names of .gitignore templates",
      command: "list",
      public: true
    })
  ),
  HttpApiEndpoint.get("getTemplate", "/gitignore/templates/:name", {
    params: { name: Schema.String.annotate({ description: "Name of the template, such as Node." }) },
    success: GitignoreTemplate,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "gitignore/get-template",
      summary: "Get a .gitignore template",
      command: "get",
      public: true,
      mediaTypes: ["raw"]
    })
  )
]) {}
