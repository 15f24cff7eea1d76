/**
 * New objects of a rebase: in memory, and as files of a view once a git process needs them. A rebase without such a
 * process writes no file before its result.
 */
import * as Effect from "effect/Effect"
import type { GitRepository } from "../GitRepository.ts"
import * as ObjectFiles from "../objects/ObjectFiles.ts"
import { Git } from "../process/Git.ts"
import type { GitError } from "../values/GitError.ts"
import type { ObjectType, TreeEntry } from "../values/GitObject.ts"
import { encodeTree } from "../values/ObjectEncoding.ts"
import * as PackEncoding from "../values/PackEncoding.ts"
import type * as TrivialMerge from "./TrivialMerge.ts"

export interface TemporaryObjects extends TrivialMerge.Trees {
  readonly writeCommit: (content: Uint8Array) => Effect.Effect<string, GitError>
  /** Writes all objects as files of the view. */
  readonly flush: Effect.Effect<void, GitError>
  /**
   * A pack with the new objects that commit `oid` reaches and `excluded` does not. Without a flush, a pack of all new
   * objects.
   */
  readonly pack: (oid: string, excluded: ReadonlyArray<string>) => Effect.Effect<Buffer, GitError, Git>
}

/** Maximum bytes of objects in memory. */
const MAX_BYTES = 32 * 1024 * 1024

/** Concurrent writes of files. */
const CONCURRENCY = 16

/** Collects objects for `view`, a view of `repository`. */
export const make = (repository: Pick<GitRepository, "tree">, view: GitRepository): TemporaryObjects => {
  const store = { gitDir: view.gitDir, format: view.objectFormat, shared: undefined, isDurable: false }
  const pending = new Map<string, PackEncoding.PackedObject>()
  const trees = new Map<string, ReadonlyArray<TreeEntry>>()
  let bytes = 0
  let isFlushed = false

  const flush = Effect.suspend(() => {
    isFlushed = true
    const objects = [...pending.values()]
    pending.clear()
    trees.clear()
    bytes = 0
    return Effect.forEach(objects, ({ content, type }) => ObjectFiles.write(store, type, content), {
      concurrency: CONCURRENCY,
      discard: true
    })
  })

  const write = (type: ObjectType, content: Uint8Array) =>
    Effect.suspend(() => {
      const oid = ObjectFiles.idOf(type, content, store.format)
      pending.set(oid, { type, content })
      bytes += content.length
      return bytes > MAX_BYTES ? Effect.as(flush, oid) : Effect.succeed(oid)
    })

  return {
    read: Effect.fnUntraced(function* (oid: string) {
      return trees.get(oid) ?? (yield* repository.tree(oid)) ?? (yield* view.tree(oid))
    }),
    write: Effect.fnUntraced(function* (entries: ReadonlyArray<TreeEntry>) {
      const oid = yield* write("tree", encodeTree(entries))
      if (pending.has(oid)) trees.set(oid, entries)
      return oid
    }),
    writeCommit: (content) => write("commit", content),
    flush,
    pack: Effect.fnUntraced(function* (oid: string, excluded: ReadonlyArray<string>) {
      if (!isFlushed) return PackEncoding.encode([...pending.values()], store.format)
      yield* flush
      const git = yield* Git
      const input = [oid, ...excluded.map((one) => `^${one}`)].map((line) => `${line}\n`).join("")
      const args = ["pack-objects", "--revs", "--stdout", "--delta-base-offset", "-q"]
      return (yield* git.run(args, { gitDir: view.gitDir, settings: ["pack.compression=1"], input })).stdout
    })
  }
}
