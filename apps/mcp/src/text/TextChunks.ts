/** Splits long texts at the ends of lines, so that an answer can continue inside a text. */
import { estimateTokens } from "./TokenEstimate.ts"
import * as Truncation from "./Truncation.ts"

/** Tokens of a chunk, and so the maximum number of tokens that the end of an answer can waste. */
const CHUNK_TOKENS = 200

/** Maximum characters of a line. Longer lines are minified files or data. */
const MAX_LINE = 500

/** Returns the lines of a text in chunks. Long lines are cut, and say how much is missing. */
export const split = (text: string): ReadonlyArray<string> => {
  const chunks: Array<string> = []
  let lines: Array<string> = []
  let tokens = 0
  for (const line of text.replace(/\n+$/, "").split("\n")) {
    const short = Truncation.shortenCounted(line, MAX_LINE)
    const cost = estimateTokens(short) + 1
    if (lines.length > 0 && tokens + cost > CHUNK_TOKENS) {
      chunks.push(lines.join("\n"))
      lines = []
      tokens = 0
    }
    lines.push(short)
    tokens += cost
  }
  return [...chunks, lines.join("\n")]
}
