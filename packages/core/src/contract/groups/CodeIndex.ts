/** The state of the code index: an extension of the embedded forge. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { LeftOutReason } from "./CodeSearch.ts"
import { notFound, unsupported } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Bytes, ObjectId, openEnum, Timestamp } from "../Scalars.ts"

/** The state of a repository in the code index. */
export const IndexedRepository = Schema.Struct({
  owner: Schema.String,
  repo: Schema.String,
  state: openEnum(["waiting", "indexing", "ready", "empty", "failed"]),
  /** Why indexing failed. Present only for signed-in callers. */
  problem: Schema.optionalKey(Schema.String),
  /** The indexed commit. Null before the first indexing, and if the index cannot be read. */
  commit: Schema.NullOr(ObjectId),
  /** Time of the indexed commit. */
  committed_at: Schema.NullOr(Timestamp),
  files: Schema.Int.annotate(Presentation.format("count")),
  size: Bytes,
  /**
   * Size of the files of each language in bytes, the largest first. Empty for a repository whose tip is not indexed yet,
   * if more than 16 are not.
   */
  languages: Schema.Array(Schema.Struct({ name: Schema.String, size: Schema.Int })),
  /** Progress of indexing. Present only while the state is `indexing`. */
  progress: Schema.optionalKey(
    Schema.Struct({
      files: Schema.Int,
      of: Schema.Int,
      bytes: Schema.Int,
      /** Estimated time until indexing is done, in milliseconds. */
      remaining: Schema.NullOr(Schema.Finite)
    })
  ),
  /** Number of files that are not in the index. */
  left_out: Schema.Int,
  /** Number of files whose symbols are not precise yet: a parser follows in the background. Absent at 0. */
  imprecise_symbols: Schema.optionalKey(Schema.Int)
}).annotate({
  identifier: "IndexedRepository",
  ...Presentation.of({
    columns: {
      OWNER: "owner",
      REPOSITORY: "repo",
      STATE: "state",
      FILES: "files",
      SIZE: "size",
      "LEFT OUT": "left_out",
      COMMIT: "commit"
    },
    identity: ["owner", "repo"],
    title: "repo",
    arguments: { owner: "owner", repo: "repo" },
    opens: ["repositories.get"]
  })
})
export type IndexedRepository = typeof IndexedRepository.Type

/** The index states of the repositories that the caller may read. */
export const IndexStatus = Schema.Struct({ repositories: Schema.Array(IndexedRepository) }).annotate({
  identifier: "IndexStatus"
})
export type IndexStatus = typeof IndexStatus.Type

/** A file that is not in the index. */
export const LeftOutFile = Schema.Struct({
  path: Schema.String,
  /** Size in bytes. Null if git cannot read the file. */
  size: Schema.NullOr(Bytes),
  reason: LeftOutReason
}).annotate({
  identifier: "LeftOutFile",
  ...Presentation.of({
    columns: { FILE: "path", SIZE: "size", REASON: "reason" },
    arguments: { path: "path" },
    opens: ["contents.get"]
  })
})
export type LeftOutFile = typeof LeftOutFile.Type

/** The state of the code index. Absent on forges without this extension (`Unsupported`). */
export class CodeIndex extends Group.make("codeIndex", () => [
  HttpApiEndpoint.get("get", "/tongs/index", {
    success: IndexStatus,
    error: unsupported
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "Get the state of the code index",
      permission: [[Operation.metadataRead]],
      privateScopes: []
    })
  ),
  HttpApiEndpoint.get("listLeftOut", "/tongs/repos/:owner/:repo/index/left-out", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(LeftOutFile)),
    error: [notFound, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "List the files that the code index leaves out",
      command: "left-out",
      description: "At most the first 1,000.",
      paging: "page"
    })
  )
]) {}
