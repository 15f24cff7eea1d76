/** The limit of open files (`ulimit -n`), which pipes of git and connections of clients share. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Files that a forge has open without requests: the database, the workers and the files of Node. */
const OWN_FILES = 40

/**
 * Files per unit of a pool, so that all pools together have enough: a git process takes three, and more during the
 * start.
 */
const FILES_PER_PROCESS = 12

/** Limit below which pools are smaller, and the user should see a warning. */
export const LOW_LIMIT = 512

const read = (): number | undefined => {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    // No descriptor is left, or the system has no `/proc`.
    return undefined
  }
}

const atStart = read()

/** The limit now. Undefined on systems without `/proc`. */
export const limit = (): number | undefined => read() ?? atStart

/** The size of a pool of processes: `most`, or fewer under a low limit. */
export const processesWithin = (most: number, openFiles = atStart): number =>
  openFiles === undefined ? most : Math.max(1, Math.min(most, Math.floor((openFiles - OWN_FILES) / FILES_PER_PROCESS)))

/** The number of connections under a low limit. Undefined for a higher or unknown limit. */
export const maxConnections = (openFiles = atStart): number | undefined =>
  openFiles === undefined || openFiles >= LOW_LIMIT ? undefined : Math.max(4, Math.floor((openFiles - OWN_FILES) / 3))

/** The sentence for an operation that failed because no file could be opened. */
export const message = (): string => {
  const most = limit()
  return (
    `Too many open files${most === undefined ? "" : `: the limit of the forge is ${most}`}. ` +
    "Raise the limit with ulimit -n before the forge starts, or try again later"
  )
}

/** True if an error message of Node or git is due to a shortage of open files. */
export const isShortage = (text: string): boolean => /Too many open files|\bE[MN]FILE\b/i.test(text)

const listeners = new Set<() => void>()

/** Calls the listeners, which close files that are open only to save time. */
export const reportShortage = (): void => {
  for (const listener of listeners) listener()
}

/** Calls `listener` at each shortage. Returns a function that removes the listener. */
export const onShortage = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Calls `listener` at each shortage while the scope is open. */
export const relieve = (listener: () => void): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => onShortage(listener)),
      (end) => Effect.sync(end)
    )
  )
