/**
 * Copies a git repository into which other processes write. The copy has every reference at a value that it had during
 * the copy, and all objects that these references reach.
 *
 * **Details**
 *
 * Each pass lists the object files, copies the references, lists the object files again and copies them. Git writes the
 * objects of a reference first, so that those of the copied references were in files of the first list or are newer.
 * Loose references come before `packed-refs`, because git removes them only after it has written that file.
 *
 * New files need no further pass: no copied reference reaches their objects, or the second list has them. That also holds
 * if a repack moves new objects, since it writes the pack before it removes their files, and packs are listed last.
 *
 * A file of a list that is gone before its copy needs one. A repack has moved the objects, perhaps from a pack to loose
 * files whose folders were listed before; or git has pruned them, since their references were deleted or moved. So the
 * next pass copies the references again, too. Git prunes no new objects, unless somebody runs it with `--prune=now`.
 */
import { join } from "node:path"
import type { FileCopy } from "./FileCopy.ts"

/** Maximum number of passes. */
const MAX_PASSES = 20

/** False for the files of programs that write at this moment. No reference can have such a name. */
const isUnlocked = (path: string) => !path.endsWith(".lock")

/**
 * False for objects that git is still writing, and for indices over commits and packs: they change, can name objects that
 * the copy lacks, and `git maintenance` writes them again.
 */
const isObject = (path: string) =>
  isUnlocked(path) && !/(?:^|\/)tmp_|^info\/commit-graph|^pack\/multi-pack-index/.test(path)

/** False for what is copied on its own, for the index of a work tree, and for hooks, which the forge never runs. */
const isOther = (path: string) =>
  isUnlocked(path) && !/^(?:HEAD|hooks|index|logs|objects|packed-refs|refs|worktrees)$|^tmp_/.test(path)

/** Copies the git directory at a path. Returns false if it does not exist any more. Throws if each pass needs another. */
export const run = async (copy: FileCopy, gitDir: string): Promise<boolean> => {
  const objects = join(gitDir, "objects")
  // Git refuses a repository without the folder, also if it is empty.
  await copy.folder(objects, () => false)
  const seen = new Set<string>()
  for (let pass = 0; ; pass++) {
    if (pass === MAX_PASSES) {
      throw new Error(`${gitDir}: git removes objects faster than they can be copied; run the backup after its repack`)
    }
    const before = await copy.list(objects, isObject)
    if (!(await copyReferences(copy, gitDir))) return false
    const after = await copy.list(objects, isObject)
    if (await copyObjects(copy, objects, [...after, ...before], seen)) break
  }
  await copy.folder(gitDir, isOther)
  return true
}

/** Copies the references and their logs, in place of those of an earlier pass. Returns false without a repository. */
const copyReferences = async (copy: FileCopy, gitDir: string): Promise<boolean> => {
  for (const name of ["refs", "packed-refs", "logs"]) await copy.remove(join(gitDir, name))
  if (!(await copy.file(join(gitDir, "HEAD")))) return false
  await copy.folder(join(gitDir, "refs"), isUnlocked)
  await copy.file(join(gitDir, "packed-refs"))
  await copy.folder(join(gitDir, "logs"), isUnlocked)
  return true
}

/** Copies the objects that `seen` lacks. Returns false if a file has disappeared. */
const copyObjects = async (copy: FileCopy, objects: string, names: ReadonlyArray<string>, seen: Set<string>) => {
  let isComplete = true
  for (const name of new Set(names)) {
    if (seen.has(name)) continue
    const isCopied = await copy.file(join(objects, name))
    // The alternates and other information can change.
    if (isCopied && !name.startsWith("info/")) seen.add(name)
    isComplete &&= isCopied
  }
  return isComplete
}
