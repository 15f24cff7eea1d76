/** Text that is read in another order than it runs in. */
import type { Line } from "./TextLines.ts"

/** Characters that show the text around them in another order (bidirectional controls). */
export const BIDI_CONTROL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** The numbers of the lines that have such characters. */
export const linesWithBidiControls = (lines: ReadonlyArray<Line>): ReadonlyArray<number> =>
  lines.filter(({ text }) => BIDI_CONTROL.test(text)).map(({ number }) => number)
