/** The uncommitted files of a repository: an extension of the embedded forge. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { conflict, notFound, unsupported } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Sha } from "../Scalars.ts"

/** A file of a work tree that differs from the commit that is checked out. */
export const UncommittedFile = Schema.Struct({
  path: Schema.String,
  /** Path of a renamed file in the commit. */
  previous_path: Schema.optionalKey(Schema.String),
  /** `changed`: a file became a link, or the reverse. */
  status: openEnum(["added", "removed", "modified", "renamed", "copied", "changed"])
}).annotate({
  identifier: "UncommittedFile",
  ...Presentation.of({ columns: { FILE: "path", STATUS: "status" }, arguments: { path: "path" } })
})
export type UncommittedFile = typeof UncommittedFile.Type

/** The work tree of a repository as a commit. */
export const WorkTree = Schema.Struct({
  /** False for a bare repository, or a caller who may not read the work tree. `commit` then equals `head`. */
  available: Schema.Boolean,
  /**
   * Commit with the tracked and untracked files on disk, without ignored ones. The parent is `head`; without changes,
   * the commit is `head`. Only this process of the forge has the commit, for this caller, until newer snapshots replace
   * the commit.
   */
  commit: Sha,
  /** The commit that is checked out. Null before the first commit. */
  head: Schema.NullOr(Sha),
  /** The branch that is checked out. Null for a detached HEAD. */
  branch: Schema.NullOr(Schema.String),
  /** Number of files that differ from `head`. */
  changed_files: Schema.Int.annotate(Presentation.format("count")),
  /** The first 1,000 of these files, by path. */
  files: Schema.Array(UncommittedFile),
  /** True if some files on disk are left out. */
  incomplete_results: Schema.Boolean,
  /** Sentences about files that are left out, or that changed during the read. */
  notes: Schema.Array(Schema.String)
}).annotate({
  identifier: "WorkTree",
  ...Presentation.of({
    columns: { BRANCH: "branch", HEAD: "head", COMMIT: "commit", CHANGED: "changed_files" },
    title: "branch",
    arguments: { ref: "commit" }
  })
})
export type WorkTree = typeof WorkTree.Type

/** The work trees of repositories. Absent on forges without this extension (`Unsupported`). */
export class WorkTrees extends Group.make("workTrees", () => [
  HttpApiEndpoint.get("get", "/tongs/repos/:owner/:repo/work-tree", {
    params: repositoryPath,
    success: WorkTree,
    error: [notFound, conflict, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "Get the work tree of a repository as a commit",
      description:
        "Reads of this commit give the files on disk. Only the owner's own commands, terminal, local page and agent over stdio can read work trees."
    })
  )
]) {}
