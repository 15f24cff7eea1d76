/** Runs patterns in a worker, one at a time, each with a timeout. */
import type { FindResult } from "./FindPattern.ts"

/** A request to the worker. */
export interface FindRequest {
  readonly id: number
  readonly pattern: RegExp
}

/** A message from the worker: the worker has started, or the result of a request. */
export type WorkerMessage = "ready" | { readonly id: number; readonly result: FindResult | "too-complex" }

/** The matches; or the time ran out, the backtracking stack was full, or the worker did not run. */
export type FindOutcome = FindResult | "timeout" | "too-complex" | "failed"

/** Milliseconds that a pattern may take. */
export const TIMEOUT = 1_000

/** Finds patterns in one text. */
export interface FindClient {
  /** Cancels the previous search. Calls `onOutcome` once, unless cancelled. */
  readonly find: (pattern: RegExp, onOutcome: (outcome: FindOutcome) => void) => void
  readonly cancel: () => void
  readonly close: () => void
}

/** Creates a client. Each new worker reads `text`. */
export const make = (text: () => string): FindClient => {
  let worker: Worker | undefined
  let isReady = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let latestId = 0
  let pending: ((outcome: FindOutcome) => void) | undefined

  // Terminating the worker is the only way to stop a pattern.
  const terminate = () => {
    clearTimeout(timer)
    worker?.terminate()
    worker = undefined
    isReady = false
    pending = undefined
  }
  const cancel = () => {
    if (pending !== undefined) terminate()
  }
  const fail = (outcome: "timeout" | "failed") => {
    const onOutcome = pending
    terminate()
    onOutcome?.(outcome)
  }
  const startTimeout = () => {
    // The second timer lets a busy page receive a result that came in time.
    timer = setTimeout(() => (timer = setTimeout(() => fail("timeout"))), TIMEOUT)
  }
  const start = (): Worker => {
    const started = new Worker(new URL("./FindWorker.ts", import.meta.url), { type: "module" })
    started.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
      // Ignores late messages of a terminated worker.
      if (worker !== started) return
      if (data === "ready") {
        isReady = true
        if (pending !== undefined) startTimeout()
      } else if (data.id === latestId) {
        const onOutcome = pending
        clearTimeout(timer)
        pending = undefined
        onOutcome?.(data.result)
      }
    })
    started.addEventListener("error", () => {
      if (worker === started) fail("failed")
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    started.postMessage(text())
    return started
  }

  return {
    find: (pattern, onOutcome) => {
      cancel()
      worker ??= start()
      pending = onOutcome
      if (isReady) startTimeout()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage({ id: ++latestId, pattern } satisfies FindRequest)
    },
    cancel,
    close: terminate
  }
}
