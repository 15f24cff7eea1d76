/**
 * How each role looks, in one place.
 *
 * **Details**
 *
 * Plain text has the terminal's own colour. With 256 colours, each has a contrast of at least 3.8 to 1 with black and
 * with white. With 16, the terminal decides what a colour is: a palette uses only those with at least 3 to 1 on a dark
 * and on a light background in xterm, on the Linux console and in Solarized. No role depends on its colour alone: each
 * also has a sign or a word.
 */
import { createContext } from "react"
import type { TextProps } from "ink"
import type { Role } from "../model/StyledLine.ts"

export type TextStyle = Pick<TextProps, "color" | "bold" | "underline">

export type Theme = Readonly<Record<Role, TextStyle>>

export const colors256: Theme = {
  plain: {},
  muted: { color: "ansi256(243)" },
  accent: { color: "ansi256(30)" },
  strong: { bold: true },
  title: { bold: true },
  id: { color: "ansi256(98)" },
  added: { color: "ansi256(28)" },
  removed: { color: "ansi256(160)" },
  hunk: { color: "ansi256(63)" },
  match: { color: "ansi256(130)", bold: true, underline: true },
  warning: { color: "ansi256(130)", bold: true },
  error: { color: "ansi256(160)", bold: true }
}

/**
 * Only named colours: Ink makes the nearest of 16 from any other, and that is black for most greys. Green, yellow, blue
 * and cyan are unreadable on one of the backgrounds, so these roles differ by weight.
 */
export const colors16: Theme = {
  plain: {},
  muted: {},
  accent: { color: "magenta" },
  strong: { bold: true },
  title: { bold: true },
  id: { color: "magentaBright" },
  added: { bold: true },
  removed: { color: "redBright" },
  hunk: { color: "magenta" },
  match: { color: "magenta", bold: true, underline: true },
  warning: { color: "magentaBright", bold: true },
  error: { color: "redBright", bold: true }
}

/** The same without colours: weight alone. */
export const plain: Theme = {
  ...colors256,
  muted: {},
  accent: {},
  id: {},
  added: {},
  removed: {},
  hunk: {},
  match: { bold: true, underline: true },
  warning: { bold: true },
  error: { bold: true }
}

/** The theme for a terminal, by the level of colours that Ink (through chalk) draws with: 0 none, 1 is 16, 2 is 256. */
export const forColorLevel = (level: number): Theme => {
  if (level === 0) return plain
  return level === 1 ? colors16 : colors256
}

export const ThemeContext = createContext(colors256)
