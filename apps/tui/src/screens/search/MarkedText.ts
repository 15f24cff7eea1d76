/** Text with highlighted matches. */
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line, Role, Span } from "../../text/StyledLine.ts"
import type { Range } from "./SearchResults.ts"

/** Highlights ranges of a text. Leaves out the characters before `from`. */
export const make = (text: string, ranges: ReadonlyArray<Range>, role: Role, from = 0): Line => {
  const spans: Array<Span> = []
  let at = from
  for (const [start, end] of ranges) {
    if (start < at) continue
    spans.push(StyledLine.span(text.slice(at, start), role), StyledLine.span(text.slice(start, end), "match"))
    at = end
  }
  spans.push(StyledLine.span(text.slice(at), role))
  return spans.filter((span) => span.text !== "")
}
