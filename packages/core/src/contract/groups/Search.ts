/** Searches for code, and for issues and pull requests. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Issue } from "./Issue.ts"
import { RepositorySummary } from "./Repository.ts"
import { matchFields, pageFields, TextMatch } from "../SearchPage.ts"
import { ObjectId, openEnum } from "../Scalars.ts"

export { TextMatch }

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
export const CodeSearchResults = Schema.Struct(pageFields(CodeSearchItem)).annotate({ identifier: "CodeSearchResults" })
export type CodeSearchResults = typeof CodeSearchResults.Type

/** A matching issue or pull request. */
export const IssueSearchItem = Schema.Struct({
  ...Issue.fields,
  /** Names the repository and the issue, which the columns of a list need. */
  html_url: Schema.String.annotate(Presentation.externalUrl),
  ...matchFields
}).annotate({
  identifier: "IssueSearchItem",
  ...Presentation.of({
    columns: {
      URL: "html_url",
      TITLE: "title",
      STATE: "state",
      UPDATED: "updated_at"
    },
    identity: ["html_url"],
    title: "title",
    arguments: {
      owner: { path: "repository_url", pattern: "/repos/([^/]+)/[^/]+$" },
      repo: { path: "repository_url", pattern: "/repos/[^/]+/([^/]+)$" },
      issue_number: "number",
      username: "user.login"
    },
    opens: ["issues.get"]
  })
})
export type IssueSearchItem = typeof IssueSearchItem.Type

/** A page of matching issues and pull requests. */
export const IssueSearchResults = Schema.Struct({
  ...pageFields(IssueSearchItem),
  /** The kind of search: by words, or by meaning. */
  search_type: Schema.optionalKey(openEnum(["lexical", "semantic", "hybrid"]))
}).annotate({ identifier: "IssueSearchResults" })
export type IssueSearchResults = typeof IssueSearchResults.Type

/** Endpoints of the searches. */
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
