/** Finds a file by path and git revision. */
import * as Effect from "effect/Effect"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import * as ApiError from "./ApiError.ts"

/** A file in a commit. */
export interface FileAtCommit {
  readonly commit: string
  readonly path: string
  readonly oid: string
  /** Size of the file in bytes. */
  readonly size: number
}

/** Finds a file at a revision, by default on the default branch. Fails with `NotFound` if the path is not a file. */
export const find = Effect.fnUntraced(function* ({ git }: ServedRepository, path: string, ref = "HEAD") {
  const commit = yield* git.resolve(ref)
  const entry = commit === undefined ? undefined : yield* git.entryAt(commit, path)
  const info = entry?.kind === "file" ? yield* git.info(entry.oid) : undefined
  if (commit === undefined || info === undefined) return yield* ApiError.notFound()
  return { commit, path, oid: info.oid, size: info.size } satisfies FileAtCommit
})
