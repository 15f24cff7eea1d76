/**
 * Removes the quarantine folders of pushes whose git was killed.
 *
 * A folder `objects/tmp_objdir-incoming-*` does not show which program created it, and other programs may push to an adopted
 * repository. So git itself writes the folder of each push of this forge into a journal, by its trace of events.
 */
import { randomUUID } from "node:crypto"
import { mkdirSync, readFileSync, statSync } from "node:fs"
import { rm } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ProcessName from "../base/ProcessName.ts"
import { isRunning } from "../base/RunningProcess.ts"
import { entries } from "./files/Files.ts"

/** Journals of pushes that this process receives. */
const open = new Set<string>()

const folderOf = (isolatedDirs: string) => join(isolatedDirs, "pushes")

/** Opens a journal and gives the environment of git. The scope removes the journal, and the folders that git has left. */
export const make = (isolatedDirs: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const folder = folderOf(isolatedDirs)
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const path = join(folder, `${ProcessName.own}-${randomUUID()}`)
        open.add(path)
        return path
      }),
      (path) =>
        Effect.andThen(
          remove(isolatedDirs, path),
          Effect.sync(() => open.delete(path))
        )
    ),
    (path) => ({ GIT_TRACE2_EVENT: path, GIT_TRACE2_ENV_VARS: "GIT_QUARANTINE_PATH" })
  )

/** Removes the quarantine folders of ended forges whose git has ended as well. */
export const sweep = Effect.fn("PushJournal.sweep")(function* (isolatedDirs: string) {
  const now = yield* Clock.currentTimeMillis
  for (const { name } of entries(folderOf(isolatedDirs))) {
    const path = join(folderOf(isolatedDirs), name)
    if (!open.has(path) && isAbandoned(path, now)) yield* remove(isolatedDirs, path)
  }
})

/** Milliseconds after which no push can still run, and a process id proves nothing. */
const MAX_AGE = 2 * 60 * 60_000

/** Names of journals. Those of earlier versions end with the name of the machine. */
const names = new RegExp(`^${ProcessName.PATTERN}-[0-9a-f-]{36}(?:-(.*))?$`)

const isAbandoned = (path: string, now: number): boolean => {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now
  if (now - modified > MAX_AGE) return true
  const [, pid, host, machine] = names.exec(basename(path)) ?? []
  // Process ids of another machine or container are meaningless here.
  if (pid === undefined || ProcessName.isElsewhere(host)) return false
  if (machine !== undefined && machine !== encodeURIComponent(hostname())) return false
  // A forge with the id of this process has ended, because this process does not know the journal.
  const isForgeRunning = Number(pid) !== process.pid && isRunning(Number(pid))
  return !isForgeRunning && !read(path).processes.some(isRunning)
}

const remove = (isolatedDirs: string, path: string) =>
  Effect.ignore(
    Effect.tryPromise(async () => {
      for (const folder of read(path).quarantines) {
        // Only in an isolated git directory, whose `objects` is a link to the objects of the repository.
        const gitDir = dirname(dirname(folder))
        if (dirname(gitDir) === isolatedDirs) await rm(folder, { recursive: true, force: true })
      }
      await rm(path, { force: true })
    })
  )

/** Reads the quarantine folders and the ids of git processes from git's trace of events (git's api-trace2). */
const read = (path: string) => {
  const processes = new Set<number>()
  const quarantines = new Set<string>()
  for (const line of lines(path)) {
    const [, id] = /"sid":"[^"]*-P([0-9a-f]{8})"/.exec(line) ?? []
    if (id !== undefined) processes.add(Number.parseInt(id, 16))
    if (!line.includes('"param":"GIT_QUARANTINE_PATH"')) continue
    const [, value] = /"value":("(?:[^"\\]|\\.)*")/.exec(line) ?? []
    const folder = value === undefined ? undefined : parse(value)
    if (folder !== undefined && quarantineName.test(basename(folder))) quarantines.add(join(folder))
  }
  return { processes: [...processes], quarantines }
}

/** Name of the folder: without the prefix before git 2.35. */
export const quarantineName = /^(?:tmp_objdir-)?incoming-\w+$/

const lines = (path: string): ReadonlyArray<string> => {
  try {
    return readFileSync(path, "utf8").split("\n")
  } catch {
    // git has not started, or another process has removed the journal.
    return []
  }
}

const parse = (text: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "string" ? value : undefined
  } catch {
    return undefined
  }
}
