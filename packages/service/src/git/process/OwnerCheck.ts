/**
 * Checks the owner of a repository. Like git, the forge serves a repository of another user, which could be malicious,
 * only if `safe.directory` of the user or the system allows the repository.
 */
import { lstatSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { realpath } from "../files/Files.ts"
import type { Git } from "./Git.ts"
import * as GitCommand from "./GitCommand.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import type { RepositoryLocation } from "../values/RepositoryLocation.ts"

/**
 * Fails with `OtherOwner` unless this user owns all folders of the repository, or `safe.directory` allows the
 * repository.
 */
export const check = Effect.fn("OwnerCheck.check")(function* (
  git: Git["Service"],
  { commonDir, gitDir, path }: RepositoryLocation
): Effect.fn.Return<void, GitError> {
  const own = process.geteuid?.()
  // Windows has no user ids.
  if (own === undefined) return
  // As in git, root may use the repositories of the caller of `sudo`.
  const allowed = own === 0 ? [own, GitCommand.sudoUser()] : [own]
  const foreign = [path, join(path, ".git"), gitDir, commonDir].flatMap((folder) => {
    const uid = ownerOf(folder)
    return uid === undefined || allowed.includes(uid) ? [] : [{ folder, uid }]
  })[0]
  if (foreign === undefined || isSafe(yield* git.safeDirectories, path)) return
  return yield* gitError({ _tag: "OtherOwner", path, ...foreign })
})

/** True if the values of `safe.directory` allow a folder. An empty value resets the preceding values. */
export const isSafe = (values: ReadonlyArray<string>, path: string): boolean =>
  values.slice(values.lastIndexOf("") + 1).some((value) => {
    if (value === "*") return true
    const isPrefix = value.endsWith("/*")
    const named = (isPrefix ? value.slice(0, -2) : value).replace(/^~(?=\/|$)/, homedir())
    const folder = realpath(named) ?? named
    return isPrefix ? path.startsWith(folder === "/" ? folder : `${folder}/`) : path === folder
  })

const ownerOf = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.uid
