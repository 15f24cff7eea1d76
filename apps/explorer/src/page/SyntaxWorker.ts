/** Colours files beside the page's own thread, so that a large one never holds up a key press. */
import type { Question } from "./useSyntax.ts"
import * as Syntax from "./Syntax.ts"
import type * as Tokens from "./Tokens.ts"

addEventListener("message", ({ data: { id, path, text } }: MessageEvent<Question>) => {
  const answer = (tokens: Tokens.Tokens) => postMessage({ id, tokens }, { transfer: [tokens.buffer] })
  Syntax.tokens(path, text).then(answer, () => answer(new Uint32Array()))
})
