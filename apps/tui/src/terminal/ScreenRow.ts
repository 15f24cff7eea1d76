/** Rows of a screen as cells, so that frames can be compared. */
import * as Terminal from "@tongs/core/text/Terminal"
import * as TextStyle from "./TextStyle.ts"

/** A character with a style. A wide character is in the first of two cells. */
export interface Cell {
  readonly text: string
  readonly width: number
  readonly style: TextStyle.TextStyle
  /** True if terminals can differ in the character's width. */
  readonly isAmbiguous: boolean
}

/** A row as numbers of cells, so that rows are compared fast. */
export type Row = Int32Array

/** The number of the blank cell in the default style. */
export const BLANK = 0

/** The number of the second cell of a wide character. */
export const CONTINUATION = 1

/** The number of a cell with unknown content. */
export const UNKNOWN = 2

const blank: Cell = { text: " ", width: 1, style: TextStyle.plain, isAmbiguous: false }

/** The cells of all rows. The number of a cell never changes. */
export interface Cells {
  /**
   * Parses text with SGR sequences. Clips or pads the text to `columns` columns. Drops all other control characters.
   */
  readonly parse: (text: string, columns: number) => Row
  readonly get: (number: number) => Cell
  readonly size: () => number
}

/** Creates an empty set of cells. */
export const make = (): Cells => {
  const cells: Array<Cell> = [blank, { ...blank, text: "", width: 0 }, { ...blank, text: "" }]
  /** Cell numbers by style, then by text. */
  const styles = new Map<string, { readonly style: TextStyle.TextStyle; readonly numbers: Map<string, number> }>()

  const styleOf = (style: TextStyle.TextStyle) => {
    const key = `${style.foreground},${style.background},${style.attributes}`
    let known = styles.get(key)
    if (known === undefined) {
      known = { style, numbers: new Map(key === ",,0" ? [[" ", BLANK]] : []) }
      styles.set(key, known)
    }
    return known
  }

  const parse = (text: string, columns: number): Row => {
    const row = new Int32Array(columns)
    let column = 0
    let current = styleOf(TextStyle.plain)
    const add = (character: string, width: number, isAmbiguous: boolean) => {
      // A zero-width character joins the previous character, unless that character is in another span.
      if (width === 0 || column >= columns) return
      const isHalf = column + width > columns
      const shown = isHalf ? " " : character
      let number = current.numbers.get(shown)
      if (number === undefined) {
        number = cells.push({ text: shown, width: isHalf ? 1 : width, style: current.style, isAmbiguous }) - 1
        current.numbers.set(shown, number)
      }
      row[column++] = number
      if (width === 2 && !isHalf) row[column++] = CONTINUATION
    }
    for (const [, sgr, run] of text.matchAll(part)) {
      if (sgr !== undefined) current = styleOf(TextStyle.apply(current.style, sgr))
      else if (run === undefined) continue
      else if (simple.test(run)) for (const character of run) add(character, 1, false)
      else
        for (const { segment } of graphemes.segment(run)) {
          const isSimple = simple.test(segment)
          const code = segment.codePointAt(0) ?? 0
          const isAmbiguous = !isSimple && (code >= EMOJI || segment.length > String.fromCodePoint(code).length)
          add(segment, isSimple ? 1 : Math.min(2, Terminal.width(segment)), isAmbiguous)
        }
    }
    return row
  }
  return { parse, get: (number) => cells[number] ?? blank, size: () => cells.length }
}

/** Terminals differ in the width of characters from here. */
const EMOJI = 0x1_f000

/** An SGR sequence, text without control characters, another escape sequence, or a control character. */
const part =
  /\u001b\[([\d;:]*)m|([^\u0000-\u001f\u007f-\u009f]+)|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[\u0000-\u001f\u007f-\u009f]/g

/** Characters of width 1 that never combine: Latin, punctuation, arrows, box drawing, blocks, braille. */
const simple = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u25fc\u276e-\u2771\u2800-\u28ff]*$/

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
