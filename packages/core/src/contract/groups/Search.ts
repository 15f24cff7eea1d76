/** Code search. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { RepositorySummary } from "./Repository.ts"
import { ObjectId, openEnum } from "../Scalars.ts"

/** A fragment of a file with the positions of the matches. */
export const TextMatch = Schema.Struct({
  object_url: Schema.String,
  object_type: Schema.NullOr(Schema.String),
  property: openEnum(["content", "path"]),
  fragment: Schema.String,
  matches: Schema.Array(
    Schema.Struct({
      text: Schema.String,
      /** Start and end of a match, in UTF-16 code units from the start of the fragment. */
      indices: Schema.Array(Schema.Int)
    })
  )
}).annotate({ identifier: "TextMatch" })
export type TextMatch = typeof TextMatch.Type

/** A matching file. */
export const CodeSearchItem = Schema.Struct({
  name: Schema.String,
  path: Schema.String,
  /** Object id of the file's blob. */
  sha: ObjectId,
  url: Schema.String,
  git_url: Schema.String,
  html_url: Schema.String,
  repository: RepositorySummary,
  score: Schema.optionalKey(Schema.Finite),
  /** Fragments with matches. Present only with the text-match media type. */
  text_matches: Schema.optionalKey(Schema.Array(TextMatch))
}).annotate({
  identifier: "CodeSearchItem",
  ...Presentation.of({
    columns: { REPOSITORY: "repository.full_name", PATH: "path", SHA: "sha" },
    identity: ["repository.full_name", "path"],
    title: "path",
    arguments: { owner: "repository.owner.login", repo: "repository.name", path: "path", file_sha: "sha" },
    opens: ["contents.get"]
  })
})
export type CodeSearchItem = typeof CodeSearchItem.Type

/** A page of matching files. */
export const CodeSearchResults = Schema.Struct({
  total_count: Schema.Int,
  /** True if the search reached the time limit: results may be missing. */
  incomplete_results: Schema.Boolean,
  items: Schema.Array(CodeSearchItem)
}).annotate({ identifier: "CodeSearchResults" })
export type CodeSearchResults = typeof CodeSearchResults.Type

/** Endpoint of code search. */
export class Search extends Group.make("search", () => [
  HttpApiEndpoint.get("code", "/search/code", {
    query: {
      q: Schema.String.annotate({
        description: "Keywords and qualifiers, for example `parse repo:octo/hello language:ts`."
      }),
      sort: Schema.optionalKey(
        Schema.Literals(["indexed"]).annotate({
          description: "indexed: newest in the index first; best match by default."
        })
      ),
      order: Schema.optionalKey(
        Schema.Literals(["asc", "desc"]).annotate({ description: "desc by default; needs sort." })
      ),
      ...pageQuery
    },
    success: Paged(CodeSearchResults),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "search/code",
      summary: "Search code",
      command: "",
      tool: "search_code",
      public: true,
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"],
      paging: "page",
      resource: "code_search",
      mediaTypes: ["text-match"]
    })
  )
]) {}
