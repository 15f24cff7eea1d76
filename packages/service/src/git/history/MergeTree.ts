/** Merges two commits without a work tree, as `git merge` would with the default strategy. */
import * as Effect from "effect/Effect"
import { Git } from "../process/Git.ts"
import type { Ancestry } from "./Ancestry.ts"

/** The merged tree, or why the commits cannot be merged. */
export type Merge =
  | { readonly _tag: "Merged"; readonly tree: string }
  | { readonly _tag: "Conflict" }
  /** The commits have no common ancestor. */
  | { readonly _tag: "Unrelated" }
  /** Git is too old, or a file too large. */
  | { readonly _tag: "Unsupported"; readonly detail: string }

/** First version of git whose `merge-tree` writes the merged tree. */
const MINIMUM = 2038

/** Maximum bytes that git may allocate for one file. Git merges files in memory. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** Exit code of `git merge-tree` for a conflict. */
const CONFLICT = 1

/** True if this version of git, for example `2.39.5`, can merge without a work tree. */
export const supports = (version: string): boolean => {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) * 1000 + Number(minor) >= MINIMUM
}

/**
 * Merges commit `theirs` into `ours`. Runs in the isolated git directory, so that the repository's merge drivers and
 * attributes have no effect, and within the deadline of git commands.
 */
export const mergeTree = Effect.fn("MergeTree.mergeTree")(function* (
  { gitDir, mergeBase }: Pick<Ancestry, "mergeBase"> & { readonly gitDir: string },
  ours: string,
  theirs: string
) {
  const git = yield* Git
  const version = yield* git.version
  if (!supports(version)) {
    const detail = `Merging requires git 2.38 or newer on the forge, which has git ${version}. Update git there.`
    return { _tag: "Unsupported", detail } satisfies Merge
  }
  if ((yield* mergeBase(ours, theirs)) === undefined) return { _tag: "Unrelated" } satisfies Merge
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs]
  const environment = { GIT_ALLOC_LIMIT: String(MAX_FILE_BYTES) }
  const result = yield* Effect.catchIf(
    git.run(args, { gitDir, acceptedExitCodes: [CONFLICT], environment }),
    ({ reason }) => reason._tag === "CommandFailed" && /over limit/.test(reason.stderr),
    () => Effect.undefined
  )
  if (result === undefined) {
    return { _tag: "Unsupported", detail: "A file is too large to merge (256 MB). Merge with git" } satisfies Merge
  }
  const { exitCode, stdout } = result
  if (exitCode === CONFLICT) return { _tag: "Conflict" } satisfies Merge
  return { _tag: "Merged", tree: stdout.subarray(0, stdout.indexOf(0)).toString("latin1") } satisfies Merge
})
