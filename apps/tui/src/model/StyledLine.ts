/**
 * What is drawn, before it has colours: a line of spans, each with the role that it plays. A span is made safe to show
 * when it is made, so that no view can forget to.
 */
import * as Terminal from "@tongs/core/text/Terminal"

/** What a piece of text is, which the theme turns into how it looks. */
export type Role =
  | "plain"
  | "muted"
  | "accent"
  | "strong"
  | "title"
  | "id"
  | "added"
  | "removed"
  | "hunk"
  | "match"
  | "warning"
  | "error"

export interface Span {
  readonly text: string
  readonly role: Role
}

export type Line = ReadonlyArray<Span>

/** Text from anywhere, on one line. */
export const span = (text: string, role: Role = "plain"): Span => ({ text: Terminal.escape(text), role })

/** A line of one span. */
export const line = (text: string, role?: Role): Line => [span(text, role)]

export const empty: Line = []

/** Columns that the line takes. */
export const width = (self: Line): number => self.reduce((sum, { text }) => sum + Terminal.width(text), 0)

/** The text alone. */
export const text = (self: Line): string => self.map((span) => span.text).join("")

/** Columns that the line takes, up to a bound: as much work as the bound, however long the line. */
export const widthUpTo = (self: Line, columns: number): number => {
  let width = 0
  for (const { text } of self) width += take(text, columns - width).columns
  return width
}

/** The line in exactly `columns` columns: cut at a whole character, or filled with spaces. */
export const fit = (self: Line, columns: number, align: "left" | "right" = "left"): Line => {
  const whole = beginning(self, columns)
  const { left, spans } = whole.isWhole || columns < 1 ? whole : beginning(self, columns - 1)
  const kept = whole.isWhole || columns < 1 ? spans : [...spans, { text: "…", role: spans.at(-1)?.role ?? "plain" }]
  if (left === 0) return kept
  const space: Span = { text: " ".repeat(left), role: "plain" }
  return align === "left" || !whole.isWhole ? [...kept, space] : [space, ...kept]
}

/** As `fit`, but it is the beginning that is cut off: for paths, whose end tells them apart. */
export const fitFromEnd = (self: Line, columns: number): Line => {
  const over = width(self) - columns
  if (over <= 0) return fit(self, columns)
  return columns < 1
    ? empty
    : fit([{ text: "…", role: self[0]?.role ?? "plain" }, ...dropColumns(self, over + 1)], columns)
}

/** `left` and `right` at the two ends of `columns` columns; where both do not fit, `left` gives way down to a third. */
export const justify = (left: Line, right: Line, columns: number): Line => {
  const room = Math.min(width(right), Math.max(0, columns - Math.min(width(left), Math.floor(columns / 3)) - 1))
  return [
    ...fit(left, Math.max(0, columns - room - 1)),
    ...fit([], columns > room ? 1 : 0),
    ...fit(right, room, "right")
  ]
}

/** The line without its first `columns` columns. */
export const dropColumns = (self: Line, columns: number): Line => {
  if (columns <= 0) return self
  const kept: Array<Span> = []
  let left = columns
  for (const span of self) {
    const out = take(span.text, left)
    left -= out.columns
    if (out.isWhole) continue
    // What is left of a wide character that the edge goes through is a space.
    const torn = left > 0 ? take(span.text.slice(out.length), 2) : undefined
    const space = " ".repeat(Math.max(0, (torn?.columns ?? 0) - left))
    kept.push({ text: space + span.text.slice(out.length + (torn?.length ?? 0)), role: span.role })
    left = 0
  }
  return kept
}

interface Taken {
  /** In UTF-16 code units. */
  readonly length: number
  readonly columns: number
  /** Whether it is all of the text. */
  readonly isWhole: boolean
}

/** As much of a text as fits, in whole characters; what is beyond is not looked at. */
const take = (text: string, columns: number): Taken => {
  // Where every character takes a column, and none follows that joins the last.
  if (PLAIN.test(text.slice(0, columns + 1))) {
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

const PLAIN = /^[ -~]*$/

const beginning = (self: Line, columns: number) => {
  const spans: Array<Span> = []
  let left = columns
  for (const span of self) {
    const taken = take(span.text, left)
    left -= taken.columns
    if (taken.isWhole) spans.push(span)
    else return { spans: [...spans, { ...span, text: span.text.slice(0, taken.length) }], left, isWhole: false }
  }
  return { spans, left, isWhole: true }
}

/** Plain text in lines of at most `columns` columns, broken between words where that is possible. */
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
