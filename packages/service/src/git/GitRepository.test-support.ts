import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Git } from "./process/Git.ts"
import type { GitRepository } from "./GitRepository.ts"
import { GitRepositories } from "./GitRepositories.ts"

export const repositories = Layer.merge(GitRepositories.layer, Git.layer)

export const open = (path: string) => Effect.flatMap(GitRepositories, (all) => all.open(path))

/** The first files that a commit changed, with their patches. */
export const changesOf = Effect.fnUntraced(function* ({ changes, commit }: GitRepository, oid: string, limit = 300) {
  const found = yield* commit(oid)
  const range = { from: found === undefined ? undefined : yield* changes.parentOf(found), to: oid }
  const listing = yield* changes.list(range)
  return yield* changes.withPatches(range, listing, listing.files.slice(0, limit))
})

/** Paths that lead out of a repository, or that git does not write in trees. */
export const hostilePaths = [
  "../x",
  "/etc/passwd",
  "a/../../b",
  "a//b",
  "./a",
  ".",
  "..",
  "a/./b",
  "a\0b",
  "//",
  "a.txt/x"
]
