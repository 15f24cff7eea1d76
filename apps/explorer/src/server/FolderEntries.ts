/** The entries of a folder, including folders with more entries than the forge lists in the contents. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { ContentEntry } from "@tongs/core/contract/groups/Contents"
import type * as Failure from "@tongs/core/contract/Failure"
import type * as ExplorerApi from "../ExplorerApi.ts"
import { interactive } from "./RequestOptions.ts"

/** A folder of a repository at a commit. */
export type Folder = Omit<ExplorerApi.PinnedPath, "ref">

/** An entry, and the id of its object. */
interface Entry extends ExplorerApi.FolderEntry {
  readonly sha: string
}

/** Number of entries above which a forge cuts a folder's contents. */
const MAX_CONTENTS = 1_000

/** Maximum number of entries in a response. The page finds further entries by name. */
const MAX_ENTRIES = 10_000

/** The entries in the order of the page, and the count. `contents` is the forge's response for the folder. */
export const list = Effect.fn("FolderEntries.list")(function* (folder: Folder, contents: ReadonlyArray<ContentEntry>) {
  const entries = yield* complete(folder, contents)
  const shown = entries.toSorted(inOrder).slice(0, MAX_ENTRIES)
  return { entries: shown.map(({ sha: _sha, ...entry }): ExplorerApi.FolderEntry => entry), total: entries.length }
})

/**
 * All entries. A cut list is replaced by the tree of the folder. The id of the tree is in an entry of the parent
 * folder.
 */
const complete: (
  folder: Folder,
  contents: ReadonlyArray<ContentEntry>
) => Effect.Effect<ReadonlyArray<Entry>, Failure.Failure, Forge> = Effect.fnUntraced(function* (folder, contents) {
  const { path } = folder
  const listed = contents.map((entry): Entry => ({
    name: entry.name,
    path: entry.path,
    kind: kinds.find((kind) => kind === entry.type) ?? "file",
    size: entry.size,
    sha: entry.sha
  }))
  if (contents.length < MAX_CONTENTS) return listed
  const tree = path === "" ? folder.commit : yield* treeOf(folder)
  return tree === undefined ? listed : yield* entriesOf(folder, tree)
})

/** The id of the folder's tree. */
const treeOf = Effect.fnUntraced(function* (folder: Folder) {
  const parent = { ...folder, path: folder.path.split("/").slice(0, -1).join("/") }
  const contents = yield* get(parent)
  return (yield* complete(parent, contents)).find(({ path }) => path === folder.path)?.sha
})

const get = Effect.fnUntraced(function* ({ commit, owner, path, repo }: Folder) {
  const forge = yield* Forge
  const found = yield* forge.contents.get({ owner, repo, path, ref: commit }, yield* interactive)
  return isList(found) ? found : []
})

const entriesOf = Effect.fnUntraced(function* ({ owner, path, repo }: Folder, sha: string) {
  const forge = yield* Forge
  const { tree } = yield* forge.gitTrees.get({ owner, repo, tree_sha: sha }, yield* interactive)
  return tree.map((entry): Entry => ({
    name: entry.path,
    path: path === "" ? entry.path : `${path}/${entry.path}`,
    kind: modes.get(entry.mode) ?? "file",
    size: entry.size ?? 0,
    sha: entry.sha
  }))
})

const isList = (found: ContentEntry | ReadonlyArray<ContentEntry>): found is ReadonlyArray<ContentEntry> =>
  Array.isArray(found)

const kinds = ["dir", "file", "symlink", "submodule"] as const // the names must stay literals

const modes: ReadonlyMap<string, ExplorerApi.FolderEntry["kind"]> = new Map([
  ["040000", "dir"],
  ["120000", "symlink"],
  ["160000", "submodule"]
])

/** Folders first, then by name, with numbers in order: `a2` before `a10`. */
const inOrder = (a: ExplorerApi.FolderEntry, b: ExplorerApi.FolderEntry): number =>
  Number(b.kind === "dir") - Number(a.kind === "dir") || byName.compare(a.name, b.name)

const byName = new Intl.Collator("en", { numeric: true })
