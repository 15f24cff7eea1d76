/** The part of the explorer's API that compares commits. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"

/** A file that differs between two commits. */
export const ChangedFile = Schema.Struct({
  path: Schema.String,
  /** The path before a rename. */
  previousPath: Schema.NullOr(Schema.String),
  /** `added`, `removed`, `modified`, `renamed`, `copied`, `changed` (of type), or a newer value. */
  status: Schema.String,
  /** Id of the content after the change, null for a removed file. */
  oid: Schema.NullOr(Schema.String),
  /** Git's modes after and before; null without a file, and for a forge that does not report modes. */
  mode: Schema.NullOr(Schema.String),
  previousMode: Schema.NullOr(Schema.String),
  additions: Schema.Int,
  deletions: Schema.Int,
  /** True if git shows no lines of the file. */
  binary: Schema.Boolean,
  /** Unified diff without the file header. */
  patch: Schema.optionalKey(Schema.String),
  /** True if the patch is too large for a list, and loaded only for this file alone. */
  hasLargePatch: Schema.optionalKey(Schema.Literal(true))
})
export type ChangedFile = typeof ChangedFile.Type

/** A commit in a list. */
export const ListedCommit = Schema.Struct({
  commit: Schema.String,
  author: Schema.NullOr(Schema.String),
  /** ISO 8601. */
  date: Schema.NullOr(Schema.String),
  /** First line of the message. */
  summary: Schema.String
})
export type ListedCommit = typeof ListedCommit.Type

const comparison = {
  /** The compared commits. `base` is null for the first commit of a repository. */
  base: Schema.NullOr(Schema.String),
  head: Schema.String,
  /** The commit before the changes: the merge base. */
  from: Schema.NullOr(Schema.String),
  aheadBy: Schema.Int,
  behindBy: Schema.Int,
  /** The commits of `head` that `base` lacks, newest first, at most 250. */
  commits: Schema.Array(ListedCommit),
  totalFiles: Schema.Int,
  additions: Schema.Int,
  deletions: Schema.Int,
  /** The first files, with the patches of the first page. */
  files: Schema.Array(ChangedFile),
  /** True if further patches are loaded in pages, and white space can be ignored. */
  hasPages: Schema.Boolean
}

/** The differences between two commits. */
export const Comparison = Schema.Struct(comparison)
export type Comparison = typeof Comparison.Type

const Signature = Schema.Struct({ name: Schema.String, email: Schema.String, date: Schema.NullOr(Schema.String) })

/** A commit, and its changes compared with the first parent. */
export const CommitDetails = Schema.Struct({
  sha: Schema.String,
  message: Schema.String,
  author: Schema.NullOr(Signature),
  committer: Schema.NullOr(Signature),
  parents: Schema.Array(Schema.String),
  comparison: Comparison
})
export type CommitDetails = typeof CommitDetails.Type

const filter = {
  owner: Schema.String,
  repo: Schema.String,
  /** Restricts the changes to this file or folder. */
  path: Schema.optionalKey(Schema.String),
  ignoreWhitespace: Schema.optionalKey(Schema.Literal("true"))
}

/** Comparisons of commits. */
export class Changes extends HttpApiGroup.make("changes")
  .add(
    HttpApiEndpoint.get("getComparison", "/comparison", {
      query: { ...filter, base: Schema.String, head: Schema.String },
      success: Comparison
    }),
    HttpApiEndpoint.get("getCommit", "/commit", {
      query: { ...filter, ref: Schema.String },
      success: CommitDetails
    }),
    HttpApiEndpoint.get("listPatches", "/patches", {
      query: {
        ...filter,
        /** The commit before the changes; absent for the first commit of a repository. */
        from: Schema.optionalKey(Schema.String),
        head: Schema.String,
        page: Schema.optionalKey(Schema.Int)
      },
      success: Schema.Array(ChangedFile)
    })
  )
  .prefix("/api") {}
