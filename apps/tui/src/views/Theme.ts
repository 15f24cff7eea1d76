/**
 * Maps the role of each span to a style.
 *
 * **Details**
 *
 * Plain text has the default color of the terminal. The 256-color theme has a contrast of at least 3.8 to 1 on black
 * and white. Terminals define the 16 colors, so the 16-color theme uses only colors with at least 3 to 1 on dark and
 * light backgrounds in xterm, the Linux console and Solarized. No role depends on color alone: each also has a sign or
 * a word.
 */
import { createContext } from "react"
import type { TextProps } from "ink"
import type { Role } from "../text/StyledLine.ts"

/** The Ink properties of a span. */
export type TextStyle = Pick<TextProps, "color" | "bold" | "underline">

/** A style for each role. */
export type Theme = Readonly<Record<Role, TextStyle>>

/** The theme for terminals with at least 256 colors. */
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
  success: { color: "ansi256(28)" },
  link: { color: "ansi256(30)", underline: true },
  comment: { color: "ansi256(243)" },
  keyword: { color: "ansi256(98)" },
  string: { color: "ansi256(28)" },
  number: { color: "ansi256(130)" },
  type: { color: "ansi256(30)" },
  function: { color: "ansi256(63)" },
  property: { color: "ansi256(243)" },
  series1: { color: "ansi256(30)" },
  series2: { color: "ansi256(130)" },
  series3: { color: "ansi256(98)" },
  series4: { color: "ansi256(28)" },
  match: { color: "ansi256(130)", bold: true, underline: true },
  warning: { color: "ansi256(130)", bold: true },
  error: { color: "ansi256(160)", bold: true }
}

/**
 * The theme for 16 colors. Uses only named colors, because Ink converts other colors to the nearest named color, which
 * is black for most grays. Green, yellow, blue and cyan are unreadable on some backgrounds, so some roles differ only
 * by weight.
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
  success: {},
  link: { underline: true },
  comment: {},
  keyword: {},
  string: {},
  number: {},
  type: {},
  function: {},
  property: {},
  series1: {},
  series2: {},
  series3: {},
  series4: {},
  match: { color: "magenta", bold: true, underline: true },
  warning: { color: "magentaBright", bold: true },
  error: { color: "redBright", bold: true }
}

/** The theme without colors: roles differ by weight only. */
export const plain: Theme = {
  ...colors256,
  muted: {},
  accent: {},
  id: {},
  added: {},
  removed: {},
  hunk: {},
  success: {},
  link: { underline: true },
  comment: {},
  keyword: {},
  string: {},
  number: {},
  type: {},
  function: {},
  property: {},
  series1: {},
  series2: {},
  series3: {},
  series4: {},
  match: { bold: true, underline: true },
  warning: { bold: true },
  error: { bold: true }
}

/** Returns the theme for chalk's color level: 0 is no colors, 1 is 16 colors, 2 and 3 are 256 or more colors. */
export const forColorLevel = (level: number): Theme => {
  if (level === 0) return plain
  return level === 1 ? colors16 : colors256
}

/** The React context with the current theme. */
export const ThemeContext = createContext(colors256)
