/** Where the lines of a text are. Lines count from 1, and end before their line feed and the return before it. */

export interface LineTable {
  readonly text: string
  /** Where each line starts. */
  readonly starts: ReadonlyArray<number>
}

export interface Line {
  readonly start: number
  readonly end: number
}

export const make = (text: string): LineTable => {
  const starts = [0]
  for (let feed = text.indexOf("\n"); feed !== -1; feed = text.indexOf("\n", feed + 1)) starts.push(feed + 1)
  // What ends with a line feed has no empty line behind it.
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop()
  return { text, starts }
}

/** The last line where there is none with that number. */
export const line = ({ starts, text }: LineTable, number: number): Line => {
  const start = starts[number - 1] ?? text.length
  const next = starts[number]
  let end = next === undefined ? text.length : next - 1
  if (next === undefined && text.endsWith("\n") && end > start) end--
  return { start, end: end > start && text[end - 1] === "\r" ? end - 1 : end }
}

/** The number of the line on which a place is. */
export const at = ({ starts }: LineTable, offset: number): number => {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle
  }
  return low + 1
}
