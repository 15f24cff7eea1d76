/** A text as its lines. */
export interface Line {
  /** From 1. */
  readonly number: number
  /** Where it begins in the whole text, in UTF-16 units. */
  readonly start: number
  /** Without its line feed, or carriage return and line feed. */
  readonly text: string
}

/** The lines of a text. A line feed at the very end begins no line. */
export const split = (text: string, first = 1): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let start = 0
  for (const line of text.split("\n")) {
    lines.push({ number: first + lines.length, start, text: line.endsWith("\r") ? line.slice(0, -1) : line })
    start += line.length + 1
  }
  if (lines.length > 1 && lines.at(-1)?.text === "") lines.pop()
  return lines
}
