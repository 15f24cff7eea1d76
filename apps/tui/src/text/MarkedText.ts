/** Text with highlighted matches. */
import * as StyledLine from "./StyledLine.ts"
import type { Line, Role, Span } from "./StyledLine.ts"

/** Highlights ranges of a text, in UTF-16 units. Leaves out the characters before `from`. */
export const make = (
  text: string,
  ranges: ReadonlyArray<readonly [start: number, end: number]>,
  role: Role,
  from = 0
): Line => {
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
