/** Merges two commits without a work tree, as `git merge` would with the default strategy. */
import * as Effect from "effect/Effect"
import type { GitRepository } from "../GitRepository.ts"
import { Git } from "../process/Git.ts"
import { commandFailed, type GitError, gitError } from "../values/GitError.ts"
import { isOid } from "../values/Oid.ts"
import { decodeNames } from "../values/TextDecoding.ts"

/** Why commits cannot be merged. */
export type MergeFailure =
  /** Paths with conflicts: at most `MAX_PATHS`, by name. */
  | { readonly _tag: "Conflict"; readonly paths: ReadonlyArray<string> }
  /** The commits have no common ancestor. */
  | { readonly _tag: "Unrelated" }
  /** Git is too old, or a file too large. */
  | { readonly _tag: "Unsupported"; readonly detail: string }

/** The merged tree, or why the commits cannot be merged. */
export type TreeMerge = { readonly _tag: "Merged"; readonly tree: string } | MergeFailure

/** First version of git whose `merge-tree` writes the merged tree. */
const MINIMUM = 2038

/** Maximum bytes that git may allocate for one file. Git merges files in memory. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** Exit code of `git merge-tree` for a conflict, and for a missing commit. */
const CONFLICT = 1

/** Maximum paths of a conflict, and bytes of their listing. */
const MAX_PATHS = 1000
const MAX_LISTING_BYTES = 4 * 1024 * 1024

/** True if this version of git, for example `2.39.5`, can merge without a work tree. */
export const supports = (version: string): boolean => {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) * 1000 + Number(minor) >= MINIMUM
}

/**
 * Merges commit `theirs` into `ours`. Runs one git process in the isolated git directory, so that the repository's merge
 * drivers and attributes have no effect, and within the deadline of git commands. Fails with `ObjectMissing` for an
 * unknown commit.
 */
export const mergeTree = Effect.fn("MergeTree.mergeTree")(function* (
  { commit, gitDir }: Pick<GitRepository, "commit" | "gitDir">,
  ours: string,
  theirs: string,
  settings: ReadonlyArray<string> = []
): Effect.fn.Return<TreeMerge, GitError, Git> {
  const git = yield* Git
  const version = yield* git.version
  if (!supports(version)) {
    const detail = `Merging requires git 2.38 or newer on the forge, which has git ${version}. Update git there.`
    return { _tag: "Unsupported", detail }
  }
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs]
  const environment = { GIT_ALLOC_LIMIT: String(MAX_FILE_BYTES) }
  const chunks: Array<Buffer> = []
  let size = 0
  // An early end of git would hide the exit code.
  const onOutput = (chunk: Buffer) => {
    if (size < MAX_LISTING_BYTES) chunks.push(chunk)
    size += chunk.length
    return true
  }
  const result = yield* git.run(args, { gitDir, acceptedExitCodes: [CONFLICT], environment, settings, onOutput }).pipe(
    Effect.map(({ exitCode }) => exitCode),
    Effect.catchIf(isCommandFailed, (error) => {
      const stderr = stderrOf(error)
      if (/over limit/.test(stderr)) return Effect.succeed<TreeMerge>(tooLarge)
      return /refusing to merge unrelated histories/.test(stderr)
        ? Effect.succeed<TreeMerge>({ _tag: "Unrelated" })
        : Effect.fail(error)
    })
  )
  if (typeof result !== "number") return result
  const output = Buffer.concat(chunks)
  const [tree = "", ...names] = decodeNames(output.subarray(0, output.lastIndexOf(0))).split("\0")
  if (!isOid(tree)) {
    for (const oid of [ours, theirs]) {
      if ((yield* commit(oid)) === undefined) return yield* gitError({ _tag: "ObjectMissing", oid })
    }
    return yield* commandFailed(args, result, "it printed no tree")
  }
  if (result !== CONFLICT) return { _tag: "Merged", tree }
  // Git moves a file that conflicts with a folder to `path~commit`.
  const paths = names.map((name) => name.replace(`~${ours}`, "").replace(`~${theirs}`, ""))
  return { _tag: "Conflict", paths: [...new Set(paths)].filter((path) => path !== "").slice(0, MAX_PATHS) }
})

const tooLarge = { _tag: "Unsupported", detail: "A file is too large to merge (256 MB). Merge with git" } as const

const isCommandFailed = (error: GitError) => error.reason._tag === "CommandFailed"

const stderrOf = ({ reason }: GitError): string => (reason._tag === "CommandFailed" ? reason.stderr : "")
