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
export const span = (text: string, role: Role = "plain"): Span => ({ text: Terminal.visible(text), role })

/** A line of one span. */
export const line = (text: string, role?: Role): Line => [span(text, role)]

export const empty: Line = []

/** Columns that the line takes. */
export const width = (self: Line): number => self.reduce((sum, { text }) => sum + Terminal.width(text), 0)

/** The text alone. */
export const text = (self: Line): string => self.map((span) => span.text).join("")

/** The line in exactly `columns` columns: cut at a whole character, or filled with spaces. */
export const fit = (self: Line, columns: number, align: "left" | "right" = "left"): Line => {
  const free = columns - width(self)
  if (free === 0) return self
  const space: Span = { text: " ".repeat(Math.max(0, free)), role: "plain" }
  if (free > 0) return align === "left" ? [...self, space] : [space, ...self]
  const kept: Array<Span> = []
  let left = columns
  for (const span of self) {
    const wide = Terminal.width(span.text)
    // The last span that fits whole must leave a column for the sign that something was cut.
    if (wide < left) {
      kept.push(span)
      left -= wide
      continue
    }
    const cut =
      left < 1 ? "" : wide === left ? Terminal.truncate(`${span.text}…`, left) : Terminal.truncate(span.text, left)
    kept.push({ text: cut, role: span.role })
    left -= Terminal.width(cut)
    break
  }
  // A wide character that did not fit leaves a column free.
  return left > 0 ? [...kept, { text: " ".repeat(left), role: "plain" }] : kept
}

/** As `fit`, but it is the beginning that is cut off: for paths, whose end tells them apart. */
export const fitEnd = (self: Line, columns: number): Line => {
  const over = width(self) - columns
  if (over <= 0) return fit(self, columns)
  return columns < 1 ? empty : fit([{ text: "…", role: self[0]?.role ?? "plain" }, ...drop(self, over + 1)], columns)
}

/** `left` and `right` at the two ends of `columns` columns; where both do not fit, `left` gives way down to a third. */
export const ends = (left: Line, right: Line, columns: number): Line => {
  const room = Math.min(width(right), Math.max(0, columns - Math.min(width(left), Math.floor(columns / 3)) - 1))
  return [
    ...fit(left, Math.max(0, columns - room - 1)),
    ...fit([], columns > room ? 1 : 0),
    ...fit(right, room, "right")
  ]
}

/** The line without its first `columns` columns. */
export const drop = (self: Line, columns: number): Line => {
  if (columns <= 0) return self
  const kept: Array<Span> = []
  let left = columns
  for (const span of self) {
    const wide = Terminal.width(span.text)
    if (left >= wide) {
      left -= wide
      continue
    }
    let rest = span.text
    if (left > 0) {
      rest = ""
      for (const { segment } of graphemes.segment(span.text)) {
        if (left > 0) left -= Terminal.width(segment)
        else rest += segment
      }
      rest = " ".repeat(Math.max(0, -left)) + rest
      left = 0
    }
    kept.push({ text: rest, role: span.role })
  }
  return kept
}

/** Plain text in lines of at most `columns` columns, broken between words where that is possible. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> => {
  const limit = Math.max(1, columns)
  return Terminal.visible(text, { newlines: true })
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
