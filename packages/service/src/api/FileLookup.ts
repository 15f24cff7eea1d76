/** Finds the file that a path and a revision name. */
import * as Effect from "effect/Effect"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import * as ApiError from "./ApiError.ts"

/** A file at a commit. */
export interface FileAtCommit {
  readonly commit: string
  readonly path: string
  readonly oid: string
  /** In bytes. */
  readonly size: number
}

/** The file of a path at a revision, by default of the default branch. Fails with `NotFound` for anything else. */
export const find = Effect.fnUntraced(function* ({ git }: ServedRepository, path: string, ref = "HEAD") {
  const commit = yield* git.resolve(ref)
  const entry = commit === undefined ? undefined : yield* git.entryAt(commit, path)
  const info = entry?.kind === "file" ? yield* git.info(entry.oid) : undefined
  if (commit === undefined || info === undefined) return yield* ApiError.notFound()
  return { commit, path, oid: info.oid, size: info.size } satisfies FileAtCommit
})
