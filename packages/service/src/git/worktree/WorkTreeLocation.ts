/** Prepares the isolated git directory of a repository for git commands that read the work tree. */
import { mkdir, symlink } from "node:fs/promises"
import { devNull, homedir } from "node:os"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { entries, entryOf, exists, isDirectory, isFile, isIrregular, linkTarget, readLine } from "../files/Files.ts"
import { Git, type RunOptions } from "../process/Git.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import type { ObjectFormat } from "../values/GitObject.ts"
import { isOid } from "../values/Oid.ts"
import { locate, type RepositoryLocation } from "../values/RepositoryLocation.ts"
import type { WorkTreeCache } from "./WorkTreeCache.ts"

/** A repository that can have a work tree. */
export interface Repository {
  /** The top of the work tree, or the bare repository. */
  readonly path: string
  /** The isolated git directory. */
  readonly gitDir: string
  readonly bare: boolean
  readonly objectFormat: ObjectFormat
}

/** A work tree that git commands can read. */
export interface WorkTree {
  readonly folder: string
  /** Path of the index. */
  readonly index: string
  /** False if git ignores the executable bit of files on disk. */
  readonly hasModes: boolean
  /** Options of git commands. */
  readonly options: RunOptions
  /** Absolute paths of the repository's git directories, which may be in the work tree. */
  readonly gitFolders: ReadonlyArray<string>
}

/** Opens the work tree of a repository. Gives `undefined` if the repository has none, and fails if git fails. */
export const open = Effect.fn("WorkTreeLocation.open")(function* (
  repository: Repository,
  cache: WorkTreeCache
): Effect.fn.Return<WorkTree | undefined, GitError, Git> {
  if (repository.bare) return undefined
  const location = locate(repository.path)
  if (location === undefined) return undefined
  const { commonDir, gitDir, path: folder } = location
  // The served folder is the git directory, and `core.worktree` could name any folder.
  if (gitDir === folder) return undefined
  const index = join(gitDir, "index")
  const exclude = join(commonDir, "info", "exclude")
  for (const path of [index, exclude]) {
    if (isIrregular(path)) return yield* gitError({ _tag: "Unreadable", path: folder, detail: `${path} is not a file` })
  }
  const { hasModes, settings } = yield* cache.settings(location)(workTreeSettings(location))
  yield* Effect.tryPromise({
    try: () => link(repository.gitDir, location),
    catch: (cause) => gitError({ _tag: "NotWritable", path: repository.gitDir, detail: String(cause) })
  })
  return {
    folder,
    index,
    hasModes,
    options: { gitDir: repository.gitDir, workTree: { folder, index }, settings },
    gitFolders: [gitDir, commonDir]
  }
})

/** Returns the commit of a detached HEAD. Undefined if HEAD names a branch. */
export const detachedHead = ({ path }: Pick<Repository, "path">): string | undefined => {
  const location = locate(path)
  const head = location === undefined ? undefined : readLine(join(location.gitDir, "HEAD"))
  return head !== undefined && isOid(head) ? head : undefined
}

/** Settings that change how git compares and lists files. None of these settings runs programs. */
const names = /^core\.(?:filemode|ignorecase|symlinks|precomposeunicode|checkstat|trustctime|autocrlf|eol)$/

/** Reads the settings that apply in the work tree, including the settings of the user and the system. */
const workTreeSettings = Effect.fnUntraced(function* ({ gitDir, path }: RepositoryLocation) {
  const git = yield* Git
  const read = (...args: ReadonlyArray<string>) =>
    Effect.map(
      git.run([`--git-dir=${gitDir}`, "config", "--null", ...args], { useUserConfig: true, acceptedExitCodes: [1] }),
      ({ stdout }) => stdout.toString().split("\0").slice(0, -1)
    )
  const [rows, ignoreFiles] = yield* Effect.all(
    [read("--get-regexp", "^core\\."), read("--type=path", "--get", "core.excludesFile")],
    { concurrency: 2 }
  )
  const settings = rows.flatMap((row) => {
    const [name = "", value = "true"] = row.split("\n", 2)
    return names.test(name) ? [`${name}=${value}`] : []
  })
  const ignoreFile = resolve(path, ignoreFiles[0] ?? userFile("ignore"))
  if (isIrregular(ignoreFile) && !isNull(ignoreFile)) {
    return yield* gitError({ _tag: "Unreadable", path, detail: `core.excludesFile ${ignoreFile} is not a file` })
  }
  const excludesFile = `core.excludesFile=${isFile(ignoreFile) ? ignoreFile : devNull}`
  return {
    settings: [...settings, excludesFile, "core.preloadIndex=true"],
    hasModes: !settings.some((setting) => /^core\.filemode=(?:false|no|off|0)?$/i.test(setting))
  }
})

/** True for a value of `core.excludesFile` that means no file: the null device, or a folder for an empty value. */
const isNull = (path: string) => path === devNull || isDirectory(path)

/** A file in the folder of the user's configuration of git. */
export const userFile = (name: "attributes" | "ignore"): string => {
  const config = process.env["XDG_CONFIG_HOME"]
  return join(config === undefined || config === "" ? join(homedir(), ".config") : config, "git", name)
}

/** Links the repository's own ignore rules, and the shared part of a split index, into the isolated git directory. */
const link = async (isolated: string, { commonDir, gitDir }: RepositoryLocation) => {
  await mkdir(join(isolated, "info"), { recursive: true })
  const shared = entries(gitDir).flatMap(({ name }) => (/^sharedindex\.[0-9a-f]+$/.test(name) ? [name] : []))
  const links = [
    [join(commonDir, "info", "exclude"), join(isolated, "info", "exclude")],
    ...shared.map((name) => [join(gitDir, name), join(isolated, name)])
  ]
  for (const [target = "", path = ""] of links) {
    if (linkTarget(path) === target || (exists(path) && entryOf(path)?.isSymbolicLink() !== true)) continue
    await symlink(target, path).catch((cause: NodeJS.ErrnoException) => {
      // Another search may have created the same link.
      if (cause.code !== "EEXIST") throw cause
    })
  }
}
