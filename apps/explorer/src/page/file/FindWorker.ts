/** Looks for a pattern beside the page's own thread, which a hostile one would hold up for ever. */
import * as Pattern from "./Pattern.ts"
import type { Question } from "./Seeker.ts"

let text = ""

addEventListener("message", ({ data }: MessageEvent<string | Question>) => {
  if (typeof data === "string") text = data
  else {
    const found = Pattern.find(text, data.pattern)
    postMessage({ id: data.id, found }, { transfer: [found.ranges.buffer] })
  }
})

// From now on it is the pattern that takes its time.
postMessage("ready")
