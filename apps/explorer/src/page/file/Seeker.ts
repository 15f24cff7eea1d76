/** Looks for patterns in a text, one at a time and none for long. */
import type { Found } from "./Pattern.ts"

/** What the worker is asked. The text comes before, as a string. */
export interface Question {
  readonly id: number
  readonly pattern: RegExp
}

/** What the worker tells: that it is there, or what it found. */
export type Told = "ready" | { readonly id: number; readonly found: Found | "deep" }

/** What was found; or that it took too long (`late`) or too much room (`deep`), or that nobody could look. */
export type Answer = Found | "late" | "deep" | "failed"

/** Milliseconds that a pattern may take. */
export const LIMIT = 1_000

export interface Seeker {
  /** What was looked for before is given up. `tell` is told once. */
  readonly seek: (pattern: RegExp, tell: (answer: Answer) => void) => void
  /** Gives up what is being looked for. */
  readonly forget: () => void
  readonly close: () => void
}

/** `text` is read when a worker begins. */
export const make = (text: () => string): Seeker => {
  let worker: Worker | undefined
  let isReady = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  let waiting: ((answer: Answer) => void) | undefined

  const answer = (found: Answer) => {
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
  const forget = () => {
    if (waiting !== undefined) end()
  }
  const giveUp = () => {
    const tell = waiting
    end()
    tell?.("late")
  }
  const limit = () => {
    // A page that was busy meanwhile hears first what was found in time.
    timer = setTimeout(() => (timer = setTimeout(giveUp)), LIMIT)
  }
  const start = (): Worker => {
    const started = new Worker(new URL("./FindWorker.ts", import.meta.url), { type: "module" })
    started.addEventListener("message", ({ data }: MessageEvent<Told>) => {
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
    seek: (pattern, tell) => {
      forget()
      worker ??= start()
      waiting = tell
      if (isReady) limit()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
      worker.postMessage({ id: ++asked, pattern } satisfies Question)
    },
    forget,
    close: end
  }
}
