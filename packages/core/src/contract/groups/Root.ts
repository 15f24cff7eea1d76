/** The root of the API: URL templates of the resources. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"

/** URL templates by name. */
export const RootLinks = Schema.Record(Schema.String, Schema.String).annotate({ identifier: "Root" })
export type RootLinks = typeof RootLinks.Type

/** Endpoint of the API root. */
export class Root extends Group.make("root", () => [
  HttpApiEndpoint.get("get", "/", { success: RootLinks }).annotateMerge(
    Operation.annotations({ operationId: "meta/root", summary: "List the API's entry points", public: true })
  )
]) {}
