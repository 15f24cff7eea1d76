/** The tokens of a text, once they are known; until then none, and the text is shown plain. */
import { useEffect, useState } from "react"
import * as SyntaxTokens from "./SyntaxTokens.ts"

/** What the worker is asked. */
export interface SyntaxRequest {
  readonly id: number
  readonly path: string
  readonly text: string
}

/** What the worker answers. */
interface SyntaxResponse {
  readonly id: number
  readonly tokens: SyntaxTokens.SyntaxTokens
}

/** Milliseconds that a text is looked at before its colours are worth their while: in a fast scroll none are. */
const PAUSE = 60

export const useSyntaxTokens = (path: string, text: string, pause = PAUSE): SyntaxTokens.SyntaxTokens => {
  const [found, setFound] = useState<{ readonly text: string; readonly tokens: SyntaxTokens.SyntaxTokens }>()
  useEffect(() => {
    let forget = (): void => {}
    const timer = setTimeout(() => {
      forget = ask(path, text, (tokens) => setFound({ text, tokens }))
    }, pause)
    return () => {
      clearTimeout(timer)
      forget()
    }
  }, [path, text, pause])
  return found?.text === text ? found.tokens : SyntaxTokens.empty
}

let worker: Worker | undefined
let asked = 0
const waiting = new Map<number, (tokens: SyntaxTokens.SyntaxTokens) => void>()

/** Asks the worker; gives how to lose interest. */
const ask = (path: string, text: string, then: (tokens: SyntaxTokens.SyntaxTokens) => void): (() => void) => {
  const id = asked++
  waiting.set(id, then)
  worker ??= start()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
  worker.postMessage({ id, path, text } satisfies SyntaxRequest)
  return () => {
    waiting.delete(id)
  }
}

const start = (): Worker => {
  const worker = new Worker(new URL("./SyntaxWorker.ts", import.meta.url), { type: "module" })
  worker.addEventListener("message", ({ data }: MessageEvent<SyntaxResponse>) => {
    waiting.get(data.id)?.(data.tokens)
    waiting.delete(data.id)
  })
  return worker
}
