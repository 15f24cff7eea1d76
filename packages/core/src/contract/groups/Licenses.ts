/** Licenses for new repositories. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { License } from "./Repository.ts"

/** A license in lists. */
export const LicenseSummary = Schema.Struct(License.fields).annotate({
  identifier: "LicenseSummary",
  ...Presentation.of({
    columns: { KEY: "key", NAME: "name" },
    title: "name",
    identity: ["key"],
    arguments: { license: "key" }
  })
})

/** A license with its text. */
export const LicenseTemplate = Schema.Struct({
  ...License.fields,
  html_url: Schema.String,
  description: Schema.String,
  implementation: Schema.String,
  permissions: Schema.Array(Schema.String),
  conditions: Schema.Array(Schema.String),
  limitations: Schema.Array(Schema.String),
  body: Schema.String,
  featured: Schema.Boolean
}).annotate({ identifier: "LicenseTemplate" })

/** Endpoints of licenses. */
export class Licenses extends Group.make("licenses", () => [
  HttpApiEndpoint.get("getAllCommonlyUsed", "/licenses", {
    query: {
      featured: Schema.optionalKey(Schema.String.annotate({ description: "true: only the featured licenses." })),
      ...pageQuery
    },
    success: Paged(Schema.Array(LicenseSummary))
  }).annotateMerge(
    Operation.annotations({
      operationId: "licenses/get-all-commonly-used",
      summary: "List common licenses",
      command: "list",
      public: true,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/licenses/:license", {
    params: { license: Schema.String.annotate({ description: "Key of the license, such as mit." }) },
    success: LicenseTemplate,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "licenses/get", summary: "Get a license with its text", public: true })
  )
]) {}
