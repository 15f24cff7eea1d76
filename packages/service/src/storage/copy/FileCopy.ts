/**
 * Copies files of a running forge. A file that never changes and that an earlier backup has becomes a hard link to that
 * copy, so that a backup takes space only for what is new.
 *
 * **Details**
 *
 * A symbolic link is an error: without its target the copy lacks data, and the owner of a served repository could link
 * to files of other users. `isFollowed` names the links to folders that only an administrator can create.
 */
import { constants } from "node:fs"
import { copyFile, link, lstat, mkdir, readdir, rm, stat, utimes } from "node:fs/promises"
import { dirname, join, sep } from "node:path"
import { flush } from "../../base/Flush.ts"

export interface FileCounts {
  copied: number
  linked: number
  bytes: number
}

/** Selects the files and folders below a folder, by their paths relative to that folder. */
type Includes = (path: string) => boolean

export interface FileCopy {
  /** Copies a file. Returns false if the file does not exist any more. Throws for a symbolic link. */
  readonly file: (path: string) => Promise<boolean>
  /**
   * Copies the files and empty folders below a folder. Skips files that disappear meanwhile. Throws for a symbolic link.
   */
  readonly folder: (path: string, includes?: Includes) => Promise<void>
  /**
   * Names of the files below a folder, in the order of the names. Empty for a missing folder. Omits pipes and sockets.
   * Throws for a symbolic link.
   */
  readonly list: (path: string, includes?: Includes) => Promise<ReadonlyArray<string>>
  /** Removes the copy of a file or folder. */
  readonly remove: (path: string) => Promise<void>
  /** Writes the copies to the disk, and their folders up to `root`, which is `target` or above it. */
  readonly flush: (root: string) => Promise<void>
  readonly counts: FileCounts
}

/** Number of files that are flushed at the same time. One at a time takes four times as long. */
const CONCURRENT_FLUSHES = 16

/**
 * Copies from `source` to `target`. Paths are relative to these folders. `previous` has an earlier copy. `isFollowed`
 * selects the links to folders that are copied as folders.
 */
export const make = (
  source: string,
  target: string,
  previous: string | undefined,
  isFollowed: (path: string) => boolean = () => false
): FileCopy => {
  const counts: FileCounts = { copied: 0, linked: 0, bytes: 0 }
  const folders = new Set<string>()
  const copies = new Set<string>()

  const makeFolder = async (path: string) => {
    if (folders.has(join(target, path))) return
    await mkdir(join(target, path), { recursive: true, mode: 0o700 })
    for (let folder = join(".", path); ; folder = dirname(folder)) {
      folders.add(join(target, folder))
      if (folder === ".") break
    }
  }

  const file = async (path: string): Promise<boolean> => {
    try {
      const from = join(source, path)
      const facts = await lstat(from)
      if (facts.isSymbolicLink()) throw linkFound(from)
      if (!facts.isFile()) return false
      await makeFolder(dirname(path))
      const to = join(target, path)
      if (previous !== undefined && isImmutable(path) && (await linkEqual(join(previous, path), to, facts))) {
        counts.linked += 1
        return true
      }
      await copyFile(from, to, constants.COPYFILE_FICLONE)
      await utimes(to, facts.mtime, facts.mtime)
      copies.add(to)
      counts.copied += 1
      counts.bytes += facts.size
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  /** Throws if a path is a link, except a followed link to a folder. */
  const checkLink = async (path: string) => {
    const from = join(source, path)
    if (!(await lstat(from)).isSymbolicLink()) return
    const isFolder = isFollowed(path) && (await stat(from).catch(() => undefined))?.isDirectory() === true
    if (!isFolder) throw linkFound(from)
  }

  const walk = async (
    path: string,
    includes: Includes,
    onFolder: (path: string) => Promise<void>
  ): Promise<ReadonlyArray<string>> => {
    const names: Array<string> = []
    const visit = async (below: string) => {
      const folder = join(path, below)
      try {
        // The source itself can be a link.
        if (folder !== ".") await checkLink(folder)
        const entries = await readdir(join(source, folder), { withFileTypes: true })
        await onFolder(folder)
        // One folder after the other: git moves objects from earlier names to later ones.
        for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
          const name = below === "" ? entry.name : `${below}/${entry.name}`
          if (!includes(name)) continue
          if (entry.isDirectory() || entry.isSymbolicLink()) await visit(name)
          else if (entry.isFile()) names.push(name)
        }
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    }
    await visit("")
    return names
  }

  const list: FileCopy["list"] = (path, includes = () => true) => walk(path, includes, () => Promise.resolve())

  const folder: FileCopy["folder"] = async (path, includes = () => true) => {
    for (const name of await walk(path, includes, makeFolder)) await file(join(path, name))
  }

  const remove = async (path: string) => {
    const removed = join(target, path)
    await rm(removed, { recursive: true, force: true })
    for (const paths of [folders, copies]) {
      for (const one of paths) if (one === removed || one.startsWith(removed + sep)) paths.delete(one)
    }
  }

  const flushAll = async (root: string) => {
    const pending = copies.values()
    const flushes = Array.from({ length: CONCURRENT_FLUSHES }, async () => {
      for (const path of pending) await flush(path)
    })
    await Promise.all(flushes)
    for (let above = target; above !== root; above = dirname(above)) folders.add(dirname(above))
    for (const path of folders) await flush(path)
  }

  return { file, folder, list, remove, flush: flushAll, counts }
}

const linkFound = (path: string) =>
  new Error(`${path} is a symbolic link, which is not copied; replace it by the file or folder that it names`)

/** True for objects of git, and for archives and assets, whose names are digests. */
const isImmutable = (path: string) =>
  /(?:^|\/)objects\/(?!info\/)/.test(path) || /^(?:artifacts|release-assets)\//.test(path)

/** Creates a hard link to a file with the given size and time. Returns false if there is no such file. */
const linkEqual = async (
  from: string,
  to: string,
  { mtime, size }: { readonly mtime: Date; readonly size: number }
) => {
  try {
    const facts = await stat(from)
    if (facts.size !== size || Math.abs(facts.mtimeMs - mtime.getTime()) >= 1) return false
    await link(from, to)
    return true
  } catch (error) {
    // Another file system, or a file with the maximum number of links.
    if (isMissing(error) || isCode(error, "EXDEV") || isCode(error, "EMLINK")) return false
    throw error
  }
}

export const isCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code

export const isMissing = (error: unknown) => isCode(error, "ENOENT") || isCode(error, "ENOTDIR")
