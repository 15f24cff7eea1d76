/** Text split into lines. */

export interface Line {
  /** From 1. */
  readonly number: number
  /** The offset in the whole text, in UTF-16 units. */
  readonly start: number
  /** Without LF or CRLF. */
  readonly text: string
}

/** The lines of a text, numbered from `first`. A trailing line feed starts no further line. */
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
