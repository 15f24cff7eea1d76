/** Reads the files and folders of a commit, also of a tree that is too large for one response of the forge. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { GitTree, GitTreeEntry } from "@tongs/core/contract/groups/GitObjects"
import * as PathText from "@tongs/core/text/PathText"
import type { Call, RepositoryName } from "../call/Call.ts"

/** An entry of a tree. */
export interface Entry {
  readonly path: string
  readonly kind: "file" | "folder" | "link" | "submodule"
}

/** The entries below a folder, each folder before its entries. */
export interface FileTree {
  /** Id of the tree of the folder, which names the same entries forever. Undefined if the folder does not exist. */
  readonly id: string | undefined
  /** Entries with paths from the root. If the folder does not exist, the entries of the whole commit. */
  readonly entries: ReadonlyArray<Entry>
  /** Folders with entries that were not read, because the tree is too large. */
  readonly unread: ReadonlySet<string>
}

/** The tree to read. */
export interface Target extends RepositoryName {
  readonly ref: string | undefined
  /** The folder; empty for the root. */
  readonly folder: string
  /** Id of the tree of the folder, if known. */
  readonly id: string | undefined
  /** Number of levels to read of a tree that is too large for one response. */
  readonly levels: number
}

/** Maximum number of requests for a tree that is too large for one response. */
const MAX_REQUESTS = 40

/** Number of entries of a folder's list from which entries can be missing. */
const MAX_LISTED = 1_000

/** Subtrees to request at the same time. */
const CONCURRENCY = 4

type Options = Pick<Call, "deadline" | "reportProgress">

/** Reads the entries below a folder. */
export const read = Effect.fnUntraced(function* (target: Target, options: Options) {
  const { folder, id, ref } = target
  const known = id ?? (folder === "" ? (ref ?? "HEAD") : yield* idOf(target, options))
  if (known !== undefined) return yield* readTree(target, known, folder, options)
  return { ...(yield* readTree(target, ref ?? "HEAD", "", options)), id: undefined }
})

/** Returns the id of a folder's tree; undefined if the folder does not exist. */
const idOf = Effect.fnUntraced(function* ({ folder, owner, ref, repo }: Target, { deadline }: Options) {
  const forge = yield* Forge
  const path = PathText.folderOf(folder)
  const listed = yield* forge.contents
    .get({ owner, repo, path, ...(ref === undefined ? {} : { ref }) }, { deadline })
    .pipe(Effect.catchTag("NotFound", () => Effect.succeed([])))
  if ("type" in listed) return undefined
  const found = listed.find((one) => one.type === "dir" && one.path === folder)
  if (found !== undefined || listed.length < MAX_LISTED) return found?.sha
  let id: string | undefined = ref ?? "HEAD"
  for (const name of folder.split("/")) {
    if (id === undefined) return undefined
    const level: GitTree = yield* forge.gitTrees.get({ owner, repo, tree_sha: id }, { deadline })
    id = level.tree.find((one) => one.type === "tree" && one.path === name)?.sha
  }
  return id
})

const readTree = Effect.fnUntraced(function* (
  { levels, owner, repo }: Target,
  id: string,
  folder: string,
  { deadline, reportProgress }: Options
) {
  const forge = yield* Forge
  const unread = new Set<string>()
  let requests = 0
  const get = (sha: string, isRecursive: boolean) => {
    requests++
    return forge.gitTrees.get({ owner, repo, tree_sha: sha, ...(isRecursive ? { recursive: "1" } : {}) }, { deadline })
  }
  const below = (sha: string, path: string, levels: number): ReturnType<typeof level> =>
    levels < Infinity
      ? level(sha, path, levels)
      : Effect.flatMap(get(sha, true), (all) =>
          all.truncated ? level(sha, path, levels) : Effect.succeed(all.tree.map((entry) => convert(entry, path)))
        )
  // The forge lists the direct entries of a tree completely, so the subtrees can be read one by one.
  const level: (
    sha: string,
    path: string,
    levels: number
  ) => Effect.Effect<ReadonlyArray<Entry>, Effect.Error<ReturnType<typeof get>>> = Effect.fnUntraced(
    function* (sha, path, levels) {
      const direct = yield* get(sha, false)
      if (direct.truncated) unread.add(path)
      const parts = yield* Effect.forEach(
        direct.tree,
        (entry) => {
          const own = convert(entry, path)
          if (own.kind !== "folder") return Effect.succeed([own])
          if (levels <= 1 || requests >= MAX_REQUESTS) {
            unread.add(own.path)
            return Effect.succeed([own])
          }
          return Effect.map(
            Effect.tap(below(entry.sha, own.path, levels - 1), () =>
              reportProgress(requests, undefined, `Read ${own.path}`)
            ),
            (entries) => [own, ...entries]
          )
        },
        { concurrency: CONCURRENCY }
      )
      return parts.flat()
    }
  )
  const all = yield* get(id, true)
  const entries = all.truncated
    ? yield* level(all.sha, folder, levels)
    : all.tree.map((entry) => convert(entry, folder))
  return { id: all.sha, entries, unread } satisfies FileTree
})

const convert = ({ mode, path, type }: GitTreeEntry, folder: string): Entry => ({
  path: folder === "" ? path : `${folder}/${path}`,
  kind: type === "tree" ? "folder" : type === "commit" ? "submodule" : mode === "120000" ? "link" : "file"
})
