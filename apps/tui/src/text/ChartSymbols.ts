/** The characters of charts, for terminals with braille, with block elements, or with ASCII only. */
import type { Role } from "./StyledLine.ts"

/** The name of a symbol set. */
export type SymbolSet = "braille" | "blocks" | "ascii"

/** The roles of series, by index. A chart has at most four series. */
export const seriesRoles = ["series1", "series2", "series3", "series4"] as const satisfies ReadonlyArray<Role> // literal types

/** The characters of a symbol set. */
export interface Symbols {
  /** A part of a cell filled from the left, from the smallest to the whole cell. */
  readonly right: ReadonlyArray<string>
  /** A part of a cell filled from the right, from the smallest to the whole cell. */
  readonly left: ReadonlyArray<string>
  /** A part of a cell filled from the bottom, from the smallest to the whole cell. */
  readonly up: ReadonlyArray<string>
  /** A part of a cell filled from the top, from the smallest to the whole cell. */
  readonly down: ReadonlyArray<string>
  /** A full cell of each series, so that series differ without color. */
  readonly fills: readonly [string, string, string, string]
  /** A point of each series, so that series differ without color. */
  readonly points: readonly [string, string, string, string]
  /** The levels of a sparkline. */
  readonly levels: ReadonlyArray<string>
  readonly gauge: { readonly full: string; readonly empty: string }
  /** The axes and the line at a tick. */
  readonly axis: {
    readonly vertical: string
    readonly tick: string
    readonly corner: string
    readonly horizontal: string
    readonly mark: string
    readonly grid: string
  }
  /** Number of dots in a cell, horizontally and vertically. */
  readonly dots: readonly [columns: number, rows: number]
  /** Returns the character for the dots of a cell: bit `row * columns + column`. */
  readonly ofDots: (bits: number) => string
}

const lineAxis = { vertical: "│", tick: "┤", corner: "└", horizontal: "─", mark: "┴", grid: "┈" }

const quadrants = [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"]

/** The braille dot of each bit, in reading order. */
const brailleDots = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

const points = ["●", "◆", "▲", "■"] as const // literal types

export const symbols: Readonly<Record<SymbolSet, Symbols>> = {
  braille: {
    right: ["⡇", "⣿"],
    left: ["⢸", "⣿"],
    up: ["⣀", "⣤", "⣶", "⣿"],
    down: ["⠉", "⠛", "⠿", "⣿"],
    fills: ["⣿", "⢕", "⠶", "⠤"],
    points,
    levels: ["⣀", "⣤", "⣶", "⣿"],
    gauge: { full: "⣿", empty: "⣀" },
    axis: lineAxis,
    dots: [2, 4],
    ofDots: (bits) =>
      bits === 0
        ? " "
        : String.fromCodePoint(brailleDots.reduce((code, dot, bit) => code + ((bits >> bit) & 1) * dot, 0x2800))
  },
  blocks: {
    right: ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
    left: ["▐", "█"],
    up: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    down: ["▔", "▀", "█"],
    fills: ["█", "▓", "▒", "░"],
    points,
    levels: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    gauge: { full: "█", empty: "░" },
    axis: lineAxis,
    dots: [2, 2],
    ofDots: (bits) => quadrants[bits] ?? " "
  },
  ascii: {
    right: ["#"],
    left: ["#"],
    up: [".", ":", "#"],
    down: ["'", "#"],
    fills: ["#", "=", "o", ":"],
    points: ["*", "o", "x", "@"],
    levels: ["_", ".", "-", "=", "*", "#"],
    gauge: { full: "#", empty: "-" },
    axis: { vertical: "|", tick: "+", corner: "+", horizontal: "-", mark: "+", grid: " " },
    dots: [1, 1],
    ofDots: (bits) => (bits === 0 ? " " : "*")
  }
}

/** The symbol sets that a terminal can show: for lines, and for bars, columns and gauges. */
export interface Choice {
  readonly lines: SymbolSet
  readonly bars: SymbolSet
}

/** The environment variables that determine the characters of a terminal. Empty texts are unset. */
export interface Locale {
  readonly LC_ALL: string
  readonly LC_CTYPE: string
  readonly LANG: string
  readonly TERM: string
}

/**
 * Returns true if the character set of the terminal is UTF-8. Containers often set no locale, but run in terminals with
 * UTF-8.
 */
export const isUtf8 = ({ LANG, LC_ALL, LC_CTYPE }: Omit<Locale, "TERM">): boolean => {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== "")
  return locale === undefined || /utf-?8/i.test(locale)
}

/** Returns the symbol sets for a terminal: ASCII for another character set than UTF-8, and for the Linux console. */
export const choose = (locale: Locale): Choice => {
  // The font of the Linux console lacks the characters.
  const isUnicode = isUtf8(locale) && locale.TERM !== "linux"
  return isUnicode ? { lines: "braille", bars: "blocks" } : { lines: "ascii", bars: "ascii" }
}

let chosen: Choice = { lines: "braille", bars: "blocks" }

/** Sets the symbol sets of all charts. Called once at the start, because the terminal does not change. */
export const use = (choice: Choice): void => {
  chosen = choice
}

/** Returns the symbol sets of all charts. */
export const current = (): Choice => chosen

/** Returns the character for a part of a cell, from 0 to 1. A part above zero is never empty. */
export const partial = (characters: ReadonlyArray<string>, part: number): string =>
  part <= 0
    ? " "
    : (characters[Math.min(characters.length, Math.max(1, Math.round(part * characters.length))) - 1] ?? " ")
