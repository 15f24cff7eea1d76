/** Looks for a pattern beside the page's own thread, which a hostile one would hold up for ever. */
import * as FindPattern from "./FindPattern.ts"
import type { FindRequest, WorkerMessage } from "./FindClient.ts"

let text = ""

addEventListener("message", ({ data }: MessageEvent<string | FindRequest>) => {
  if (typeof data === "string") text = data
  else {
    const { id, pattern } = data
    try {
      const found = FindPattern.find(text, pattern)
      postMessage({ id, found } satisfies WorkerMessage, { transfer: [found.ranges.buffer] })
    } catch {
      // So many ways to match that there is no room to remember them.
      postMessage({ id, found: "deep" } satisfies WorkerMessage, {})
    }
  }
})

// From now on it is the pattern that takes its time.
postMessage("ready")
