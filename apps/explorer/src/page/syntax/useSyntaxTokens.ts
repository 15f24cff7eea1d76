import { startTransition, useEffect, useState } from "react"
import * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"

/** The message to `SyntaxWorker`. */
export interface SyntaxRequest {
  readonly id: number
  readonly path: string
  readonly text: string
}

interface SyntaxResponse {
  readonly id: number
  readonly tokens: SyntaxTokens.SyntaxTokens
}

/** Milliseconds before a text is parsed, so that a fast scroll parses nothing. */
const DELAY = 60

/** The syntax tokens of a text, parsed in a worker after `delay` milliseconds; none until the worker responds. */
export const useSyntaxTokens = (path: string, text: string, delay = DELAY): SyntaxTokens.SyntaxTokens => {
  const [parsed, setParsed] = useState<{ readonly text: string; readonly tokens: SyntaxTokens.SyntaxTokens }>()
  useEffect(() => {
    let cancel = (): void => {}
    const timer = setTimeout(() => {
      cancel = request(path, text, (tokens) => startTransition(() => setParsed({ text, tokens })))
    }, delay)
    return () => {
      clearTimeout(timer)
      cancel()
    }
  }, [path, text, delay])
  return parsed?.text === text ? parsed.tokens : SyntaxTokens.empty
}

let worker: Worker | undefined
let nextId = 0
const pending = new Map<number, (tokens: SyntaxTokens.SyntaxTokens) => void>()

/** Parses a text in the worker. Returns a function that cancels the callback. */
export const request = (
  path: string,
  text: string,
  onTokens: (tokens: SyntaxTokens.SyntaxTokens) => void
): (() => void) => {
  const id = nextId++
  pending.set(id, onTokens)
  worker ??= start()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  worker.postMessage({ id, path, text } satisfies SyntaxRequest)
  return () => {
    pending.delete(id)
  }
}

const start = (): Worker => {
  const worker = new Worker(new URL("./SyntaxWorker.ts", import.meta.url), { type: "module" })
  worker.addEventListener("message", ({ data }: MessageEvent<SyntaxResponse>) => {
    pending.get(data.id)?.(data.tokens)
    pending.delete(data.id)
  })
  return worker
}
