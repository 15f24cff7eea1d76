/** Runs the highlighter off the main thread, so that a large file never delays a key press. */
import type { SyntaxRequest } from "./useSyntaxTokens.ts"
import * as SyntaxHighlighter from "./SyntaxHighlighter.ts"
import type * as SyntaxTokens from "./SyntaxTokens.ts"

addEventListener("message", ({ data: { id, path, text } }: MessageEvent<SyntaxRequest>) => {
  const reply = (tokens: SyntaxTokens.SyntaxTokens) => postMessage({ id, tokens }, { transfer: [tokens.buffer] })
  SyntaxHighlighter.highlight(path, text).then(reply, () => reply(new Uint32Array()))
})
