/** Colours files beside the page's own thread, so that a large one never holds up a key press. */
import type { SyntaxRequest } from "./useSyntaxTokens.ts"
import * as SyntaxHighlighter from "./SyntaxHighlighter.ts"
import type * as SyntaxTokens from "./SyntaxTokens.ts"

addEventListener("message", ({ data: { id, path, text } }: MessageEvent<SyntaxRequest>) => {
  const answer = (tokens: SyntaxTokens.SyntaxTokens) => postMessage({ id, tokens }, { transfer: [tokens.buffer] })
  SyntaxHighlighter.highlight(path, text).then(answer, () => answer(new Uint32Array()))
})
