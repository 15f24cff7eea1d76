/** A small terminal that interprets the output of `FrameWriter`, and fails at any other output. */
import * as Terminal from "@tongs/core/text/Terminal"
import * as TextStyle from "./TextStyle.ts"

/** A terminal with a fixed size. */
export interface Emulator {
  readonly write: (output: string) => void
  readonly resize: (columns: number, rows: number) => void
  /** The cells of each row, as text and style. */
  readonly cells: () => ReadonlyArray<ReadonlyArray<string>>
  /** The text on the screen, one line for each row. */
  readonly text: () => string
}

/** Content that the program has not drawn. */
export const GARBAGE = "garbage"

const show = (text: string, style: TextStyle.TextStyle) =>
  `${text}|${style.foreground}|${style.background}|${style.attributes}`

const blank = show(" ", TextStyle.plain)

/** The second half of a wide character. */
const SECOND = "second"

/** Creates a terminal full of garbage. `widthOf` is the terminal's opinion on the width of characters. */
export const make = (columns: number, rows: number, widthOf = Terminal.width): Emulator => {
  let [width, height] = [columns, rows]
  let screen: Array<Array<string>> = []
  let [row, column, top, bottom] = [0, 0, 0, 0]
  let style = TextStyle.plain

  const blankRow = () => Array.from({ length: width }, () => blank)
  const resize = (columns: number, rows: number) => {
    ;[width, height] = [columns, rows]
    ;[row, column, top, bottom] = [0, 0, 0, rows]
    screen = Array.from({ length: rows }, () => Array.from({ length: columns }, () => GARBAGE))
  }
  resize(columns, rows)

  const set = (at: number, cell: string) => {
    const line = screen[row]
    if (line === undefined || at >= width) return
    // Half of a wide character is not drawn.
    if (line[at] === SECOND && at > 0) line[at - 1] = GARBAGE
    if (line[at + 1] === SECOND) line[at + 1] = GARBAGE
    line[at] = cell
  }
  const print = (text: string) => {
    for (const { segment } of graphemes.segment(text)) {
      const wide = widthOf(segment)
      if (wide === 0) throw new Error(`A character of width 0: ${segment}`)
      // Without wrapping, the last column is overwritten.
      const at = Math.min(column, width - wide)
      set(at, show(segment, style))
      if (wide === 2) {
        set(at + 1, SECOND)
        const line = screen[row]
        if (line !== undefined) line[at] = show(segment, style)
      }
      column = Math.min(at + wide, width - 1)
    }
  }
  const erase = (end: number) => {
    if (style.background !== "") throw new Error("Terminals differ in the background of erased cells")
    for (let at = column; at < Math.min(end, width); at++) set(at, blank)
  }
  const scroll = (count: number) => {
    const region = screen.slice(top, bottom)
    for (let step = 0; step < Math.abs(count); step++) {
      if (count > 0) region.push((region.shift(), blankRow()))
      else region.unshift((region.pop(), blankRow()))
    }
    screen.splice(top, bottom - top, ...region)
  }
  const control = (parameters: string, final: string) => {
    const [first, second] = parameters.split(";").map((text) => (text === "" ? undefined : Number(text)))
    switch (final) {
      case "H":
        row = (first ?? 1) - 1
        column = (second ?? 1) - 1
        break
      case "G":
        column = (first ?? 1) - 1
        break
      case "C":
        column += first ?? 1
        break
      case "K":
        erase(width)
        break
      case "X":
        erase(column + (first ?? 1))
        break
      case "S":
        scroll(first ?? 1)
        break
      case "T":
        scroll(-(first ?? 1))
        break
      case "r":
        ;[top, bottom] = [(first ?? 1) - 1, second ?? height]
        ;[row, column] = [0, 0]
        break
      case "m":
        style = TextStyle.apply(style, parameters)
        break
      default:
        throw new Error(`An unknown sequence: ${parameters}${final}`)
    }
    if (row < 0 || row >= height || column < 0 || column >= width) throw new Error("The cursor is outside the screen")
  }
  const write = (output: string) => {
    for (const [part, mode, parameters, final, move, text] of output.matchAll(partPattern)) {
      if (mode !== undefined) continue
      if (final !== undefined) control(parameters ?? "", final)
      else if (move === "\r") column = 0
      else if (move === "\n") {
        if (row + 1 >= height) throw new Error("The screen scrolls")
        row++
      } else if (text !== undefined) print(text)
      else throw new Error(`An unknown character: ${JSON.stringify(part)}`)
    }
  }
  const text = () =>
    screen.map((line) => line.map((cell) => (cell === SECOND ? "" : (cell.split("|")[0] ?? ""))).join("")).join("\n")
  return { write, resize, cells: () => screen, text }
}

const partPattern = /\u001b\[\?(2026[hl])|\u001b\[([\d;]*)([A-Za-z])|([\r\n])|([^\u0000-\u001f]+)|[^]/g

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
