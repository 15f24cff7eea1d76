/**
 * Turns frames into the shortest output that changes the screen of the terminal.
 *
 * **Details**
 *
 * Unchanged cells cost nothing. The terminal scrolls moved rows, and must not wrap lines. Positions are absolute after
 * characters that terminals measure differently, so that such a character cannot move the others.
 */
import * as ScreenRow from "./ScreenRow.ts"
import type { Row } from "./ScreenRow.ts"
import * as Scroll from "./Scroll.ts"
import * as TextStyle from "./TextStyle.ts"

/** Draws frames on one terminal. */
export interface FrameWriter {
  /** Returns the output that draws a frame: one text with SGR sequences for each row. */
  readonly draw: (frame: ReadonlyArray<string>, columns: number) => string
  /** Discards the known content of the screen, so that the next frame draws every cell. */
  readonly reset: () => void
}

/** Number of changed rows from which the terminal shows the changes at once (synchronized output). */
const MIN_SYNCHRONIZED = 4

/** Maximum number of different cells to cache. */
const MAX_CELLS = 50_000

const SYNCHRONIZE = "\u001b[?2026h"
const SHOW = "\u001b[?2026l"

/** Creates a writer for a terminal with unknown content, the default style and a full scroll region. */
export const make = (): FrameWriter => {
  let cells = ScreenRow.make()
  let screen: ReadonlyArray<Row> = []
  let parsed = new Map<string, Row>()
  let width = 0

  const reset = () => {
    screen = []
    parsed = new Map()
  }

  const draw = (frame: ReadonlyArray<string>, columns: number): string => {
    if (columns !== width || frame.length !== screen.length || cells.size() > MAX_CELLS) {
      if (cells.size() > MAX_CELLS) cells = ScreenRow.make()
      reset()
      width = columns
      const unknown = new Int32Array(columns).fill(ScreenRow.UNKNOWN)
      screen = frame.map(() => unknown)
    }
    const next = new Map<string, Row>()
    const rows = frame.map((text) => {
      const row = next.get(text) ?? parsed.get(text) ?? cells.parse(text, columns)
      next.set(text, row)
      return row
    })
    parsed = next
    const output = new Output(cells, columns)
    let before = screen
    const scroll = Scroll.find(before, rows)
    if (scroll !== undefined) {
      output.scroll(scroll, rows.length)
      before = Scroll.apply(before, scroll)
    }
    let changes = scroll === undefined ? 0 : MIN_SYNCHRONIZED
    for (const [index, row] of rows.entries()) {
      const old = before[index]
      if (old !== undefined && old !== row && output.row(index, old, row)) changes++
    }
    screen = rows
    const text = output.end()
    return changes < MIN_SYNCHRONIZED ? text : SYNCHRONIZE + text + SHOW
  }

  return { draw, reset }
}

/** Maximum number of unchanged cells between changed cells that are cheaper to write again than to skip. */
const MAX_GAP = 4

/** Blank cells that are cheaper to erase than to write. */
const MIN_ERASED = 10

/** The output of one frame, with the position and the style of the terminal. */
class Output {
  #text = ""
  #row = -1
  #column = -1
  #style = TextStyle.plain
  readonly #cells: ScreenRow.Cells
  readonly #columns: number

  constructor(cells: ScreenRow.Cells, columns: number) {
    this.#cells = cells
    this.#columns = columns
  }

  /** Scrolls rows, and resets the scroll region, which moves the cursor to the first row. */
  scroll({ distance, end, start }: Scroll.Scroll, rows: number): void {
    const isWhole = start === 0 && end === rows
    const command = `\u001b[${Math.abs(distance) === 1 ? "" : Math.abs(distance)}${distance > 0 ? "S" : "T"}`
    this.#text += isWhole ? command : `\u001b[${start + 1};${end}r${command}\u001b[r`
    if (!isWhole) [this.#row, this.#column] = [0, 0]
  }

  /** Draws the changed cells of a row. Returns false if no cell has changed. */
  row(index: number, before: Row, after: Row): boolean {
    const length = this.#columns
    // Cells from here are blank.
    let content = length
    while (content > 0 && after[content - 1] === ScreenRow.BLANK) content--
    let hasChanged = false
    let column = 0
    while (column < length) {
      if (before[column] === after[column]) {
        column++
        continue
      }
      let start = column
      while (start > 0 && isSecond(before, after, start)) start--
      const end = endOfChange(before, after, column)
      if (this.#isNear(index, start, after)) start = this.#column
      this.#moveTo(index, start)
      hasChanged = true
      column = this.#write(after, start, end, content)
    }
    return hasChanged
  }

  /** Resets the style. Returns the output. */
  end(): string {
    this.#styleAs(TextStyle.plain)
    return this.#text
  }

  /** True if the cells between the cursor and `start` are cheaper to write again than to skip. */
  #isNear(row: number, start: number, after: Row): boolean {
    if (this.#row !== row || this.#column < 0 || start <= this.#column || start - this.#column > MAX_GAP) return false
    for (let column = this.#column; column < start; column++) {
      const { isAmbiguous, style, width } = this.#cells.get(after[column] ?? 0)
      if (style !== this.#style || width !== 1 || isAmbiguous) return false
    }
    return true
  }

  /** Writes cells. Returns the next column, or the last column if the rest of the row is erased. */
  #write(row: Row, start: number, end: number, content: number): number {
    let column = start
    while (column < end) {
      if (column >= content && this.#columns - column > 3) {
        this.#styleAs(TextStyle.plain)
        this.#text += "\u001b[K"
        return this.#columns
      }
      const blanks = countBlanks(row, column, end)
      if (blanks >= MIN_ERASED) {
        this.#styleAs(TextStyle.plain)
        this.#text += `\u001b[${blanks}X`
        column += blanks
        if (column < end) this.#moveTo(this.#row, column)
        continue
      }
      column = this.#put(row, column)
    }
    return column
  }

  /** Writes one character. Returns the column after the character. */
  #put(row: Row, column: number): number {
    const { isAmbiguous, style, text, width } = this.#cells.get(row[column] ?? 0)
    this.#styleAs(style)
    const after = column + Math.max(1, width)
    if (isAmbiguous) {
      // If the terminal draws the character narrower than measured, spaces fill the rest.
      if (width > 1) this.#text += `${" ".repeat(width)}\u001b[${column + 1}G`
      this.#text += text
      if (after < this.#columns) this.#text += `\u001b[${after + 1}G`
    } else this.#text += text
    // At the right edge the cursor stays in the last column.
    this.#column = after < this.#columns ? after : -1
    return after
  }

  #styleAs(style: TextStyle.TextStyle): void {
    if (style === this.#style) return
    this.#text += TextStyle.transition(this.#style, style)
    this.#style = style
  }

  #moveTo(row: number, column: number): void {
    if (this.#row === row && this.#column === column) return
    this.#text += shortestMove(this.#row, this.#column, row, column)
    this.#row = row
    this.#column = column
  }
}

const isSecond = (before: Row, after: Row, column: number) =>
  before[column] === ScreenRow.CONTINUATION || after[column] === ScreenRow.CONTINUATION

/** Returns the end of a change. Half of a wide character cannot be written. */
const endOfChange = (before: Row, after: Row, column: number): number => {
  let end = column + 1
  while (end < after.length && (before[end] !== after[end] || isSecond(before, after, end))) end++
  return end
}

const countBlanks = (row: Row, start: number, end: number): number => {
  let column = start
  while (column < end && row[column] === ScreenRow.BLANK) column++
  return column - start
}

/** Returns the shortest output that moves the cursor. A position of -1 is unknown. */
const shortestMove = (fromRow: number, fromColumn: number, row: number, column: number): string => {
  const moves = [column === 0 ? `\u001b[${row === 0 ? "" : row + 1}H` : `\u001b[${row + 1};${column + 1}H`]
  const forward = (from: number) => {
    const steps = column - from
    return steps === 0 ? "" : `\u001b[${steps === 1 ? "" : steps}C`
  }
  if (fromRow === row) {
    moves.push(`\u001b[${column + 1}G`, `\r${forward(0)}`)
    if (fromColumn >= 0 && fromColumn < column) moves.push(forward(fromColumn))
  } else if (fromRow >= 0 && fromRow + 1 === row) moves.push(`\r\n${forward(0)}`)
  return moves.reduce((best, move) => (move.length < best.length ? move : best))
}
