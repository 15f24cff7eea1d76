/** Looks for patterns in a text, one at a time and none for long. */
import type { FindResult } from "./FindPattern.ts"

/** What the worker is asked. The text comes before, as a string. */
export interface FindRequest {
  readonly id: number
  readonly pattern: RegExp
}

/** What the worker tells: that it is there, or what it found. */
export type WorkerMessage = "ready" | { readonly id: number; readonly found: FindResult | "deep" }

/** What was found; or that it took too long (`late`) or too much room (`deep`), or that nobody could look. */
export type FindOutcome = FindResult | "late" | "deep" | "failed"

/** Milliseconds that a pattern may take. */
export const TIMEOUT = 1_000

export interface FindClient {
  /** What was looked for before is given up. `tell` is told once. */
  readonly find: (pattern: RegExp, tell: (answer: FindOutcome) => void) => void
  /** Gives up what is being looked for. */
  readonly cancel: () => void
  readonly close: () => void
}

/** `text` is read when a worker begins. */
export const make = (text: () => string): FindClient => {
  let worker: Worker | undefined
  let isReady = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  let waiting: ((answer: FindOutcome) => void) | undefined

  const answer = (found: FindOutcome) => {
    const tell = waiting
    clearTimeout(timer)
    waiting = undefined
    tell?.(found)
  }
  // A pattern at work can be ended in no other way.
  const end = () => {
    clearTimeout(timer)
    worker?.terminate()
    worker = undefined
    isReady = false
    waiting = undefined
  }
  const cancel = () => {
    if (waiting !== undefined) end()
  }
  const giveUp = () => {
    const tell = waiting
    end()
    tell?.("late")
  }
  const limit = () => {
    // A page that was busy meanwhile hears first what was found in time.
    timer = setTimeout(() => (timer = setTimeout(giveUp)), TIMEOUT)
  }
  const start = (): Worker => {
    const started = new Worker(new URL("./FindWorker.ts", import.meta.url), { type: "module" })
    started.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
      // What one that was ended had said before.
      if (worker !== started) return
      if (data === "ready") {
        isReady = true
        if (waiting !== undefined) limit()
      } else if (data.id === asked) answer(data.found)
    })
    started.addEventListener("error", () => {
      if (worker !== started) return
      const tell = waiting
      end()
      tell?.("failed")
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
    started.postMessage(text())
    return started
  }

  return {
    find: (pattern, tell) => {
      cancel()
      worker ??= start()
      waiting = tell
      if (isReady) limit()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
      worker.postMessage({ id: ++asked, pattern } satisfies FindRequest)
    },
    cancel,
    close: end
  }
}
