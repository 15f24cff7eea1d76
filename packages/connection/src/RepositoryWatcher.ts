/** Watches the references, HEAD and index of repositories. */
import { type FSWatcher, readdirSync, watch } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { locate, type RepositoryLocation } from "@tongs/service/git/values/RepositoryLocation"

/** Maximum number of watched folders of all repositories. Changes in further folders are not noticed. */
const MAX_FOLDERS = 256

/** Git changes several files for one command. */
const SETTLE_TIME = "100 millis"

/** Files that git replaces when references, HEAD or the index change. */
const files: ReadonlySet<string | null> = new Set(["HEAD", "index", "packed-refs", "shallow", null])

/**
 * Emits the value of a repository on each change, while the stream runs. Each repository is given by its path, and the
 * first ones are watched first. Ignores folders that cannot be watched.
 */
export const changes = <A>(repositories: ReadonlyArray<readonly [path: string, value: A]>): Stream.Stream<A> =>
  Stream.suspend(() => {
    const budget = { folders: MAX_FOLDERS }
    const streams = repositories
      .slice(0, MAX_FOLDERS)
      .map(([path, value]) => Stream.map(changesOf(path, budget), () => value))
    return Stream.mergeAll(streams, { concurrency: "unbounded" })
  })

/** The number of folders that can still be watched. */
interface Budget {
  folders: number
}

const changesOf = (path: string, budget: Budget): Stream.Stream<void> =>
  Stream.callback<void>(
    (queue) => {
      const location = locate(path)
      return location === undefined
        ? Queue.end(queue)
        : Effect.acquireRelease(
            Effect.sync(() => start(location, budget, () => void Queue.offerUnsafe(queue, undefined))),
            (stop) => Effect.sync(stop)
          )
    },
    { bufferSize: 1, strategy: "sliding" }
  ).pipe(Stream.debounce(SETTLE_TIME))

/** Starts to watch a repository. Returns a function that stops watching. */
const start = ({ commonDir, gitDir }: RepositoryLocation, budget: Budget, onChange: () => void) => {
  const watchers = new Map<string, FSWatcher>()
  const refs = join(commonDir, "refs")

  const close = (folder: string) => {
    watchers.get(folder)?.close()
    if (watchers.delete(folder)) budget.folders += 1
  }

  const add = (folder: string, onEvent: (name: string | null) => void) => {
    if (watchers.has(folder) || budget.folders <= 0) return
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => onEvent(name))
      watchers.set(folder, watcher)
      budget.folders -= 1
      watcher.on("error", () => close(folder))
    } catch {
      // The folder was deleted, or the machine has no watchers left.
    }
  }

  /** Watches each folder of references, because recursive watchers open all files on Linux. */
  const addRefs = () => {
    const folders = foldersBelow(refs)
    const found = new Set([gitDir, commonDir, ...folders])
    for (const folder of watchers.keys()) if (!found.has(folder)) close(folder)
    for (const folder of folders) {
      add(folder, () => {
        addRefs()
        onChange()
      })
    }
  }

  for (const folder of new Set([gitDir, commonDir])) add(folder, (name) => files.has(name) && onChange())
  addRefs()
  return () => {
    for (const folder of watchers.keys()) close(folder)
  }
}

/** Returns the folder and all subfolders, nearest first. */
const foldersBelow = (root: string): ReadonlyArray<string> => {
  const folders = [root]
  for (const folder of folders) {
    if (folders.length >= MAX_FOLDERS) break
    for (const entry of entries(folder)) if (entry.isDirectory()) folders.push(join(folder, entry.name))
  }
  return folders
}

const entries = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
