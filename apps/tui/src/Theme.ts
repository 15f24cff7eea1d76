/**
 * How each role looks, in one place.
 *
 * **Details**
 *
 * Plain text has the terminal's own colour. The others are colours of the 256 whose contrast with black and with white
 * is at least 3.8 to 1, so that they read on a dark and on a light background alike. No role lives by its colour
 * alone: there is a sign or a word beside each.
 */
import { createContext } from "react"
import type { TextProps } from "ink"
import type { Role } from "./model/Line.ts"

export type Look = Pick<TextProps, "color" | "bold" | "underline">

export type Theme = Readonly<Record<Role, Look>>

export const colored: Theme = {
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

/** The same without colours: weight alone. */
export const plain: Theme = {
  ...colored,
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

export const ThemeContext = createContext(colored)
