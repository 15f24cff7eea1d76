/** Runs the highlighter off the main thread, so that a large file never delays a key press. */
import * as Language from "@tongs/syntax/Language"
import type * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import type { SyntaxRequest } from "./useSyntaxTokens.ts"

/** UTF-16 units above which a text is not highlighted. */
const MAX_LENGTH = 4_000_000

/** Milliseconds after which the rest of a text is not highlighted. */
const TIMEOUT = 3_000

const highlight = async (path: string, text: string): Promise<SyntaxTokens.SyntaxTokens> => {
  const language = Language.fromPath(path)
  if (language === undefined || text.length > MAX_LENGTH) return new Uint32Array()
  return (await Language.load(language)).highlight(text, { timeout: TIMEOUT })
}

addEventListener("message", ({ data: { id, path, text } }: MessageEvent<SyntaxRequest>) => {
  const reply = (tokens: SyntaxTokens.SyntaxTokens) => postMessage({ id, tokens }, { transfer: [tokens.buffer] })
  highlight(path, text).then(reply, () => reply(new Uint32Array()))
})
