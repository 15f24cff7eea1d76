import { useEffect, useState } from "react"
import * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import { request } from "../syntax/useSyntaxTokens.ts"
import type { SyntaxText } from "./DiffRows.ts"

const cache = new WeakMap<SyntaxText, SyntaxTokens.SyntaxTokens>()

/** The syntax tokens of the lines of a diff, parsed once in a worker; none until the worker responds. */
export const useSyntaxText = (path: string, text: SyntaxText): SyntaxTokens.SyntaxTokens => {
  const [, setParsed] = useState<SyntaxText>()
  useEffect(() => {
    if (cache.has(text)) return
    return request(path, text.text, (tokens) => {
      cache.set(text, tokens)
      setParsed(text)
    })
  }, [path, text])
  return cache.get(text) ?? SyntaxTokens.empty
}
