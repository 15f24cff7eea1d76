/** Reads the files and folders of a commit, also of a tree that is too large for one response of the forge. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { GitTreeEntry } from "@tongs/core/contract/GitObjects"
import type { Call, RepositoryName } from "../call/Call.ts"

/** An entry of a tree. */
export interface Entry {
  readonly path: string
  readonly kind: "file" | "folder" | "link" | "submodule"
}

/** The entries below a folder, each folder before its entries. */
export interface FileTree {
  /** Id of the tree of the whole commit, which names the same entries forever. */
  readonly id: string
  readonly entries: ReadonlyArray<Entry>
  /** Folders with entries that were not read, because the tree is too large. */
  readonly unread: ReadonlySet<string>
}

/** Maximum number of requests for a tree that is too large for one response. */
const MAX_REQUESTS = 40

/** Subtrees to request at the same time. */
const CONCURRENCY = 4

/** Reads the entries below `folder`, or all if it is empty. `tree` is a branch, tag or commit, or the id of a tree. */
export const read = Effect.fnUntraced(function* (
  repository: RepositoryName,
  tree: string,
  folder: string,
  { deadline, reportProgress }: Pick<Call, "deadline" | "reportProgress">
) {
  const forge = yield* Forge
  const unread = new Set<string>()
  let requests = 0
  const get = (sha: string, isRecursive: boolean) => {
    requests++
    return forge.gitTrees.get(
      { ...repository, tree_sha: sha, ...(isRecursive ? { recursive: "1" } : {}) },
      { deadline }
    )
  }
  const below = (sha: string, path: string): ReturnType<typeof level> =>
    Effect.flatMap(get(sha, true), (all) =>
      all.truncated ? level(sha, path) : Effect.succeed(all.tree.map((entry) => convert(entry, path)))
    )
  // The forge lists the direct entries of a tree completely, so its subtrees can be read one by one.
  const level: (
    sha: string,
    path: string
  ) => Effect.Effect<ReadonlyArray<Entry>, Effect.Error<ReturnType<typeof get>>> = Effect.fnUntraced(
    function* (sha, path) {
      const direct = yield* get(sha, false)
      if (direct.truncated) unread.add(path)
      const parts = yield* Effect.forEach(
        direct.tree,
        (entry) => {
          const own = convert(entry, path)
          if (own.kind !== "folder") return Effect.succeed([own])
          if (requests >= MAX_REQUESTS) {
            unread.add(own.path)
            return Effect.succeed([own])
          }
          return Effect.map(
            Effect.tap(below(entry.sha, own.path), () => reportProgress(requests, undefined, `Read ${own.path}`)),
            (entries) => [own, ...entries]
          )
        },
        { concurrency: CONCURRENCY }
      )
      return parts.flat()
    }
  )
  const all = yield* get(tree, true)
  if (!all.truncated) return { id: all.sha, entries: all.tree.map((entry) => convert(entry, "")), unread }
  let parent = all.sha
  for (const name of folder === "" ? [] : folder.split("/")) {
    const entry = (yield* get(parent, false)).tree.find(({ path }) => path === name)
    if (entry?.type !== "tree") return { id: all.sha, entries: [], unread }
    parent = entry.sha
  }
  return { id: all.sha, entries: yield* folder === "" ? level(parent, "") : below(parent, folder), unread }
})

const convert = ({ mode, path, type }: GitTreeEntry, folder: string): Entry => ({
  path: folder === "" ? path : `${folder}/${path}`,
  kind: type === "tree" ? "folder" : type === "commit" ? "submodule" : mode === "120000" ? "link" : "file"
})
