/** The work trees of local repositories, which the page shows by default if only the owner uses the explorer. */
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import type { UncommittedFile } from "@tongs/core/contract/groups/WorkTrees"
import type * as ExplorerApi from "../ExplorerApi.ts"
import { interactive } from "./RequestOptions.ts"

/** A snapshot of a work tree. */
export interface WorkTreeView {
  /** The commit with the files on disk. */
  readonly commit: string
  readonly branch: string | null
  readonly details: ExplorerApi.WorkTree
  /** The status of each changed file that the forge lists, and of the folders with these files. */
  readonly statuses: ReadonlyMap<string, string>
}

/** True if the default view of the repository is the work tree. */
export const exists = ({ owner, repo }: ExplorerApi.RepositoryName) =>
  Effect.map(
    Connection,
    ({ searchesWorkTrees, workTrees }) => searchesWorkTrees === true && workTrees?.has(`${owner}/${repo}`) === true
  )

/** Takes a snapshot of the work tree. Undefined without a work tree, and for one that the forge cannot read. */
export const take = Effect.fn("WorkTreeView.take")(function* ({ owner, repo }: ExplorerApi.RepositoryName) {
  if (!(yield* exists({ owner, repo }))) return undefined
  const forge = yield* Forge
  const found = yield* forge.workTrees
    .get({ owner, repo }, yield* interactive)
    .pipe(Effect.catchTag(["NotFound", "Conflict", "Unsupported", "ServiceFailed"], () => Effect.succeed(undefined)))
  if (found?.available !== true) return undefined
  const { branch, changed_files: changedFiles, commit, files, head, notes } = found
  return { commit, branch, details: { head, changedFiles, notes }, statuses: statusesOf(files) } satisfies WorkTreeView
})

const statusesOf = (files: ReadonlyArray<UncommittedFile>): WorkTreeView["statuses"] => {
  const statuses = new Map<string, string>()
  for (const { path, status } of files) {
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1))
      statuses.set(path.slice(0, end), "modified")
    statuses.set(path, status)
  }
  return statuses
}
