import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Git } from "./Git.ts"
import { GitRepositories } from "./GitRepositories.ts"

export const repositories = Layer.merge(GitRepositories.layer, Git.layer)

export const open = (path: string) => Effect.flatMap(GitRepositories, (all) => all.open(path))

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
