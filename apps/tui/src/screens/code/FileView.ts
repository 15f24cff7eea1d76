/** The files that a screen reads: at a ref, or by default in the work tree, if the forge has the work tree. */
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import type { Forge } from "@tongs/core/client/Forge"
import type { Failure } from "@tongs/core/contract/Failure"
import type { UncommittedFile } from "@tongs/core/contract/groups/WorkTrees"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { LoadOptions } from "../../content/Source.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

/** The files of a repository. */
export interface FileView {
  /** The revision to read. Routes keep the revision of the screen, so that the next screen takes a new snapshot. */
  readonly at: RevisionArguments.Revision
  /** For example `work tree of main, 3 changed files`. Undefined if the forge has no work tree. */
  readonly label: string | undefined
  /** The commit of the work tree, if the work tree has changes. */
  readonly snapshot?: string | undefined
  /** The files of the work tree that differ from the commit: at most the first 1,000. */
  readonly changed: ReadonlyArray<UncommittedFile>
}

/** The ref of the screens that show the checked-out commit in place of the work tree. */
export const COMMITTED = "HEAD"

/** Returns the files to read for the revision of a screen. Takes a snapshot of the work tree. */
export const of = Effect.fnUntraced(function* (
  forge: Forge["Service"],
  at: RevisionArguments.Revision,
  { priority, timeout }: LoadOptions
): Effect.fn.Return<FileView, Failure, Connection> {
  const { searchesWorkTrees } = yield* Connection
  const plain: FileView = { at, label: undefined, changed: [] }
  const isDefault = at.ref === undefined
  // A remote forge does not serve work trees, so the request would only cost rate limit.
  if (searchesWorkTrees !== true || (!isDefault && at.ref !== COMMITTED)) return plain
  const repository = RevisionArguments.repository(at)
  return yield* forge.workTrees.get(repository, { priority, timeout }).pipe(
    Effect.map(({ available, branch, changed_files: count, commit, files, head }): FileView => {
      if (!available) return plain
      const name = branch ?? "a detached HEAD"
      if (isDefault) {
        const changes = count === 0 ? "no changes" : NumberFormat.quantity(count, "changed file")
        const snapshot = commit === head ? undefined : commit
        return {
          at: { ...repository, ref: commit },
          label: `work tree of ${name}, ${changes}`,
          changed: files,
          snapshot
        }
      }
      if (head === null) return { ...plain, label: `no commit on ${name}` }
      return { at: { ...repository, ref: head }, label: `commit ${AbbreviatedId.of(head)} of ${name}`, changed: [] }
    }),
    // The request of the screen explains a repository that does not exist or is empty.
    Effect.catchTag(["NotFound", "Conflict", "Unsupported"], () => Effect.succeed(plain)),
    Effect.catchTag("ServiceFailed", () => Effect.succeed({ ...plain, label: "committed files, work tree unreadable" }))
  )
})
