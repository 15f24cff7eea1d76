/**
 * Where the code index works beside the program: in a thread, or in a process apart. A thread is cheap, but V8 ends none
 * while it prepares a regular expression, which can take for ever; a process ends whatever it does.
 */
import { fork } from "node:child_process"
import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import type { FromThread, ToThread } from "./Messages.ts"
import type { Threads } from "./Methods.ts"

export interface Start {
  readonly role: keyof Threads
  /** Of the index. */
  readonly filename: string | undefined
}

export interface Host {
  readonly send: (message: ToThread) => void
  /** Whether it keeps the program running. */
  readonly ref: () => void
  readonly unref: () => void
  /** Ends it at once, whatever it does. */
  readonly kill: () => Promise<unknown>
}

export interface Listener {
  readonly received: (message: FromThread) => void
  readonly ended: (detail: string) => void
}

/** The variable that tells a process what it is for. */
export const variable = "TONGS_SEARCH_PROCESS"

const detailOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const thread = (start: Start, { ended, received }: Listener): Host => {
  const [entry, execArgv] = entryPoint
  const worker = new Worker(entry, { workerData: start, execArgv: [...execArgv], stdout: false })
  worker.on("message", received)
  worker.on("error", (error) => ended(detailOf(error)))
  worker.on("exit", () => ended("the thread has ended"))
  return {
    send: (message) => worker.postMessage(message), // oxlint-disable-line unicorn/require-post-message-target-origin -- it is a thread, not a window
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    kill: () => worker.terminate()
  }
}

export const apart = (start: Start, { ended, received }: Listener): Host => {
  const [entry, execArgv] = entryPoint
  const child = fork(entry, {
    execArgv: [...execArgv],
    env: { ...process.env, [variable]: JSON.stringify(start) },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  child.on("message", (message: FromThread) => received(message))
  child.on("error", (error) => ended(detailOf(error)))
  const gone = new Promise((resolve) => child.once("exit", resolve))
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
    kill: () => {
      child.kill("SIGKILL")
      return gone
    }
  }
}

/** As source, as built, or beside the bundle, whose chunks are one folder below. */
const entryPoint = ((): readonly [URL, ReadonlyArray<string>] => {
  const here = (path: string) => new URL(path, import.meta.url)
  if (import.meta.url.endsWith(".ts")) return [here("./main.ts"), ["--conditions=@tongs/source"]]
  const beside = here("./main.js")
  return [existsSync(beside) ? beside : here("../search-thread.js"), []]
})()
