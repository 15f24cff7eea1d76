/** Renders Markdown off the main thread, because some sources take very long. */
import * as MarkdownSource from "./MarkdownSource.ts"

addEventListener("message", ({ data }: MessageEvent<string>) => {
  postMessage(MarkdownSource.blocks(data))
})
