/** Finds the file on disk for a path of a repository. */
import * as Fs from "node:fs"
import * as Path from "node:path"

/** The file, or a sentence that says why it is not opened. */
export type Resolution =
  | { readonly _tag: "File"; readonly file: string }
  | { readonly _tag: "Refused"; readonly message: string }

/**
 * Returns the file of a work tree, with all links resolved. A repository is data of others, so a path or a link that
 * leads outside of the work tree or into its git directory is refused.
 */
export const resolve = (folder: string, path: string): Resolution => {
  const parts = path.split("/")
  if (parts.some((part) => part === "" || part === "." || part === ".." || /[\\\0]/.test(part) || isGitFolder(part)))
    return refused(`${path} is not the path of a file in the work tree`)
  try {
    const root = Fs.realpathSync(folder)
    const file = Fs.realpathSync(Path.join(root, ...parts))
    const [first = ""] = Path.relative(root, file).split(Path.sep)
    if (first === ".." || isGitFolder(first) || Path.isAbsolute(Path.relative(root, file)))
      return refused(`${path} is a link to a file outside of the work tree, and is not opened`)
    return Fs.statSync(file).isFile() ? { _tag: "File", file } : refused(`${path} is not a regular file`)
  } catch {
    return refused(`${path} is not on disk`)
  }
}

const isGitFolder = (name: string): boolean => name.toLowerCase() === ".git"

const refused = (message: string): Resolution => ({ _tag: "Refused", message })
