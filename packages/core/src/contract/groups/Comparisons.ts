/** Comparisons of two commits in pages, also of a single path: an extension of the embedded forge. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { FileChange } from "./Commits.ts"
import { notFound, unsupported, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { RecentCommit } from "./History.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, QueryBoolean, Sha } from "../Scalars.ts"

const lines = Schema.Int.annotate(Presentation.format("count"))

/** The differences between two commits in numbers, and the commits in between. */
export const ComparisonSummary = Schema.Struct({
  /** Null for the first commit of a repository, which is compared with an empty tree. */
  base: Schema.NullOr(Sha),
  head: Sha,
  /** The commit whose files are compared with the files of `head`: the merge base, or `base`. */
  from: Schema.NullOr(Sha),
  /** Number of commits of `head` that `base` lacks. */
  ahead_by: Schema.Int,
  /** Number of commits of `base` that `head` lacks. */
  behind_by: Schema.Int,
  /** Commits of `head` that `base` lacks and that touch the path, newest first. At most 100. */
  commits: Schema.Array(RecentCommit),
  total_files: Schema.Int,
  additions: lines,
  deletions: lines
}).annotate({ identifier: "ComparisonSummary" })
export type ComparisonSummary = typeof ComparisonSummary.Type

/** A file that differs between two commits. */
export const FileDifference = Schema.Struct({
  filename: Schema.String,
  previous_filename: Schema.optionalKey(Schema.String),
  status: openEnum(["added", "removed", "modified", "renamed", "copied", "changed"]),
  /** Id of the file, or the commit of a submodule, after the change. Null for a removed file. */
  sha: Schema.NullOr(Sha),
  /** The same before the change. Null for an added file. */
  previous_sha: Schema.NullOr(Sha),
  /** Git's file mode after the change, for example `100755`. Null for a removed file. */
  mode: Schema.NullOr(Schema.String),
  previous_mode: Schema.NullOr(Schema.String),
  additions: lines,
  deletions: lines,
  binary: Schema.Boolean,
  patch: FileChange.fields.patch
}).annotate({
  identifier: "FileDifference",
  ...Presentation.of({
    columns: { FILE: "filename", STATUS: "status", ADDED: "additions", REMOVED: "deletions" },
    identity: ["filename"],
    title: "filename",
    arguments: { path: "filename", file_sha: "sha" },
    opens: ["contents.get"]
  })
})
export type FileDifference = typeof FileDifference.Type

const params = {
  ...repositoryPath,
  basehead: Schema.String.annotate({
    description:
      "Two branches, tags or commits: `main...feature` for the changes of `feature` since their merge base, `main..feature` for all differences. Or one commit, to compare it with its first parent."
  })
}

const filter = {
  path: Schema.optionalKey(Schema.String.annotate({ description: "Only this file, or the files of this folder." })),
  ignore_whitespace: Schema.optionalKey(
    QueryBoolean.annotate({ description: "Whether to ignore changes of white space within lines; false by default." })
  )
}

/** Comparisons of commits. Absent on forges without this extension (`Unsupported`). */
export class Comparisons extends Group.make("comparisons", () => [
  HttpApiEndpoint.get("get", "/tongs/repos/:owner/:repo/comparison/:basehead", {
    params,
    query: filter,
    success: ComparisonSummary,
    error: [notFound, validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "Summarize the differences between two commits",
      rest: true
    })
  ),
  HttpApiEndpoint.get("listFiles", "/tongs/repos/:owner/:repo/differences/:basehead", {
    params,
    query: {
      ...filter,
      patches: Schema.optionalKey(
        QueryBoolean.annotate({ description: "Whether to include the changed lines of each file; true by default." })
      ),
      ...pageQuery
    },
    success: Paged(Schema.Array(FileDifference)),
    error: [notFound, validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "List the files that differ between two commits",
      command: "files",
      description: "By path. At most 20,000 files.",
      paging: "page",
      rest: true
    })
  )
]) {}
