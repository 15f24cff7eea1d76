/**
 * Copies a git repository into which other processes write. The copy has every reference at a value that it had during
 * the copy, and all objects that these references reach.
 *
 * **Details**
 *
 * References come before objects, because git writes the objects of a reference first. Loose references come before
 * `packed-refs`, because git removes them only after it has written that file. Objects never change, but a repack
 * replaces loose objects and packs by others. The objects are complete when a pass over all of their files finds no file
 * that is new or has disappeared.
 */
import { join } from "node:path"
import type { FileCopy } from "./FileCopy.ts"

/** Maximum number of passes over the objects. */
const MAX_PASSES = 20

/** False for the files of programs that write at this moment. No reference can have such a name. */
const isUnlocked = (path: string) => !path.endsWith(".lock")

/** False for objects that git is still writing. */
const isObject = (path: string) => isUnlocked(path) && !/(?:^|\/)tmp_/.test(path)

/** False for what is copied on its own, and for the index of a work tree. */
const isOther = (path: string) =>
  isUnlocked(path) && !/^(?:HEAD|index|objects|packed-refs|refs|worktrees)$|^tmp_/.test(path)

/** Copies the git directory at a path. Returns false if it does not exist any more. Throws if it does not come to rest. */
export const run = async (copy: FileCopy, gitDir: string): Promise<boolean> => {
  if (!(await copy.file(join(gitDir, "HEAD")))) return false
  await copy.folder(join(gitDir, "refs"), isUnlocked)
  await copy.file(join(gitDir, "packed-refs"))
  // Git refuses a repository without the folder, also if it is empty.
  await copy.folder(join(gitDir, "objects"), () => false)
  const seen = new Set<string>()
  for (let pass = 0; ; pass++) {
    if (pass === MAX_PASSES) throw new Error(`${gitDir}: its objects change faster than they can be copied`)
    if (!(await copyNewObjects(copy, gitDir, seen))) break
  }
  await copy.folder(gitDir, isOther)
  return true
}

/** Copies the objects that `seen` lacks. Returns true if there was one, or if a file has disappeared. */
const copyNewObjects = async (copy: FileCopy, gitDir: string, seen: Set<string>): Promise<boolean> => {
  const objects = join(gitDir, "objects")
  let hasChanged = false
  for (const name of await copy.list(objects, isObject)) {
    // The alternates and other information can change.
    const isFinal = !name.startsWith("info/")
    if (isFinal && seen.has(name)) continue
    const isCopied = await copy.file(join(objects, name))
    if (isCopied) seen.add(name)
    hasChanged ||= isFinal || !isCopied
  }
  return hasChanged
}
