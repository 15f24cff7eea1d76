/**
 * Untrusted text, made safe to show in a terminal, a page or an agent's answer.
 *
 * **Details**
 *
 * Subjects, branch names and files of a forge are untrusted. Printed unescaped, such text can move the cursor, retitle
 * the window, answer the terminal's queries as if the user had typed, or reorder the characters of a line. `escape`
 * replaces every such character by visible text, and drops none.
 */
import stringWidth from "string-width"
import * as ControlCharacters from "./ControlCharacters.ts"

/** Distance between the tab stops to which `escape` expands tabs, in terminal columns. */
export const TAB_STOP = 4

/**
 * Escapes characters that a terminal acts upon or that are invisible.
 *
 * **Details**
 *
 * C0 controls and DEL become control pictures (ESC is `␛`); C1 controls, bidirectional controls, zero-width and other
 * format characters and unpaired surrogates become `<U+202E>`; tabs become spaces up to the next stop. Joiners and
 * variation selectors in emoji are kept. Safe text is unchanged, and `escape(escape(x))` is `escape(x)`.
 *
 * **Gotchas**
 *
 * A newline becomes `␊` unless `newlines` is true; then CR LF is a newline too.
 */
export const escape = (text: string, options?: { readonly newlines?: boolean }): string => {
  if (!ControlCharacters.unsafe.test(text)) return text
  return options?.newlines === true ? text.split(/\r?\n/).map(escapeLine).join("\n") : escapeLine(text)
}

/**
 * Text of which each UTF-16 code unit is one column: ASCII, Latin-1, punctuation, arrows, box drawing and braille.
 * Faster than segmenting the text. U+00AD, U+2028 and similar invisible characters are left out.
 */
const singleWidth =
  /^[\x20-\x7e\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u2010-\u2027\u2030-\u203b\u2190-\u2193\u2500-\u25a8\u276e\u276f\u2800-\u28ff]*$/

/** Returns true if each UTF-16 code unit is known to be a character of one column. */
export const isSingleWidth = (text: string): boolean => singleWidth.test(text)

/** Returns the width of escaped text in terminal columns. Wide characters and emoji take two. */
export const width = (text: string): number => (isSingleWidth(text) ? text.length : stringWidth(text))

/** Truncates escaped text to at most `columns` terminal columns, with `…` at the end. Never splits a character. */
export const truncate = (text: string, columns: number): string => {
  if (width(text) <= columns) return text
  if (columns < 1) return ""
  let kept = ""
  let left = columns - 1
  for (const { segment } of graphemes.segment(text)) {
    left -= width(segment)
    if (left < 0) break
    kept += segment
  }
  return `${kept}…`
}

/** Pads escaped text with spaces to `columns` terminal columns. Returns longer text unchanged. */
export const pad = (text: string, columns: number, align: "left" | "right" = "left"): string => {
  const space = " ".repeat(Math.max(0, columns - width(text)))
  return align === "left" ? text + space : space + text
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const escapeLine = (line: string): string => expandTabs(ControlCharacters.escapeLine(line))

const expandTabs = (line: string): string => {
  if (!line.includes("\t")) return line
  let expanded = ""
  let column = 0
  for (const [index, cell] of line.split("\t").entries()) {
    const space = index === 0 ? 0 : TAB_STOP - (column % TAB_STOP)
    expanded += " ".repeat(space) + cell
    column += space + width(cell)
  }
  return expanded
}
