/** The state of the code index: an extension of the embedded forge. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { LeftOutReason } from "./CodeSearch.ts"
import { notFound, unsupported } from "./Failure.ts"
import * as Group from "./Group.ts"
import * as Operation from "./Operation.ts"
import { Paged } from "./Paged.ts"
import { pageQuery, repositoryPath } from "./Parameters.ts"
import * as Presentation from "./Presentation.ts"
import { Bytes, ObjectId, open, Timestamp } from "./Scalars.ts"

/** What the index has of a repository. */
export const IndexedRepository = Schema.Struct({
  owner: Schema.String,
  repo: Schema.String,
  state: open(["waiting", "indexing", "ready", "empty", "failed"]),
  /** Why it failed. Only for signed-in callers. */
  problem: Schema.optionalKey(Schema.String),
  /** The indexed commit. Null before the first, and if the index cannot be read. */
  commit: Schema.NullOr(ObjectId),
  /** When that commit was made. */
  committed_at: Schema.NullOr(Timestamp),
  files: Schema.Int.annotate(Presentation.format("count")),
  size: Bytes,
  /** Bytes by language, largest first. */
  languages: Schema.Array(Schema.Struct({ name: Schema.String, size: Schema.Int })),
  /** Only while `indexing`. */
  progress: Schema.optionalKey(
    Schema.Struct({
      files: Schema.Int,
      of: Schema.Int,
      bytes: Schema.Int,
      /** Estimated milliseconds until it is done. */
      remaining: Schema.NullOr(Schema.Finite)
    })
  ),
  /** Number of files that are not in the index. */
  left_out: Schema.Int
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
    title: "repo"
  })
})
export type IndexedRepository = typeof IndexedRepository.Type

/** The repositories that the caller may read. */
export const IndexStatus = Schema.Struct({ repositories: Schema.Array(IndexedRepository) }).annotate({
  identifier: "IndexStatus"
})
export type IndexStatus = typeof IndexStatus.Type

/** A file that is not in the index. */
export const LeftOutFile = Schema.Struct({
  path: Schema.String,
  /** In bytes. Null if git cannot read the file. */
  size: Schema.NullOr(Bytes),
  reason: LeftOutReason
}).annotate({
  identifier: "LeftOutFile",
  ...Presentation.of({ columns: { FILE: "path", SIZE: "size", REASON: "reason" } })
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
