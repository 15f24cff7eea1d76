/**
 * Text that came from elsewhere, made safe to show in a terminal, a page or an agent's answer.
 *
 * **Details**
 *
 * A forge carries what strangers wrote: subjects, branch names, files. Printed as they are, they can move the cursor,
 * retitle the window, answer the terminal's queries as if a person had typed, or show a line in another order than the
 * one in which it runs. `visible` turns every such character into something to look at; nothing is dropped in silence.
 */
import stringWidth from "string-width"
import * as ControlCharacters from "./ControlCharacters.ts"

/** Columns between the tab stops to which `visible` expands tabs. */
export const TAB_STOP = 4

/**
 * `text` with nothing left in it that a terminal acts upon or that a reader cannot see.
 *
 * **Details**
 *
 * C0 controls and DEL become control pictures (ESC is `␛`); C1 controls, bidirectional controls, zero-width and other
 * format characters and unpaired surrogates become `<U+202E>`; tabs become spaces up to the next stop. Emoji keep their
 * joiners and variation selectors. Text without any of these comes back as it is, and `visible(visible(x))` is
 * `visible(x)`.
 *
 * **Gotchas**
 *
 * A newline becomes `␊` unless `newlines` is true; then CR LF is a newline too.
 */
export const escape = (text: string, options?: { readonly newlines?: boolean }): string => {
  if (!ControlCharacters.UNSAFE.test(text)) return text
  return options?.newlines === true ? text.split(/\r?\n/).map(escapeLine).join("\n") : escapeLine(text)
}

/** Columns that `text`, already `visible`, takes in a terminal: wide characters and emoji take two. */
export const width = (text: string): number => stringWidth(text)

/** `text`, already `visible`, cut at a whole character to at most `columns` columns; what was cut shows as `…`. */
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

/** `text`, already `visible`, filled with spaces up to `columns` columns. Longer text stays as it is. */
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
