/**
 * Text without colors: a line of spans, each with a role that the theme maps to a style. `span` escapes control
 * characters, so that views need not.
 */
import * as Terminal from "@tongs/core/text/Terminal"

/** The meaning of a span, which the theme maps to a color and attributes. */
export type Role =
  | "plain"
  | "muted"
  | "accent"
  | "strong"
  | "emphasis"
  | "title"
  | "id"
  | "added"
  | "removed"
  | "hunk"
  | "match"
  | "success"
  | "warning"
  | "error"
  | "link"
  /** Roles of source code, as marked by the grammar. */
  | "comment"
  | "keyword"
  | "string"
  | "number"
  | "type"
  | "function"
  | "property"
  /** The series of a chart. */
  | "series1"
  | "series2"
  | "series3"
  | "series4"

/**
 * The background of a span. `selected` marks the row under the cursor, `marked` a marked row, `overlay` a window over
 * the content. `addedWord` and `removedWord` are the changed words in a changed line.
 */
export type Background =
  | "selected"
  | "marked"
  | "overlay"
  /** The name under the cursor. */
  | "name"
  | "addedLine"
  | "removedLine"
  | "addedWord"
  | "removedWord"

/** A piece of text with one role. */
export interface Span {
  readonly text: string
  readonly role: Role
  /** Default: the background of the terminal. */
  readonly background?: Background
  /** True if the view replaces the text by an animated sign (`spinner`). */
  readonly isSpinner?: boolean
}

/** One line of the screen. */
export type Line = ReadonlyArray<Span>

/** Creates a span from untrusted text. */
export const span = (text: string, role: Role = "plain"): Span => ({ text: Terminal.escape(text), role })

/** Creates a line of one span. */
export const line = (text: string, role?: Role): Line => [span(text, role)]

/** Sets the background of the spans without a background. */
export const withBackground = (self: Line, background: Background): Line =>
  self.map((span) => (span.background === undefined ? { ...span, background } : span))

/** Creates a line with a name and a value, aligned with other fields. */
export const field = (name: string, value: string, role?: Role): Line => [
  span(name.padEnd(10), "muted"),
  span(value, role)
]

/** Width of the spinner in columns, which leaves room for a time. */
const SPINNER_WIDTH = 10

/** A span that the view replaces by an animated sign while content loads. The width stays reserved. */
export const spinner: Span = { text: " ".repeat(SPINNER_WIDTH), role: "accent", isSpinner: true }

/** Returns true if the view must animate the line. */
export const hasSpinner = (self: Line): boolean => self.some(({ isSpinner }) => isSpinner === true)

/** Replaces the spinner by a text, padded to the reserved width. */
export const withSpinner = (self: Line, text: string): Line =>
  self.map((span) =>
    span.isSpinner === true ? { ...span, text: text.slice(0, SPINNER_WIDTH).padEnd(SPINNER_WIDTH) } : span
  )

/** A blank line. */
export const empty: Line = []

/** Returns the width of a line in columns. */
export const width = (self: Line): number => self.reduce((sum, { text }) => sum + Terminal.width(text), 0)

/** Returns the text of a line. */
export const text = (self: Line): string => self.map((span) => span.text).join("")

/** Returns the width of a line, at most `columns`. Does not read the rest of a longer line. */
export const widthUpTo = (self: Line, columns: number): number => {
  let width = 0
  for (const { text } of self) width += takeColumns(text, columns - width).columns
  return width
}

const blank: Span = { text: "", role: "plain" }

/** Fits a line to exactly `columns` columns: truncates it between characters, or pads it with spaces. */
export const fit = (self: Line, columns: number, align: "left" | "right" = "left"): Line => {
  const whole = prefix(self, columns)
  const { left, spans } = whole.isWhole || columns < 1 ? whole : prefix(self, columns - 1)
  const shown =
    whole.isWhole || columns < 1 ? spans : [...spans, { ...(spans.at(-1) ?? blank), text: "…", isSpinner: false }]
  if (left === 0) return shown
  const space: Span = { ...blank, text: " ".repeat(left) }
  return align === "left" || !whole.isWhole ? [...shown, space] : [space, ...shown]
}

/** Cuts or pads a line to exactly `columns` columns, without a sign for the cut, for text behind a window. */
export const clip = (self: Line, columns: number): Line => {
  const { left, spans } = prefix(self, columns)
  return left === 0 ? spans : [...spans, { ...blank, text: " ".repeat(left) }]
}

/** Fits a line like `fit`, but truncates the start, because paths differ at the end. */
export const fitFromEnd = (self: Line, columns: number): Line => {
  const over = width(self) - columns
  if (over <= 0) return fit(self, columns)
  return columns < 1 ? empty : fit([{ ...(self[0] ?? blank), text: "…" }, ...dropColumns(self, over + 1)], columns)
}

/**
 * Aligns `left` and `right` to the edges. Without enough room, shortens `left` to no less than a third of the width.
 */
export const justify = (left: Line, right: Line, columns: number): Line => {
  const room = Math.min(width(right), Math.max(0, columns - Math.min(width(left), Math.floor(columns / 3)) - 1))
  return [
    ...fit(left, Math.max(0, columns - room - 1)),
    ...fit([], columns > room ? 1 : 0),
    ...fit(right, room, "right")
  ]
}

/** Removes the first `columns` columns of a line. */
export const dropColumns = (self: Line, columns: number): Line => {
  if (columns <= 0) return self
  const rest: Array<Span> = []
  let left = columns
  for (const span of self) {
    const removed = takeColumns(span.text, left)
    left -= removed.columns
    if (removed.isWhole) continue
    // A space replaces the second half of a wide character.
    const halved = left > 0 ? takeColumns(span.text.slice(removed.length), 2) : undefined
    const space = " ".repeat(Math.max(0, (halved?.columns ?? 0) - left))
    rest.push({ ...span, text: space + span.text.slice(removed.length + (halved?.length ?? 0)) })
    left = 0
  }
  return rest
}

interface TextPrefix {
  /** Length of the prefix in UTF-16 code units. */
  readonly length: number
  readonly columns: number
  /** True if the prefix is the whole text. */
  readonly isWhole: boolean
}

/** Returns the longest prefix of complete characters that fits into `columns`. Does not read the rest of the text. */
const takeColumns = (text: string, columns: number): TextPrefix => {
  // Fast path without segmentation. The next character must not combine with the last.
  if (Terminal.isSingleWidth(text.slice(0, columns + 1))) {
    const length = Math.min(text.length, columns)
    return { length, columns: length, isWhole: length === text.length }
  }
  let length = 0
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    const wide = Terminal.width(segment)
    if (used + wide > columns) return { length, columns: used, isWhole: false }
    length += segment.length
    used += wide
  }
  return { length, columns: used, isWhole: true }
}

const prefix = (self: Line, columns: number) => {
  const spans: Array<Span> = []
  let left = columns
  for (const span of self) {
    const taken = takeColumns(span.text, left)
    left -= taken.columns
    if (taken.isWhole) spans.push(span)
    else return { spans: [...spans, { ...span, text: span.text.slice(0, taken.length) }], left, isWhole: false }
  }
  return { spans, left, isWhole: true }
}

/** Breaks a line into rows of at most `columns` columns, at most `max` rows. An empty line is one row. */
export const breakInto = (self: Line, columns: number, max: number): ReadonlyArray<Line> => {
  const rows: Array<Line> = []
  for (let rest = self; rows.length < max;) {
    const { isWhole, left, spans } = prefix(rest, columns)
    rows.push(spans)
    if (isWhole) break
    // A character that is wider than a row is left out.
    rest = dropColumns(rest, Math.max(1, columns - left))
  }
  return rows
}

/** Wraps text to `columns` columns, between words if possible. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> => {
  const limit = Math.max(1, columns)
  return Terminal.escape(text, { newlines: true })
    .split("\n")
    .flatMap((paragraph) => (Terminal.width(paragraph) <= limit ? [paragraph] : wrapParagraph(paragraph, limit)))
}

const wrapParagraph = (paragraph: string, limit: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let current = ""
  let used = 0
  const flush = () => {
    lines.push(current.trimEnd())
    current = ""
    used = 0
  }
  for (const word of paragraph.split(/(?<=\s)(?=\S)/)) {
    const wide = Terminal.width(word.trimEnd())
    if (used > 0 && used + wide > limit) flush()
    for (const { segment } of wide > limit ? graphemes.segment(word) : [{ segment: word }]) {
      const step = Terminal.width(segment)
      if (wide > limit && used + step > limit) flush()
      current += segment
      used += step
    }
  }
  if (current.trimEnd() !== "") flush()
  return lines
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
