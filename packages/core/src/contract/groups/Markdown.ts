/** Rendering of Markdown. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"

const success = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" }))

const text = Schema.String.annotate({ description: "The Markdown, up to 400 KB." })

const render = { public: true, effect: "read", access: "read", points: 5, notModified: true } as const // literal types

/** Endpoints that render Markdown. */
export class Markdown extends Group.make("markdown", () => [
  HttpApiEndpoint.post("render", "/markdown", {
    payload: Schema.Struct({
      text,
      mode: Schema.optionalKey(
        Schema.Literals(["markdown", "gfm"]).annotate({
          description: "gfm: as in issues, with references and line breaks; markdown, by default: as in files."
        })
      ),
      context: Schema.optionalKey(
        Schema.String.annotate({ description: "Repository of references such as `#12` in mode gfm: `owner/name`." })
      )
    }),
    success,
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      ...render,
      operationId: "markdown/render",
      summary: "Render Markdown as HTML",
      words: "preview, html"
    })
  ),
  HttpApiEndpoint.post("renderRaw", "/markdown/raw", {
    payload: Schema.Struct({ text }),
    success,
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      ...render,
      operationId: "markdown/render-raw",
      summary: "Render Markdown as HTML, as in files",
      words: "preview, html, plain text",
      textBody: "text"
    })
  )
]) {}
