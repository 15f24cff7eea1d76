/** ASCII instead of other characters, for terminals whose character set is not UTF-8. */
import * as Terminal from "@tongs/core/text/Terminal"
import type { Line } from "../text/StyledLine.ts"

/** Characters of the screen's frames, marks and charts, each with an ASCII replacement. */
const replacements: ReadonlyArray<readonly [characters: RegExp, ascii: string]> = [
  [/[─━┄┅┈┉╌╍═―–—‐‑]/gu, "-"],
  [/[│┃┆┇┊┋╎╏║]/gu, "|"],
  [/[\u250c-\u254b\u2552-\u2570]/gu, "+"],
  [/[❯›▸▶→»]/gu, ">"],
  [/[‹◂◀←«]/gu, "<"],
  [/[↑▲△]/gu, "^"],
  [/[↓▼▽]/gu, "v"],
  [/[●•◆■○◌]/gu, "*"],
  [/[·∙]/gu, "."],
  [/[█▓▒▀-▏▐▔-▟]/gu, "#"],
  [/░/gu, "-"],
  [/[✓✔]/gu, "+"],
  [/[✗✘×]/gu, "x"],
  [/…/gu, "~"],
  [/[“”]/gu, '"'],
  [/[‘’]/gu, "'"],
  [/\u00a0/gu, " "],
  [/[\u2800-\u28ff]/gu, "*"]
]

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Returns the text with ASCII characters of the same width. A character without a replacement becomes `?`. */
export const convert = (text: string): string => {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  const framed = replacements.reduce((all, [characters, ascii]) => all.replace(characters, ascii), text)
  return Array.from(graphemes.segment(framed), ({ segment }) =>
    /^[\x20-\x7e]$/.test(segment) ? segment : "?".repeat(Terminal.width(segment))
  ).join("")
}

/** Converts a text with SGR sequences. */
export const convertStyled = (text: string): string =>
  text
    .split(sgr)
    .map((part) => (part.startsWith("\u001b") ? part : convert(part)))
    .join("")

const sgr = /(\u001b\[[\d;]*m)/

/** Converts a line of the screen. */
export const line = (self: Line): Line => self.map((span) => ({ ...span, text: convert(span.text) }))
