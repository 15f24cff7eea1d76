/** Rules of the ignore files of a work tree: `.rgignore`, `.ignore`, `.gitignore` and `.git/info/exclude`. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as IgnoreGlob from "./IgnoreGlob.ts"

/** Matches a path of a work tree. */
export type IgnoreFiles = (path: string, isFolder: boolean) => IgnoreGlob.Match

/** Kinds of ignore files, in the order of precedence. */
const kinds = [".rgignore", ".ignore", ".gitignore"] as const

/** Maximum size of an ignore file in bytes. */
const MAX_BYTES = 1024 * 1024

/** Creates a matcher that reads the ignore files of a work tree on first use. */
export const make = (root: string): IgnoreFiles => {
  const files = new Map<string, IgnoreGlob.Globs | undefined>()
  const read = (folder: string, name: string) => {
    const path = Path.join(root, folder, name)
    if (!files.has(path)) files.set(path, load(path))
    return files.get(path)
  }
  return (path, isFolder) => {
    for (const kind of kinds) {
      for (const folder of foldersOf(path)) {
        const relative = folder === "" ? path : path.slice(folder.length + 1)
        const match = read(folder, kind)?.match(relative, isFolder)
        if (match !== undefined) return match
      }
    }
    return read("", ".git/info/exclude")?.match(path, isFolder)
  }
}

/** Returns the folders of a path, innermost first. */
const foldersOf = (path: string): ReadonlyArray<string> => {
  const parts = path.split("/").slice(0, -1)
  return [...parts.keys(), parts.length].toReversed().map((length) => parts.slice(0, length).join("/"))
}

const load = (path: string): IgnoreGlob.Globs | undefined => {
  try {
    const stat = Fs.statSync(path)
    return stat.isFile() && stat.size <= MAX_BYTES ? IgnoreGlob.ofFile(Fs.readFileSync(path, "utf8")) : undefined
  } catch {
    return undefined
  }
}
