import { mkdir, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { setImmediate } from "node:timers/promises"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { codeOf } from "../base/SystemError.ts"
import { flush } from "../base/Flush.ts"
import { entries } from "./files/Files.ts"
import { Git } from "./process/Git.ts"
import { type GitError, gitError } from "./values/GitError.ts"
import type { ObjectFormat } from "./values/GitObject.ts"
import { locate, locateEnclosing, type RepositoryLocation } from "./values/RepositoryLocation.ts"
import * as StagingFolder from "./files/StagingFolder.ts"

const MAX_DEPTH = 2

/** Bounds of one search: folders, repositories and milliseconds. */
const MAX_FOLDERS = 100_000
const MAX_REPOSITORIES = 20_000
const MAX_SEARCH_MILLIS = 30_000

/** Folders searched before yielding to the event loop. */
const FOLDERS_PER_TICK = 64

/** The repositories that a folder contains. */
export interface Discovery {
  readonly found: ReadonlyArray<RepositoryLocation>
  /** False if a bound ended the search before all folders were seen. */
  readonly isAll: boolean
}

/**
 * The repository that has `folder` as its root or contains `folder`. Otherwise the repositories inside `folder`, two
 * levels deep, sorted by path; skips hidden folders, `node_modules` and symbolic links.
 */
export const discover = (folder: string, most = MAX_REPOSITORIES): Effect.Effect<Discovery> => {
  const around = locateEnclosing(folder)
  return around === undefined
    ? Effect.promise(() => search(folder, most))
    : Effect.succeed({ found: [around], isAll: true })
}

const search = async (root: string, most: number): Promise<Discovery> => {
  const end = performance.now() + MAX_SEARCH_MILLIS
  let seen = 0
  let isAll = true
  const found: Array<RepositoryLocation> = []
  const queue = [{ folder: root, depth: 0 }]
  for (const { depth, folder } of queue) {
    for (const entry of entries(folder)) {
      if (!entry.isDirectory() || entry.name.startsWith(".") || entry.name === "node_modules") continue
      if (++seen % FOLDERS_PER_TICK === 0) await setImmediate()
      isAll = found.length < most && queue.length < MAX_FOLDERS && performance.now() < end
      if (!isAll) break
      const child = join(folder, entry.name)
      const repository = locate(child)
      if (repository !== undefined) found.push(repository)
      else if (depth + 1 < MAX_DEPTH) queue.push({ folder: child, depth: depth + 1 })
    }
    if (!isAll) break
  }
  return { found: found.sort((a, b) => (a.path < b.path ? -1 : 1)), isAll }
}

/** Removes unfinished repositories that killed processes left in these folders. */
export const removeAbandoned = Effect.fn("Adoption.removeAbandoned")(function* (folders: ReadonlyArray<string>) {
  const now = yield* Clock.currentTimeMillis
  const abandoned = folders.flatMap((folder) => StagingFolder.abandoned(folder, now))
  yield* Effect.forEach(abandoned, (path) =>
    Effect.ignore(Effect.tryPromise(() => rm(path, { recursive: true, force: true })))
  )
})

/** Creates an empty bare repository at `path`, atomically. Fails with `FolderExists` if the path is taken. */
export const createBare = Effect.fn("Adoption.createBare")(function* (path: string, defaultBranch: string) {
  yield* buildBare(path, defaultBranch, () => Effect.void)
})

/** Builds a bare repository in a temporary folder with `fill`, then renames the folder to `path`. */
export const buildBare = <E, R>(
  path: string,
  defaultBranch: string,
  fill: (gitDir: string) => Effect.Effect<void, E, R>,
  objectFormat: ObjectFormat = "sha1"
): Effect.Effect<void, GitError | E, R | Git> =>
  Effect.acquireUseRelease(
    tryFiles(path, async () => {
      await mkdir(dirname(path), { recursive: true })
      return await StagingFolder.make(dirname(path))
    }),
    Effect.fnUntraced(function* (folder) {
      const git = yield* Git
      const gitDir = join(folder, "repository.git")
      const format = objectFormat === "sha1" ? [] : [`--object-format=${objectFormat}`]
      const init = ["init", "--quiet", "--bare", "--template=", `--initial-branch=${defaultBranch}`]
      yield* git.run([...init, ...format, gitDir])
      yield* fill(gitDir)
      yield* tryFiles(path, async () => {
        // Git flushes objects and references only. The database row that will refer to this repository is durable.
        for (const part of ["HEAD", "config", "."]) await flush(join(gitDir, part))
        await rename(gitDir, path)
        await flush(dirname(path))
      })
    }),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )

const tryFiles = <A>(path: string, run: () => Promise<A>): Effect.Effect<A, GitError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => {
      const code = codeOf(cause)
      return code === "ENOTEMPTY" || code === "EEXIST" || code === "ENOTDIR"
        ? gitError({ _tag: "FolderExists", path })
        : gitError({ _tag: "NotWritable", path, detail: String(cause) })
    }
  })
