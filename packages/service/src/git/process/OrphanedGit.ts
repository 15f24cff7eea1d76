/**
 * Ends git processes whose program was killed. Most git processes end at the end of input, but not while unpacking a
 * push or blocked on a pipe in place of a file. An environment variable of each git process has the id and start time
 * of the program, which identify an orphan even after ids are reused. Without `/proc` no process is ended.
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

/** Time between SIGTERM, after which git removes lock files, and SIGKILL. */
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
    // A container has a different PID namespace.
    if (mark === undefined || isParentRunning(mark) || namespaceOf(name) !== namespace) return []
    const status = ProcessStatus.read(pid)
    return status === undefined || status.isZombie || !isOwnGroup(status) ? [] : [{ pid, group: status.group }]
  })
}

/**
 * True for the group of a git process, which has a separate session, and whose leader has the mark or has ended. A
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

/** Ends the git processes that a terminated search thread leaves behind. */
const endChildren = () => {
  const tasks = names("/proc/self/task")
  for (const pid of tasks.flatMap((task) => ProcessStatus.children(process.pid, Number(task)))) {
    if (markOf(pid) === ownMark) signal(pid, "SIGKILL")
  }
}

if (isMainThread && ownMark !== undefined) process.once("exit", endChildren)
