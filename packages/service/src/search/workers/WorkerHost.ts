/**
 * Where the code index works beside the program: in a thread, or in a process apart. A thread is cheap, but V8 ends none
 * while it prepares a regular expression, which can take for ever; a process ends whatever it does.
 */
import { type ChildProcess, fork } from "node:child_process"
import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import * as GitCommand from "../../git/GitCommand.ts"
import type { WorkerResponse, WorkerRequest } from "./WorkerMessages.ts"
import type { Workers } from "./WorkerMethods.ts"

export interface WorkerStart {
  readonly role: keyof Workers
  /** Of the index. */
  readonly filename: string | undefined
}

export interface WorkerHost {
  readonly send: (message: WorkerRequest) => void
  /** Whether it keeps the program running. */
  readonly ref: () => void
  readonly unref: () => void
  /** Ends it at once, whatever it does. */
  readonly kill: () => void
  /** Once it has ended, for whatever reason. */
  readonly gone: Promise<void>
}

export interface WorkerListener {
  readonly received: (message: WorkerResponse) => void
  readonly ended: (detail: string) => void
}

/** Milliseconds in which one that is to end may put its things in order. */
const farewell = 1_000

/**
 * Lets it stop what it does and give back what it holds: the git processes of a thread that is ended from outside nobody
 * collects, and other programs would wait for the index. One that does not hear is killed.
 */
export const end = async (host: WorkerHost): Promise<void> => {
  host.ref()
  host.send({ _tag: "End" })
  const timer = setTimeout(host.kill, farewell)
  await host.gone
  clearTimeout(timer)
}

/** The variable that tells a process what it is for. */
export const variable = "TONGS_SEARCH_PROCESS"

/** An error is no end, and is told elsewhere: `once` of Node would fail with it. */
const exitOf = (host: Worker | ChildProcess): Promise<void> =>
  new Promise((resolve) => host.on("exit", () => resolve()))

const detailOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const startThread = (start: WorkerStart, { ended, received }: WorkerListener): WorkerHost => {
  const [entry, execArgv] = entryPoint
  const worker = new Worker(entry, {
    workerData: start,
    execArgv: [...execArgv],
    env: GitCommand.inheritance(),
    stdout: false
  })
  worker.on("message", received)
  worker.on("error", (error) => ended(detailOf(error)))
  const gone = exitOf(worker)
  void gone.then(() => ended("the thread has ended"))
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
    execArgv: [...execArgv],
    // Whatever an expression should manage to do there, it finds no token.
    env: { ...GitCommand.inheritance(), [variable]: JSON.stringify(start) },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  child.on("message", (message: WorkerResponse) => received(message))
  child.on("error", (error) => ended(detailOf(error)))
  const gone = exitOf(child)
  void gone.then(() => ended("the process has ended"))
  return {
    // One that has ended meanwhile says so by itself.
    send: (message) => void child.send(message, () => {}),
    ref: () => {
      child.ref()
      child.channel?.ref()
    },
    unref: () => {
      child.unref()
      child.channel?.unref()
    },
    kill: () => void child.kill("SIGKILL"),
    gone
  }
}

/** As source, as built, or beside the bundle, whose chunks are one folder below. */
const entryPoint = ((): readonly [URL, ReadonlyArray<string>] => {
  const here = (path: string) => new URL(path, import.meta.url)
  if (import.meta.url.endsWith(".ts")) return [here("../worker.ts"), ["--conditions=@tongs/source"]]
  const beside = here("../worker.js")
  return [existsSync(beside) ? beside : here("../search-thread.js"), []]
})()
