/** GitHub Apps. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { App } from "./App.ts"

/** Endpoints of apps. */
export class Apps extends Group.make("apps", () => [
  HttpApiEndpoint.get("getBySlug", "/apps/:app_slug", {
    params: { app_slug: Schema.String.annotate({ description: "Slug of the app, for example `octoapp`." }) },
    success: App,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "apps/get-by-slug",
      summary: "Get an app",
      description: "A private app is visible to the owner only.",
      command: "get",
      public: true
    })
  )
]) {}
