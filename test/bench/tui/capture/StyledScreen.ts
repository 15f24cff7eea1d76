/** Parses the output of `tmux capture-pane -e`: text with SGR sequences. */
import stringWidth from "string-width"

/** An index of the palette, or a CSS colour; undefined for the terminal's own. */
export type Color = number | string | undefined

export interface Style {
  readonly foreground: Color
  readonly background: Color
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly isInverse: boolean
  readonly isStruck: boolean
}

/** A character at a column, one or two columns wide. */
export interface Cell {
  readonly text: string
  readonly column: number
  readonly width: number
  readonly style: Style
}

const plain: Style = {
  foreground: undefined,
  background: undefined,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
  isInverse: false,
  isStruck: false
}

/** The changes of SGR codes without parameters. */
const changes = new Map<number, Partial<Style>>([
  [0, plain],
  [1, { isBold: true }],
  [2, { isDim: true }],
  [3, { isItalic: true }],
  [4, { isUnderlined: true }],
  [7, { isInverse: true }],
  [9, { isStruck: true }],
  [22, { isBold: false, isDim: false }],
  [23, { isItalic: false }],
  [24, { isUnderlined: false }],
  [27, { isInverse: false }],
  [29, { isStruck: false }],
  [39, { foreground: undefined }],
  [49, { background: undefined }]
])

/** Applies an SGR sequence. Ignores unknown codes. */
const applySgr = (before: Style, parameters: string): Style => {
  // A colon separates the parameters of one code, for example of a curly underline.
  const codes = parameters.split(";").map((code) => Number(code.split(":", 1)[0]))
  let style = before
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    const ground = code >= 40 && code !== 90 && (code < 90 || code >= 100) ? "background" : "foreground"
    if (code === 38 || code === 48) {
      const [mode, ...values] = codes.slice(at + 1)
      style = { ...style, [ground]: mode === 5 ? values[0] : `rgb(${values.slice(0, 3).join(",")})` }
      at += mode === 5 ? 2 : 4
    } else if ((code >= 30 && code < 38) || (code >= 40 && code < 48)) style = { ...style, [ground]: code % 10 }
    else if ((code >= 90 && code < 98) || (code >= 100 && code < 108)) style = { ...style, [ground]: (code % 10) + 8 }
    else style = { ...style, ...changes.get(code) }
  }
  return style
}

/** Characters of the line-drawing set that tmux writes between SO and SI. */
const lineDrawing = new Map([..."lqkxmjtunvwa~`"].map((letter, index) => [letter, [..."┌─┐│└┘├┤┼┴┬▒·◆"][index] ?? ""]))

const segmenter = new Intl.Segmenter("en")

const token =
  /\u001b\[([\d;:]*)m|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[()].|([\u000e\u000f])|[^\u001b\u000e\u000f]+/g

/** Returns the cells of each row. */
export const parse = (capture: string): ReadonlyArray<ReadonlyArray<Cell>> => {
  let style = plain
  let isLineDrawing = false
  return capture
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      const cells: Array<Cell> = []
      let column = 0
      for (const [text, sgr, shift] of line.matchAll(token)) {
        if (sgr !== undefined) style = applySgr(style, sgr)
        else if (shift !== undefined) isLineDrawing = shift === "\u000e"
        else if (!text.startsWith("\u001b")) {
          for (const { segment } of segmenter.segment(text)) {
            const width = stringWidth(segment)
            const shown = isLineDrawing ? (lineDrawing.get(segment) ?? segment) : segment
            cells.push({ text: shown, column, width, style })
            column += width
          }
        }
      }
      return cells
    })
}
