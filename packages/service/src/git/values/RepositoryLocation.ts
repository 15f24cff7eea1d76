import { basename, dirname, join, resolve } from "node:path"
import { isDirectory, isFile, readLine, realpath } from "../files/Files.ts"

/** Folders of a repository, found without running git. All paths are absolute and have no symbolic links. */
export interface RepositoryLocation {
  /** The top of the work tree, or the git directory of a bare repository. */
  readonly path: string
  readonly gitDir: string
  /** The folder of references and objects: `gitDir`, except for a linked work tree. */
  readonly commonDir: string
  /** The folder's name without `.git`. */
  readonly name: string
}

/** The repository rooted at `folder`: a work tree (also a linked one or a submodule) or a git directory. */
export const locate = (folder: string): RepositoryLocation | undefined => {
  const path = realpath(folder)
  if (path === undefined) return undefined
  const dotGit = join(path, ".git")
  const gitDir = isFile(dotGit) ? followFile(dotGit) : realpath(dotGit)
  if (gitDir !== undefined && isGitDirectory(gitDir)) return location(path, gitDir)
  if (!isGitDirectory(path)) return undefined
  return basename(path) === ".git" ? location(dirname(path), path) : location(path, path)
}

/** The repository rooted at `folder` or at the nearest parent with a repository. */
export const locateEnclosing = (folder: string): RepositoryLocation | undefined => {
  for (let path = realpath(folder); path !== undefined; path = dirname(path)) {
    const found = locate(path)
    if (found !== undefined || dirname(path) === path) return found
  }
  return undefined
}

const location = (path: string, gitDir: string): RepositoryLocation => ({
  path,
  gitDir,
  commonDir: commonDirectory(gitDir),
  name: basename(path).replace(/\.git$/, "") || "repository"
})

/**
 * True if the folder has HEAD, objects and refs, as git requires. A linked work tree has objects and refs elsewhere.
 */
const isGitDirectory = (path: string): boolean => {
  if (!isFile(join(path, "HEAD"))) return false
  const common = commonDirectory(path)
  return isDirectory(join(common, "objects")) && isDirectory(join(common, "refs"))
}

const commonDirectory = (gitDir: string): string => {
  const named = readLine(join(gitDir, "commondir"))
  return named === undefined ? gitDir : (realpath(resolve(gitDir, named)) ?? gitDir)
}

/** The target of a `.git` file. */
const followFile = (path: string): string | undefined => {
  const line = readLine(path)
  return line?.startsWith("gitdir: ") ? realpath(resolve(dirname(path), line.slice("gitdir: ".length))) : undefined
}
