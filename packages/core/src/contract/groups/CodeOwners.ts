/** The owners of files, which the file CODEOWNERS declares. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { refQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"

/** A mistake in the file CODEOWNERS. `source` is the line, `message` shows the column below it. */
export const CodeOwnersError = Schema.Struct({
  line: Schema.Int,
  column: Schema.Int,
  kind: Schema.String,
  source: Schema.optionalKey(Schema.String),
  suggestion: Schema.optionalKey(Schema.NullOr(Schema.String)),
  message: Schema.String,
  path: Schema.String
}).annotate({
  identifier: "CodeOwnersError",
  ...Presentation.of({
    columns: { LINE: "line", COLUMN: "column", KIND: "kind", SOURCE: "source", SUGGESTION: "suggestion" },
    title: "message",
    arguments: { path: "path" }
  })
})
export type CodeOwnersError = typeof CodeOwnersError.Type

/** The mistakes in the file CODEOWNERS. */
export const CodeOwnersErrors = Schema.Struct({ errors: Schema.Array(CodeOwnersError) }).annotate({
  identifier: "CodeOwnersErrors"
})
export type CodeOwnersErrors = typeof CodeOwnersErrors.Type

/** Endpoint of the file CODEOWNERS. */
export class CodeOwners extends Group.make("codeOwners", () => [
  HttpApiEndpoint.get("listErrors", "/repos/:owner/:repo/codeowners/errors", {
    params: repositoryPath,
    query: refQuery,
    success: CodeOwnersErrors,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/codeowners-errors",
      summary: "List mistakes in CODEOWNERS",
      words: "code owners, check owners, invalid owners",
      description: "Lines with invalid patterns or owners, and owners without write permission.",
      command: "errors",
      ...Operation.readsContents
    })
  )
]) {}
