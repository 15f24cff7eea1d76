/**
 * Starts search workers as threads or child processes. Threads are cheap, but V8 cannot terminate a thread while
 * compiling a regular expression, which can take unbounded time. A process can always be killed.
 */
import { type ChildProcess, fork } from "node:child_process"
import { Worker } from "node:worker_threads"
import { signalChild } from "../../base/RunningProcess.ts"
import * as GitCommand from "../../git/process/GitCommand.ts"
import { entryPoint } from "./WorkerEntry.ts"
import type { WorkerResponse, WorkerRequest } from "./WorkerMessages.ts"
import type { Workers } from "./WorkerMethods.ts"

export interface WorkerStart {
  readonly role: keyof Workers
  /** Data folder, for workers that read or write the index. */
  readonly data: string | undefined
}

/** Handle of a running worker thread or process. */
export interface WorkerHost {
  readonly send: (message: WorkerRequest) => void
  /** Makes the worker keep the program running; `unref` lets the program end. */
  readonly ref: () => void
  readonly unref: () => void
  /** Ends the worker without cleanup. */
  readonly kill: () => void
  /** Resolves when the worker has ended for any reason. */
  readonly gone: Promise<void>
}

/** Callbacks for responses and for the end of a worker. `ended` may be called more than once. */
export interface WorkerListener {
  readonly received: (message: WorkerResponse) => void
  readonly ended: (detail: string) => void
}

/** Maximum milliseconds for the cleanup of a worker before a kill. */
const FAREWELL = 5_000

/**
 * Ends a worker after its cleanup: killing the worker would leave zombie git processes and the writer lease behind.
 * Kills a worker that has not ended after 5 seconds.
 */
export const end = async (host: WorkerHost): Promise<void> => {
  host.ref()
  host.send({ _tag: "End" })
  const timer = setTimeout(host.kill, FAREWELL)
  await host.gone
  clearTimeout(timer)
}

/** Environment variable with the start data of a worker process, as JSON. */
export const VARIABLE = "TONGS_SEARCH_PROCESS"

// Not `events.once`, which rejects on an `error` event.
const exitOf = (host: Worker | ChildProcess): Promise<void> =>
  new Promise((resolve) => host.on("exit", () => resolve()))

const detailOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Maximum memory of a worker for new objects, in megabytes. V8's default allows more than 100 MB, because most objects
 * of a search are short-lived; the limit costs 4 % of the time. V8 divides the memory into three spaces.
 */
const MAX_YOUNG_GENERATION_SIZE_MB = 12

export const startThread = (start: WorkerStart, { ended, received }: WorkerListener): WorkerHost => {
  const [entry, execArgv] = entryPoint
  const worker = new Worker(entry, {
    workerData: start,
    execArgv: [...execArgv],
    env: GitCommand.inheritedEnvironment(),
    resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_SIZE_MB },
    stdout: false
  })
  worker.on("message", received)
  worker.on("error", (error) => ended(detailOf(error)))
  const gone = exitOf(worker)
  void gone.then(() => ended("the search worker thread exited"))
  return {
    send: (message) => worker.postMessage(message), // oxlint-disable-line unicorn/require-post-message-target-origin -- it is a thread, not a window
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    kill: () => void worker.terminate(),
    gone
  }
}

export const startProcess = (start: WorkerStart, { ended, received }: WorkerListener): WorkerHost => {
  const [entry, execArgv] = entryPoint
  const child = fork(entry, {
    execArgv: [...execArgv, `--max-semi-space-size=${MAX_YOUNG_GENERATION_SIZE_MB / 3}`],
    // The environment has no token, in case a regular expression exploits the engine.
    env: { ...GitCommand.inheritedEnvironment(), [VARIABLE]: JSON.stringify(start) },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  child.on("message", (message: WorkerResponse) => received(message))
  child.on("error", (error) => ended(detailOf(error)))
  const gone = exitOf(child)
  void gone.then(() => ended("the search worker process exited"))
  return {
    // Ignores send errors: an ended process emits `exit`.
    send: (message) => void child.send(message, () => {}),
    ref: () => {
      child.ref()
      child.channel?.ref()
    },
    unref: () => {
      child.unref()
      child.channel?.unref()
    },
    kill: () => signalChild(child, "SIGKILL"),
    gone
  }
}
