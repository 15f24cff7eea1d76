/** Looks for a pattern beside the page's own thread, which a hostile one would hold up for ever. */
import * as Pattern from "./Pattern.ts"
import type { Question, Told } from "./Seeker.ts"

let text = ""

addEventListener("message", ({ data }: MessageEvent<string | Question>) => {
  if (typeof data === "string") text = data
  else {
    const { id, pattern } = data
    try {
      const found = Pattern.find(text, pattern)
      postMessage({ id, found } satisfies Told, { transfer: [found.ranges.buffer] })
    } catch {
      // So many ways to match that there is no room to remember them.
      postMessage({ id, found: "deep" } satisfies Told, {})
    }
  }
})

// From now on it is the pattern that takes its time.
postMessage("ready")
