/** Which repositories and files a request of the explorer is about, as far as the caller may know of them. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { GitError } from "../../git/GitError.ts"
import { type ServedRepository, RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { Caller } from "../../access/Caller.ts"
import * as ApiError from "../../api/ApiError.ts"
import { Roles } from "../../access/Roles.ts"

/** A file at a commit. */
export interface PlacedFile {
  readonly served: ServedRepository
  readonly commit: string
  readonly path: string
  readonly oid: string
  readonly size: number
}

export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles

  const visible = Effect.fnUntraced(function* (caller: Caller) {
    return yield* registry.open(yield* roles.readable(caller, yield* registry.list))
  })

  const repository = Effect.fnUntraced(function* (
    caller: Caller,
    query: URLSearchParams
  ): Effect.fn.Return<ServedRepository, ApiError.ApiError | GitError> {
    const found = Option.getOrUndefined(yield* registry.find(query.get("owner") ?? "", query.get("repo") ?? ""))
    if (found === undefined || (yield* roles.readable(caller, [found.row])).length === 0)
      return yield* ApiError.notFound()
    return found
  })

  const file = Effect.fnUntraced(function* (caller: Caller, query: URLSearchParams) {
    const served = yield* repository(caller, query)
    const { git } = served
    const path = query.get("path") ?? ""
    const commit = yield* git.resolve(query.get("ref") ?? "HEAD")
    const entry = commit === undefined ? undefined : yield* git.entryAt(commit, path)
    const info = entry?.kind === "file" ? yield* git.info(entry.oid) : undefined
    if (commit === undefined || info === undefined) return yield* ApiError.notFound()
    return { served, commit, path, oid: info.oid, size: info.size } satisfies PlacedFile
  })

  return { visible, repository, file }
})

export type Places = Effect.Success<typeof make>
