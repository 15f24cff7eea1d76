import { join, sep } from "node:path"
import { entryOf } from "../files/Files.ts"
import type { WorkTree } from "./WorkTreeLocation.ts"

/** Checks files of a work tree. Remembers folders, so it is valid for one listing only. */
export interface WorkTreeFiles {
  /** Size of the regular file at a path. Undefined for anything else, and below a symbolic link or a `.git` folder. */
  readonly size: (name: Buffer) => number | undefined
}

/** Creates the checks for a work tree. */
export const make = ({ folder, gitFolders }: Pick<WorkTree, "folder" | "gitFolders">): WorkTreeFiles => {
  const folders = new Map<string, boolean>()
  const top = Buffer.from(folder + sep)
  const stat = (name: Buffer) => entryOf(Buffer.concat([top, name]))
  /** True for a folder in the work tree to which no symbolic link leads. Names are Latin-1 strings of their bytes. */
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
    size: (name) => {
      const parent = name.toString("latin1", 0, Math.max(name.lastIndexOf("/"), 0))
      if (/^\.git$/i.test(name.toString("latin1", name.lastIndexOf("/") + 1)) || !isFolder(parent)) return undefined
      const entry = stat(name)
      return entry?.isFile() === true ? entry.size : undefined
    }
  }
}
