/**
 * Bidirectional control characters, which can show code in another order than the order of execution ("Trojan Source").
 */
import type { Line } from "./TextLines.ts"

/** Matches a character that reorders the surrounding text. */
export const bidiControl = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** The numbers of the lines with hidden characters. */
export const linesWithBidiControls = (lines: ReadonlyArray<Line>): ReadonlyArray<number> =>
  lines.filter(({ text }) => bidiControl.test(text)).map(({ number }) => number)
