/** Rendering of Markdown. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"

/** Endpoint that renders Markdown. */
export class Markdown extends Group.make("markdown", () => [
  HttpApiEndpoint.post("render", "/markdown", {
    payload: Schema.Struct({
      text: Schema.String.annotate({ description: "The Markdown, up to 65,536 characters on this forge." }),
      mode: Schema.optionalKey(
        Schema.Literals(["markdown", "gfm"]).annotate({
          description: "gfm: as in issues, with references and line breaks; markdown, by default: as in files."
        })
      ),
      context: Schema.optionalKey(
        Schema.String.annotate({ description: "Repository of references such as `#12` in mode gfm: `owner/name`." })
      )
    }),
    success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" })),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "markdown/render",
      summary: "Render Markdown as HTML",
      words: "preview, html",
      public: true,
      effect: "read",
      access: "read",
      points: 5,
      notModified: true
    })
  )
]) {}
