/** The side of a thread, or of a process apart: answers calls, several at a time. */
import { parentPort, Worker } from "node:worker_threads"
import type { WorkerResponse, WorkerRequest } from "./WorkerMessages.ts"
import type { Handlers } from "./WorkerMethods.ts"

type AnyHandler = (
  input: unknown,
  context: { readonly signal: AbortSignal; readonly emit: (event: unknown) => void }
) => unknown

/** `close` gives back what the handlers hold, once nothing is under way. */
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
    for (const { controller } of running.values()) controller.abort(new Error("the thread was ended"))
    await Promise.all([...running.values()].map(({ answered }) => answered))
    await close()
    // Of a thread, this ends the thread.
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

/** A process that is stuck does not hear that its parent has gone: a thread of its own looks after it. */
const endWithParent = () => {
  const watch = `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL") }, 1000)`
  new Worker(watch, { eval: true }).unref()
}
