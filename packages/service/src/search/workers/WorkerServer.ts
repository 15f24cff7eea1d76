import { parentPort, Worker } from "node:worker_threads"
import type { WorkerResponse, WorkerRequest } from "./WorkerMessages.ts"
import type { Handlers } from "./WorkerMethods.ts"

type AnyHandler = (
  input: unknown,
  context: { readonly signal: AbortSignal; readonly emit: (event: unknown) => void }
) => unknown

/**
 * Serves calls inside a worker thread or process, several concurrently. At the end, aborts running calls, waits until
 * all have ended, and calls `close` to release the resources of the handlers.
 */
export const serve = <M>(handlers: Handlers<M>, close: () => Promise<void> = () => Promise.resolve()): void => {
  const byName = handlers as unknown as Readonly<Record<string, AnyHandler>> // oxlint-disable-line typescript/no-unsafe-type-assertion -- callers are bound to the same `Methods`
  const running = new Map<number, { readonly controller: AbortController; readonly answered: Promise<void> }>()
  const send = (message: WorkerResponse) =>
    parentPort === null ? process.send?.(message) : parentPort.postMessage(message) // oxlint-disable-line unicorn/require-post-message-target-origin -- it is a thread, not a window

  const answer = async (
    { id, input, method }: Extract<WorkerRequest, { readonly _tag: "Call" }>,
    controller: AbortController
  ) => {
    try {
      const context = { signal: controller.signal, emit: (event: unknown) => send({ _tag: "Event", id, event }) }
      send({ _tag: "Done", id, output: await byName[method]?.(input, context) })
    } catch (error) {
      send({ _tag: "Failed", id, detail: error instanceof Error ? error.message : String(error) })
    }
  }

  const end = async () => {
    for (const { controller } of running.values()) controller.abort(new Error("the search worker was stopped"))
    await Promise.all([...running.values()].map(({ answered }) => answered))
    await close()
    // Inside a thread, `exit` ends only the thread.
    process.exit()
  }

  const receive = (message: WorkerRequest) => {
    switch (message._tag) {
      case "Call": {
        const controller = new AbortController()
        const answered = answer(message, controller).finally(() => running.delete(message.id))
        running.set(message.id, { controller, answered })
        return
      }
      case "Cancel":
        return running.get(message.id)?.controller.abort()
      case "End":
        return void end()
    }
  }
  if (parentPort !== null) return void parentPort.on("message", receive)
  process.on("message", receive)
  process.once("disconnect", () => void end())
  endWithParent()
}

/**
 * Kills the process after the parent process has ended. Runs in a thread, because a stuck process misses `disconnect`.
 */
const endWithParent = () => {
  const watch = `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL") }, 1000)`
  new Worker(watch, { eval: true }).unref()
}
