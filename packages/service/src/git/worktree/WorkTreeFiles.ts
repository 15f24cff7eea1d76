import { join, sep } from "node:path"
import { entryOf } from "../files/Files.ts"
import type { WorkTree } from "./WorkTreeLocation.ts"

/** A regular file or a symbolic link of a work tree. */
export interface DiskEntry {
  readonly isLink: boolean
  /** Size in bytes. */
  readonly size: number
  readonly isExecutable: boolean
  /** Changes whenever the file changes, except for a change within the resolution of file times. */
  readonly version: string
  /** Time in epoch milliseconds at which the system last saw a change. Programs can set only the other times. */
  readonly changedAt: number
}

/** Checks files of a work tree. Valid for one listing only, because folders are remembered. */
export interface WorkTreeFiles {
  /** The file or link at a path. Undefined for anything else, and below a symbolic link or a `.git` folder. */
  readonly entry: (name: Buffer) => DiskEntry | undefined
}

/** Creates the checks for a work tree. */
export const make = ({ folder, gitFolders }: Pick<WorkTree, "folder" | "gitFolders">): WorkTreeFiles => {
  const folders = new Map<string, boolean>()
  const top = Buffer.from(folder + sep)
  const stat = (name: Buffer) => entryOf(Buffer.concat([top, name]))
  /**
   * True for a folder in the work tree that is reached without a symbolic link. Names are Latin-1 strings of the bytes.
   */
  const isFolder = (name: string): boolean => {
    if (name === "") return true
    const known = folders.get(name)
    if (known !== undefined) return known
    const slash = name.lastIndexOf("/")
    const is =
      !/^\.git$/i.test(name.slice(slash + 1)) &&
      !gitFolders.includes(join(folder, Buffer.from(name, "latin1").toString())) &&
      isFolder(name.slice(0, Math.max(slash, 0))) &&
      stat(Buffer.from(name, "latin1"))?.isDirectory() === true
    folders.set(name, is)
    return is
  }
  return {
    entry: (name) => {
      const parent = name.toString("latin1", 0, Math.max(name.lastIndexOf("/"), 0))
      if (/^\.git$/i.test(name.toString("latin1", name.lastIndexOf("/") + 1)) || !isFolder(parent)) return undefined
      const stats = stat(name)
      const isLink = stats?.isSymbolicLink() === true
      if (stats === undefined || (!isLink && !stats.isFile())) return undefined
      const { ctimeMs, ino, mode, mtimeMs, size } = stats
      return {
        isLink,
        size,
        isExecutable: (mode & 0o100) !== 0,
        version: [ino, size, mode, mtimeMs, ctimeMs].join(" "),
        changedAt: ctimeMs
      }
    }
  }
}
