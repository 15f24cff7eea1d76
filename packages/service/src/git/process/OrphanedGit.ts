/**
 * Ends git processes that have outlived the program that started them, because it was killed. Most read the end of their
 * input and end by themselves; one that unpacks a push, or waits for a pipe in place of a file, does not.
 *
 * Each git process has an environment variable with the id and start time of its program. So a process is certainly an
 * orphan of ours, even if its ids have been reused. Without `/proc` no process is ended: nothing proves whose it is.
 */
import { readdirSync, readlinkSync } from "node:fs"
import { isMainThread } from "node:worker_threads"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ProcessStatus from "../../base/ProcessStatus.ts"

const VARIABLE = "TONGS_PARENT"

const own = ProcessStatus.read(process.pid)

const ownMark = own === undefined ? undefined : `${VARIABLE}=${process.pid}-${own.startedAt}`

/** The environment variable of git processes. */
export const environment: Readonly<Record<string, string>> =
  own === undefined ? {} : { [VARIABLE]: `${process.pid}-${own.startedAt}` }

/** Time between SIGTERM, on which git removes its lock files, and SIGKILL. */
const grace = Duration.seconds(1)

/** Ends the groups of all orphans, and waits at most a second for their exit. */
export const end: Effect.Effect<void> = Effect.gen(function* () {
  const found = orphans()
  if (found.length === 0) return
  yield* Effect.logWarning(`ending ${found.length} git processes of a forge that was killed`)
  for (const { group } of found) signal(group, "SIGTERM")
  yield* Effect.sleep(grace)
  for (const { group } of orphans()) signal(group, "SIGKILL")
}).pipe(Effect.withSpan("OrphanedGit.end"))

interface Orphan {
  readonly pid: number
  readonly group: number
}

const orphans = (): ReadonlyArray<Orphan> => {
  const namespace = namespaceOf("self")
  if (own === undefined || namespace === undefined) return []
  return names("/proc").flatMap((name) => {
    const pid = Number(name)
    const mark = Number.isInteger(pid) ? markOf(pid) : undefined
    // A container has other ids.
    if (mark === undefined || isParentRunning(mark) || namespaceOf(name) !== namespace) return []
    const status = ProcessStatus.read(pid)
    return status === undefined || status.isZombie || !isOwnGroup(status) ? [] : [{ pid, group: status.group }]
  })
}

/**
 * True for the group of a git process, which has a session of its own, and whose leader has the mark or has ended. A
 * program that only inherited the mark can be in the group of another program.
 */
const isOwnGroup = ({ group, session }: ProcessStatus.ProcessStatus): boolean => {
  if (group !== session) return false
  const leader = ProcessStatus.read(group)
  return leader === undefined || leader.isZombie || markOf(group) !== undefined
}

const markOf = (pid: number) => ProcessStatus.environment(pid)?.find((entry) => entry.startsWith(`${VARIABLE}=`))

const isParentRunning = (mark: string): boolean => {
  const [, pid, startedAt] = /=(\d+)-(\d+)$/.exec(mark) ?? []
  // Another version could write another mark.
  return pid === undefined || ProcessStatus.read(Number(pid))?.startedAt === startedAt
}

const namespaceOf = (pid: string): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`)
  } catch {
    return undefined
  }
}

const names = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const signal = (group: number, name: NodeJS.Signals) => {
  try {
    process.kill(-group, name)
  } catch {
    // All processes have ended.
  }
}

/** Ends the git processes of search threads, which a thread leaves behind when it is terminated. */
const endChildren = () => {
  const tasks = names("/proc/self/task")
  for (const pid of tasks.flatMap((task) => ProcessStatus.children(process.pid, Number(task)))) {
    if (markOf(pid) === ownMark) signal(pid, "SIGKILL")
  }
}

if (isMainThread && ownMark !== undefined) process.once("exit", endChildren)
