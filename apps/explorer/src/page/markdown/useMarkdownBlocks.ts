import { useEffect, useState } from "react"

/** Time limit for rendering a document, in milliseconds. */
const TIMEOUT = 4_000

/** Maximum UTF-16 units of HTML in one block, and in all blocks. More HTML would block the page for seconds. */
const MAX_BLOCK = 600_000
const MAX_TOTAL = 6_000_000

/** The blocks of a document, undefined while rendering, or the reason why the document cannot be rendered. */
type MarkdownBlocks = ReadonlyArray<string> | "too-complex" | undefined

/** Renders a document in a worker: only terminating a worker stops a source that takes too long. */
export const useMarkdownBlocks = (text: string): MarkdownBlocks => {
  const [rendered, setRendered] = useState<{ readonly text: string; readonly blocks: MarkdownBlocks }>()
  useEffect(() => {
    const worker = new Worker(new URL("./MarkdownWorker.ts", import.meta.url), { type: "module" })
    const end = (blocks: MarkdownBlocks) => {
      clearTimeout(timer)
      worker.terminate()
      setRendered({ text, blocks })
    }
    const timer = setTimeout(() => end("too-complex"), TIMEOUT)
    worker.addEventListener("message", ({ data }: MessageEvent<ReadonlyArray<string>>) => {
      const total = data.reduce((sum, { length }) => (length > MAX_BLOCK ? Infinity : sum + length), 0)
      end(total > MAX_TOTAL ? "too-complex" : data)
    })
    worker.addEventListener("error", () => end("too-complex"))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.postMessage(text)
    return () => {
      clearTimeout(timer)
      worker.terminate()
    }
  }, [text])
  return rendered?.text === text ? rendered.blocks : undefined
}
