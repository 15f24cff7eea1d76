import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { CatFile, ObjectContents } from "../process/CatFile.ts"
import type { ObjectInfo } from "../process/CatFileProcess.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import * as GitObject from "../values/GitObject.ts"
import type { LruCache } from "../../base/LruCache.ts"
import { isOid } from "../values/Oid.ts"

/** The tree entry at a path of a commit. */
export interface PathEntry {
  readonly kind: "file" | "dir" | "symlink" | "submodule"
  readonly mode: string
  readonly oid: string
  readonly name: string
  readonly path: string
}

/** The content of a file. `size` in bytes. */
export interface Blob {
  readonly oid: string
  readonly size: number
  readonly bytes: Uint8Array
}

/** Reads the objects of one repository by id. Gives `undefined` for an object that is missing or has another type. */
export interface Objects {
  readonly info: (oid: string) => Effect.Effect<ObjectInfo | undefined, GitError>
  readonly commit: (oid: string) => Effect.Effect<GitObject.Commit | undefined, GitError>
  readonly tree: (oid: string) => Effect.Effect<ReadonlyArray<GitObject.TreeEntry> | undefined, GitError>
  readonly tag: (oid: string) => Effect.Effect<GitObject.Tag | undefined, GitError>
  /** Fails with `TooLarge` above `limit` bytes. The default is 100 MB, the limit of the largest responses. */
  readonly blob: (oid: string, limit?: number) => Effect.Effect<Blob | undefined, GitError>
  /** The content of an existing blob, with back-pressure. */
  readonly blobStream: (oid: string) => Stream.Stream<Uint8Array, GitError>
  /**
   * The entry at a path of a commit; `""` is the root. `undefined` for a missing entry, or a path with `..`, `.`, NUL
   * or empty parts. Symbolic links are reported, never followed.
   */
  readonly entryAt: (commit: string, path: string) => Effect.Effect<PathEntry | undefined, GitError>
}

/** Parsed objects of all repositories, weighed by memory. */
export type ObjectCache = LruCache<
  | { readonly type: "commit"; readonly value: GitObject.Commit }
  | {
      readonly type: "tree"
      readonly value: ReadonlyArray<GitObject.TreeEntry>
    }
>

/** Maximum bytes of a commit, tree or tag to read. Real objects are far smaller. */
const MAX_METADATA_BYTES = 64 * 1024 * 1024

/** Estimated memory of a parsed object in bytes, measured on commits and trees. */
const weigh = (size: number): number => 4 * size + 256

const DEFAULT_BLOB_LIMIT = 100 * 1024 * 1024

/** Reads the objects of the repository at `gitDir`. */
export const make = (
  catFile: CatFile["Service"],
  gitDir: string,
  format: GitObject.ObjectFormat,
  cache: ObjectCache
): Objects => {
  const contents = (oid: string, limit: number): Effect.Effect<ObjectContents | undefined, GitError> =>
    isOid(oid) ? catFile.contents(gitDir, oid, limit) : Effect.undefined

  // The key contains the repository, because an object must only be readable through a repository with this object.
  const key = (oid: string) => `${gitDir}\0${oid}`

  const commit = (oid: string) => {
    const known = cache.get(key(oid))
    if (known !== undefined) return Effect.succeed(known.type === "commit" ? known.value : undefined)
    return readCommit(oid)
  }

  const readCommit = Effect.fnUntraced(function* (oid: string) {
    const object = yield* contents(oid, MAX_METADATA_BYTES)
    if (object?.type !== "commit") return undefined
    const value = GitObject.parseCommit(object.bytes)
    cache.set(key(oid), { type: "commit", value }, weigh(object.size))
    return value
  })

  const tree = Effect.fnUntraced(function* (oid: string) {
    const known = cache.get(key(oid))
    if (known !== undefined) return known.type === "tree" ? known.value : undefined
    const object = yield* contents(oid, MAX_METADATA_BYTES)
    if (object?.type !== "tree") return undefined
    const value = GitObject.parseTree(object.bytes, format)
    cache.set(key(oid), { type: "tree", value }, weigh(object.size))
    return value
  })

  const entryAt = Effect.fnUntraced(function* (commitOid: string, path: string) {
    const parts = splitPath(path)
    const root = parts === undefined ? undefined : yield* commit(commitOid)
    if (parts === undefined || root === undefined) return undefined
    let entry: PathEntry = { kind: "dir", mode: "040000", oid: root.tree, name: "", path: "" }
    for (const part of parts) {
      const entries: ReadonlyArray<GitObject.TreeEntry> | undefined =
        entry.kind === "dir" ? yield* tree(entry.oid) : undefined
      const found = entries?.find(({ name }) => name === part)
      if (found === undefined) return undefined
      entry = {
        kind: kindOfMode(found.mode),
        mode: found.mode,
        oid: found.oid,
        name: part,
        path: entry.path === "" ? part : `${entry.path}/${part}`
      }
    }
    return entry
  })

  return {
    info: (oid) => (isOid(oid) ? catFile.info(gitDir, oid) : Effect.undefined),
    commit,
    tree,
    tag: (oid) =>
      Effect.map(contents(oid, MAX_METADATA_BYTES), (object) =>
        object?.type === "tag" ? GitObject.parseTag(object.bytes) : undefined
      ),
    blob: (oid, limit = DEFAULT_BLOB_LIMIT) =>
      Effect.map(contents(oid, limit), (object) => (object?.type === "blob" ? object : undefined)),
    blobStream: (oid) => catFile.stream(gitDir, oid),
    entryAt
  }
}

/** The kind of a tree entry with this mode. */
export const kindOfMode = (mode: string): PathEntry["kind"] =>
  mode === "040000" ? "dir" : mode === "120000" ? "symlink" : mode === "160000" ? "submodule" : "file"

/** Splits a path inside a tree. `undefined` for an invalid path. A trailing slash is allowed. */
export const splitPath = (path: string): ReadonlyArray<string> | undefined => {
  if (path === "") return []
  const parts = path.replace(/\/$/, "").split("/")
  return parts.every((part) => part !== "" && part !== "." && part !== ".." && !part.includes("\0")) ? parts : undefined
}

/** The error for a path that {@link splitPath} rejects. */
export const invalidPath = (path: string) =>
  gitError({ _tag: "InvalidName", name: path, detail: "paths must stay inside the repository" })
