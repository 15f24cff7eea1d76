/** Saved searches, and the results that are new since the user last looked: an extension of the embedded forge. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { CommitHit, FileHit, IncompleteReason } from "./CodeSearch.ts"
import { conflict, notFound, unsupported, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Timestamp } from "../Scalars.ts"

/** A search that the signed-in user saved. */
export const SavedSearch = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  /** Query in the language of the rich code search. */
  query: Schema.String,
  created_at: Timestamp,
  /** Time at which the results were last marked as seen. */
  seen_at: Timestamp
}).annotate({
  identifier: "SavedSearch",
  ...Presentation.of({
    columns: { ID: "id", NAME: "name", QUERY: "query", SEEN: "seen_at" },
    identity: ["id"],
    title: "name",
    arguments: { search_id: "id" },
    opens: ["savedSearches.getNew"]
  })
})
export type SavedSearch = typeof SavedSearch.Type

/** The results of a saved search that are new since the user last marked results as seen. */
export const NewResults = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  query: Schema.String,
  /** Time at which the results were last marked as seen. */
  since: Timestamp,
  /** Number of new lines; of new commits for `type:commit` and `type:diff`. A line that only moved is not new. */
  count: Schema.Int,
  /** Reasons why results may be missing, or not new. Empty if `count` is exact. */
  incomplete: Schema.Array(IncompleteReason),
  /** Identifies all present results. Pass this value to mark the results as seen. */
  version: Schema.String,
  /** The files with new lines. The chunks contain only the new lines. */
  files: Schema.Array(FileHit),
  commits: Schema.Array(CommitHit)
}).annotate({
  identifier: "NewSearchResults",
  ...Presentation.of({ columns: { ID: "id", NAME: "name", NEW: "count", SINCE: "since" }, title: "name" })
})
export type NewResults = typeof NewResults.Type

/** A search that the file `.tongs/searches.json` of a repository shares. */
export const SharedSearch = Schema.Struct({
  owner: Schema.String,
  repo: Schema.String,
  name: Schema.String,
  query: Schema.String
}).annotate({
  identifier: "SharedSearch",
  ...Presentation.of({
    columns: { NAME: "name", OWNER: "owner", REPOSITORY: "repo", QUERY: "query" },
    identity: ["owner", "repo", "name"],
    title: "name",
    arguments: { owner: "owner", repo: "repo" },
    opens: ["repositories.get"]
  })
})
export type SharedSearch = typeof SharedSearch.Type

const name = Schema.String.annotate({ description: "Name, up to 100 characters; unique among the user's searches." })
const query = Schema.String.annotate({ description: "Query of the rich code search, up to 1,000 characters." })
const params = { search_id: Schema.Int.annotate({ description: "Id of the saved search." }) }
const own = { extension: true, resource: "none" } as const // literal types

/** Saved searches of the signed-in user. Absent on forges without this extension (`Unsupported`). */
export class SavedSearches extends Group.make("savedSearches", () => [
  HttpApiEndpoint.get("list", "/tongs/user/saved-searches", {
    query: pageQuery,
    success: Paged(Schema.Array(SavedSearch)),
    error: unsupported
  }).annotateMerge(Operation.annotations({ ...own, summary: "List your saved searches", paging: "page" })),
  HttpApiEndpoint.get("listShared", "/tongs/shared-searches", {
    query: pageQuery,
    success: Paged(Schema.Array(SharedSearch)),
    error: unsupported
  }).annotateMerge(
    Operation.annotations({
      ...own,
      summary: "List the searches that repositories share",
      command: "shared",
      description: "Those of the file `.tongs/searches.json` on the default branches that you can read.",
      permission: [[Operation.metadataRead]],
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/tongs/user/saved-searches", {
    payload: Schema.Struct({ name, query }),
    success: SavedSearch.pipe(HttpApiSchema.status(201)),
    error: [validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...own,
      summary: "Save a search",
      words: "bookmark search",
      description: "Its present results count as seen. A user has at most 100."
    })
  ),
  HttpApiEndpoint.patch("update", "/tongs/user/saved-searches/:search_id", {
    params,
    payload: Schema.Struct({ name: Schema.optionalKey(name), query: Schema.optionalKey(query) }),
    success: SavedSearch,
    error: [notFound, validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...own,
      summary: "Rename a saved search, or change its query",
      description: "With another query, its present results count as seen."
    })
  ),
  HttpApiEndpoint.delete("delete", "/tongs/user/saved-searches/:search_id", {
    params,
    success: HttpApiSchema.NoContent,
    error: [notFound, unsupported]
  }).annotateMerge(Operation.annotations({ ...own, summary: "Delete a saved search" })),
  HttpApiEndpoint.get("getNew", "/tongs/user/saved-searches/:search_id/new", {
    params,
    success: NewResults,
    error: [notFound, validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...own,
      summary: "Get the new results of a saved search",
      command: "new",
      description: "Lines and commits that it did not find when its results were last marked as seen.",
      permission: [[Operation.metadataRead]]
    })
  ),
  HttpApiEndpoint.put("markSeen", "/tongs/user/saved-searches/:search_id/seen", {
    params,
    payload: Schema.Struct({
      version: Schema.String.annotate({ description: "Version of the results that were seen." })
    }),
    success: SavedSearch,
    error: [notFound, conflict, validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...own,
      summary: "Mark the results of a saved search as seen",
      command: "seen",
      description: "Fails with 409 if there are newer results than those of the version.",
      reversible: false // no call makes the results new again
    })
  )
]) {}
