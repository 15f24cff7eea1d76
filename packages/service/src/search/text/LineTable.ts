/** Line starts of a text. Line numbers start at 1. Offsets are in UTF-16 code units. */
export interface LineTable {
  readonly text: string
  /** Offset of the first character of each line. */
  readonly starts: ReadonlyArray<number>
}

/** Offsets of a line without the line ending. */
export interface Line {
  readonly start: number
  readonly end: number
}

/** Finds the line starts of a text. A final line feed starts no further line. */
export const make = (text: string): LineTable => {
  const starts = [0]
  for (let feed = text.indexOf("\n"); feed !== -1; feed = text.indexOf("\n", feed + 1)) starts.push(feed + 1)
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop()
  return { text, starts }
}

/** Returns the offsets of a line. A number above the last line gives an empty range at the end of the text. */
export const line = ({ starts, text }: LineTable, number: number): Line => {
  const start = starts[number - 1] ?? text.length
  const next = starts[number]
  let end = next === undefined ? text.length : next - 1
  if (next === undefined && text.endsWith("\n") && end > start) end--
  return { start, end: end > start && text[end - 1] === "\r" ? end - 1 : end }
}

/** Returns the number of the line that contains an offset. */
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

/** Returns the number of the line that contains an offset, without a table. */
export const numberAt = (text: string, offset: number): number => {
  let number = 1
  for (let feed = text.indexOf("\n"); feed !== -1 && feed < offset; feed = text.indexOf("\n", feed + 1)) number++
  return number
}
