/** Matches patterns in a worker, because a malicious pattern could block the main thread. First receives the text. */
import type { FindRequest, WorkerMessage } from "./FindClient.ts"
import * as FindPattern from "./FindPattern.ts"

let text = ""

addEventListener("message", ({ data }: MessageEvent<string | FindRequest>) => {
  if (typeof data === "string") text = data
  else {
    const { id, pattern } = data
    try {
      const result = FindPattern.find(text, pattern)
      postMessage({ id, result } satisfies WorkerMessage, { transfer: [result.ranges.buffer] })
    } catch {
      // The backtracking stack is full.
      postMessage({ id, result: "too-complex" } satisfies WorkerMessage, {})
    }
  }
})

// The timeout of a pattern starts only now, without the start of the worker.
postMessage("ready")
