/** Files of a repository by a part of the path: an extension of the embedded forge. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { TextRange } from "./CodeSearch.ts"
import { notFound, unsupported, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, refQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"

/** A file whose path matches. */
export const PathMatch = Schema.Struct({
  path: Schema.String,
  /** Matching characters of `path`. */
  matches: Schema.Array(TextRange)
}).annotate({
  identifier: "PathMatch",
  ...Presentation.of({ columns: { FILE: "path" }, arguments: { path: "path" }, opens: ["contents.get"] })
})
export type PathMatch = typeof PathMatch.Type

/** Files whose paths match, the best first. At most 1,000. */
export const PathMatches = Schema.Struct({
  total_count: Schema.Int,
  /** True if more files match than are listed, or the commit has too many files to list. */
  incomplete_results: Schema.Boolean,
  items: Schema.Array(PathMatch)
}).annotate({ identifier: "PathMatches" })
export type PathMatches = typeof PathMatches.Type

/** Files by path. Absent on forges without this extension (`Unsupported`). */
export class FilePaths extends Group.make("filePaths", () => [
  HttpApiEndpoint.get("find", "/tongs/repos/:owner/:repo/file-paths", {
    params: repositoryPath,
    query: {
      q: Schema.String.annotate({
        description: "Letters of the path in their order, for example `idxts` for `src/index.ts`; words in any order."
      }),
      ...refQuery,
      ...pageQuery
    },
    success: Paged(PathMatches),
    error: [notFound, validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "Find files by their path",
      description:
        "Ignores case. The best matches come first: the name of the file, then words and letters of its path.",
      paging: "page"
    })
  )
]) {}
