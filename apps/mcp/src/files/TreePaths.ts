/** Finds entries of a tree by path. Reads only the folders on the way, because a whole tree can be large. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { GitTreeEntry } from "@tongs/core/contract/groups/GitObjects"
import type { Failure } from "@tongs/core/contract/Failure"
import type { Call, RepositoryName } from "../call/Call.ts"
import { ToolError } from "../call/ToolError.ts"

/** Entries by path. A path without an entry is missing. */
export type Entries = ReadonlyMap<string, GitTreeEntry>

/** Returns the entries at the paths of a tree. Fails with `ToolError` for a path below a file. */
export const find = Effect.fnUntraced(function* (
  { owner, repo }: RepositoryName,
  tree: string,
  paths: ReadonlyArray<string>,
  { deadline }: Pick<Call, "deadline">
) {
  const forge = yield* Forge
  const folders = new Map<string, Entries>()
  const read = Effect.fnUntraced(function* (id: string) {
    const { tree, truncated } = yield* forge.gitTrees.get({ owner, repo, tree_sha: id }, { deadline })
    if (truncated) return yield* new ToolError({ detail: "A folder on the way has too many entries." })
    return new Map(tree.map((entry) => [entry.path, entry]))
  })
  const entriesOf: (folder: string) => Effect.Effect<Entries, Failure | ToolError> = Effect.fnUntraced(
    function* (folder) {
      const known = folders.get(folder)
      if (known !== undefined) return known
      const entry = folder === "" ? undefined : yield* entryAt(folder)
      if (entry !== undefined && entry.type !== "tree") {
        return yield* new ToolError({ detail: `${JSON.stringify(folder)} is not a folder.` })
      }
      const id = folder === "" ? tree : entry?.sha
      const entries: Entries = id === undefined ? new Map() : yield* read(id)
      folders.set(folder, entries)
      return entries
    }
  )
  const entryAt = (path: string) => {
    const end = path.lastIndexOf("/")
    return Effect.map(entriesOf(path.slice(0, Math.max(0, end))), (entries) => entries.get(path.slice(end + 1)))
  }
  const found = new Map<string, GitTreeEntry>()
  for (const path of paths) {
    const entry = yield* entryAt(path)
    if (entry !== undefined) found.set(path, entry)
  }
  return found
})
