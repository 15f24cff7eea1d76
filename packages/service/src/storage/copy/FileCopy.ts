/**
 * Copies files of a running forge. A file that never changes and that an earlier backup has becomes a hard link to that
 * copy, so that a backup takes space only for what is new.
 */
import { constants } from "node:fs"
import { copyFile, link, lstat, mkdir, readdir, stat, utimes } from "node:fs/promises"
import { dirname, join } from "node:path"

export interface FileCounts {
  copied: number
  linked: number
  bytes: number
}

/** Selects the files and folders below a folder, by their paths relative to that folder. */
type Includes = (path: string) => boolean

export interface FileCopy {
  /** Copies a file. Returns false if the file does not exist any more. */
  readonly file: (path: string) => Promise<boolean>
  /** Copies the files and empty folders below a folder. Skips files that disappear meanwhile. */
  readonly folder: (path: string, includes?: Includes) => Promise<void>
  /** Names of the files below a folder, in the order of the names. Empty for a missing folder. */
  readonly list: (path: string, includes?: Includes) => Promise<ReadonlyArray<string>>
  readonly counts: FileCounts
}

/** Copies from `source` to `target`. Paths are relative to these folders. `previous` has an earlier copy. */
export const make = (source: string, target: string, previous: string | undefined): FileCopy => {
  const counts: FileCounts = { copied: 0, linked: 0, bytes: 0 }
  const made = new Set<string>()

  const make = async (path: string) => {
    const folder = join(target, path)
    if (made.has(folder)) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    made.add(folder)
  }

  const file = async (path: string): Promise<boolean> => {
    try {
      const from = join(source, path)
      const { isFile, mtime, size } = await factsOf(from)
      if (!isFile) return false
      await make(dirname(path))
      const to = join(target, path)
      if (previous !== undefined && isImmutable(path) && (await linkEqual(join(previous, path), to, { mtime, size }))) {
        counts.linked += 1
        return true
      }
      await copyFile(from, to, constants.COPYFILE_FICLONE)
      await utimes(to, mtime, mtime)
      counts.copied += 1
      counts.bytes += size
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  const walk = async (
    path: string,
    includes: Includes,
    onFolder: (path: string) => Promise<void>,
    prefix = ""
  ): Promise<ReadonlyArray<string>> => {
    try {
      const entries = await readdir(join(source, path, prefix), { withFileTypes: true })
      await onFolder(join(path, prefix))
      const names: Array<string> = []
      // One folder after the other: git moves objects from earlier names to later ones.
      for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        const name = prefix + entry.name
        if (!includes(name)) continue
        if (entry.isDirectory()) names.push(...(await walk(path, includes, onFolder, `${name}/`)))
        else names.push(name)
      }
      return names
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }

  const list: FileCopy["list"] = (path, includes = () => true) => walk(path, includes, () => Promise.resolve())

  const folder: FileCopy["folder"] = async (path, includes = () => true) => {
    for (const name of await walk(path, includes, make)) await file(join(path, name))
  }

  return { file, folder, list, counts }
}

/** True for objects of git, and for archives and assets, whose names are digests. */
const isImmutable = (path: string) =>
  /(?:^|\/)objects\/(?!info\/)/.test(path) || /^(?:artifacts|release-assets)\//.test(path)

const factsOf = async (path: string) => {
  const facts = await lstat(path)
  return { isFile: facts.isFile(), size: facts.size, mtime: facts.mtime }
}

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

const isCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code

export const isMissing = (error: unknown) => isCode(error, "ENOENT") || isCode(error, "ENOTDIR")
