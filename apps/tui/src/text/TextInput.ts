/**
 * A text editor as data: a text with a cursor. Keys and pasted text return a new value; `line` and `lines` draw a
 * value.
 */
import * as Terminal from "@tongs/core/text/Terminal"
import * as StyledLine from "./StyledLine.ts"

export interface TextInput {
  readonly text: string
  /** Offset in UTF-16 code units, always between two characters. */
  readonly cursor: number
  /** True if the text may have several lines. */
  readonly multiline: boolean
  /** Maximum length in UTF-16 code units that keys and pasted text can give. A longer first value stays. */
  readonly maxLength: number
  /** The display column that `up` and `down` return to after a shorter line. */
  readonly column?: number
}

/** Maximum length of one line, in UTF-16 code units. Longer than any public key. */
const MAX_LINE = 4096
/** Maximum length of a text of several lines, in UTF-16 code units: the maximum length of a comment. */
const MAX_TEXT = 65_536

/** Creates an input with the cursor at the end of the text. */
export const make = (
  text = "",
  options: { readonly multiline?: boolean; readonly maxLength?: number } = {}
): TextInput => {
  const { multiline = false, maxLength = multiline ? MAX_TEXT : MAX_LINE } = options
  const value = multiline ? text.replace(/\r\n?/g, "\n") : text
  return { text: value, cursor: value.length, multiline, maxLength }
}

/** Replaces the whole text. Moves the cursor to the end. */
export const withText = ({ maxLength, multiline }: TextInput, text: string): TextInput =>
  make(text, { multiline, maxLength })

/**
 * Inserts pasted text at the cursor. Removes control characters, except newlines and tabs in a text of several lines.
 * In one line, white space with a newline becomes a space. Ignores the part beyond the maximum length.
 */
export const insert = (self: TextInput, text: string): TextInput => {
  // Longer than any text that fits after cleaning. The rest of a huge paste is not read.
  const pasted = text.slice(0, self.maxLength * 4)
  const added = fitting(clean(pasted, self.multiline), self.maxLength - self.text.length)
  if (added === "") return self
  const value = self.text.slice(0, self.cursor) + added + self.text.slice(self.cursor)
  return moveTo({ ...self, text: value }, boundary(value, self.cursor + added.length))
}

/**
 * Handles a key by name. Returns `self` if the key changes nothing. Word keys stop at punctuation, `ctrl-w` at space.
 */
export const press = (self: TextInput, key: string): TextInput => {
  const { cursor, text } = self
  switch (key) {
    case "left":
    case "ctrl-b":
      return moveTo(self, previous(text, cursor))
    case "right":
    case "ctrl-f":
      return moveTo(self, next(text, cursor))
    case "home":
    case "ctrl-a":
      return moveTo(self, lineStart(text, cursor))
    case "end":
    case "ctrl-e":
      return moveTo(self, lineEnd(text, cursor))
    case "alt-left":
    case "ctrl-left":
      return moveTo(self, previousWord(text, cursor))
    case "alt-right":
    case "ctrl-right":
      return moveTo(self, nextWord(text, cursor))
    case "backspace":
      return remove(self, previous(text, cursor), cursor)
    case "delete":
      return remove(self, cursor, next(text, cursor))
    case "ctrl-w":
      return remove(self, backward(text, backward(text, cursor, isSpace), isNotSpace), cursor)
    case "ctrl-u":
      return remove(self, lineStart(text, cursor), cursor)
    case "ctrl-k":
      return remove(self, cursor, lineEnd(text, cursor))
    case "up":
      return self.multiline ? vertical(self, -1) : self
    case "down":
      return self.multiline ? vertical(self, 1) : self
    case "enter":
      return self.multiline ? insert(self, "\n") : self
    default:
      return isCharacter(key) ? insert(self, key) : self
  }
}

/** Returns true if a key is a character: one code point. The names of other keys are longer. */
const isCharacter = (key: string): boolean => [...key].length === 1

export interface Appearance {
  /** True shows a dot for each character. */
  readonly secret?: boolean
  /** False hides the cursor. Default: true. */
  readonly focused?: boolean
}

/** Returns one line of exactly `columns` columns, scrolled so that the cursor is visible. */
export const line = (self: TextInput, columns: number, appearance: Appearance = {}): StyledLine.Line => {
  const shown = split(self.text, self.cursor, appearance)
  const isWhole = StyledLine.width([...shown.before, ...shown.cursor, ...shown.after]) <= columns
  return window(shown, isWhole ? 0 : shiftFor(shown, columns), columns)
}

/** Returns `rows` lines of exactly `columns` columns, wrapped between words. Scrolls so that the cursor is visible. */
export const lines = (
  self: TextInput,
  columns: number,
  rows: number,
  appearance: Appearance = {}
): ReadonlyArray<StyledLine.Line> => {
  const all = wrap(self.text, columns - 1)
  const current = all.findLastIndex(({ start }) => start <= self.cursor)
  const first = Math.max(0, Math.min(current - Math.floor(rows / 2), all.length - rows))
  return Array.from({ length: rows }, (_, row) => {
    const range = all[first + row]
    if (range === undefined) return StyledLine.fit([], columns)
    const text = self.text.slice(range.start, range.end)
    if (first + row !== current) return StyledLine.fit(span(text, appearance), columns)
    const { after, before, cursor } = split(text, self.cursor - range.start, appearance)
    return StyledLine.fit([...before, ...cursor, ...after], columns)
  })
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Returns the offsets of the rows of a text. */
const wrap = (text: string, columns: number): ReadonlyArray<Range> => {
  let start = 0
  return text.split("\n").flatMap((line) => {
    const from = start
    start += line.length + 1
    return wrapLine(line, columns).map(({ end, start }) => ({ start: from + start, end: from + end }))
  })
}

const wrapLine = (line: string, columns: number): ReadonlyArray<Range> => {
  if (line.length <= columns && /^[ -~]*$/.test(line)) return [{ start: 0, end: line.length }]
  const rows: Array<Range> = []
  let start = 0
  let used = 0
  // The width and the offset after the last space: a word that does not fit moves to the next row.
  let spaceEnd = 0
  let spaceUsed = 0
  // Measuring a character takes much longer than finding a cached width, and most texts have few different characters.
  const widths = new Map<string, number>()
  for (const { index, segment } of graphemes.segment(line)) {
    const wide = widths.get(segment) ?? Terminal.width(Terminal.escape(segment))
    widths.set(segment, wide)
    if (used + wide > columns && index > start) {
      const end = spaceEnd > start && segment !== " " ? spaceEnd : index
      rows.push({ start, end })
      used = end === spaceEnd ? used - spaceUsed : 0
      start = end
    }
    used += wide
    if (segment !== " ") continue
    spaceEnd = index + 1
    spaceUsed = used
  }
  return [...rows, { start, end: line.length }]
}

/** A line in three parts. */
interface SplitLine {
  readonly before: StyledLine.Line
  readonly cursor: StyledLine.Line
  readonly after: StyledLine.Line
}

/** Number of columns below which a line scrolls without marks at the ends. */
const NARROW = 8

/** Returns the number of columns to skip, in steps of half a window so that the text does not move with every key. */
const shiftFor = ({ before, cursor }: SplitLine, columns: number): number => {
  const end = StyledLine.width(before) + StyledLine.width(cursor)
  if (columns < NARROW) return Math.max(0, end - columns)
  const step = Math.floor(columns / 2)
  return Math.max(0, Math.ceil((end - columns + 1) / step) * step)
}

const window = ({ after, before, cursor }: SplitLine, shift: number, columns: number): StyledLine.Line => {
  const whole = [...before, ...cursor, ...after]
  // A narrow window ends with the cursor, because the mark of a cut end would hide the cursor.
  const isCut = columns < NARROW && StyledLine.width(whole) > columns
  return cut(isCut ? [...before, ...cursor] : whole, shift, columns)
}

/** Returns the columns after `shift`, with `…` at cut ends. */
const cut = (whole: StyledLine.Line, shift: number, columns: number): StyledLine.Line => {
  if (shift === 0 || columns < NARROW) return StyledLine.fit(StyledLine.dropColumns(whole, shift), columns)
  const isBlank = StyledLine.widthUpTo(whole, shift + 1) <= shift
  const mark: StyledLine.Span = { text: isBlank ? " " : "…", role: "muted" }
  return StyledLine.fit([mark, ...StyledLine.dropColumns(whole, shift + 1)], columns)
}

const span = (text: string, { secret = false }: Appearance): StyledLine.Line =>
  text === "" ? StyledLine.empty : StyledLine.line(secret ? "•".repeat([...graphemes.segment(text)].length) : text)

/** Splits one line at the cursor. The cursor is the current character, or a bar at the end of the text. */
const split = (text: string, at: number, appearance: Appearance): SplitLine => {
  if (appearance.focused === false) {
    return { before: StyledLine.empty, cursor: StyledLine.empty, after: span(text, appearance) }
  }
  const end = next(text, at)
  return {
    before: span(text.slice(0, at), appearance),
    cursor:
      end === at
        ? StyledLine.line("▏", "accent")
        : span(text.slice(at, end), appearance).map((part): StyledLine.Span => ({
            ...part,
            role: "accent",
            background: "selected"
          })),
    after: span(text.slice(end), appearance)
  }
}

const moveTo = (self: TextInput, cursor: number): TextInput => {
  const { maxLength, multiline, text } = self
  return cursor === self.cursor ? self : { text, cursor, multiline, maxLength }
}

const remove = (self: TextInput, from: number, to: number): TextInput => {
  if (from >= to) return self
  const { maxLength, multiline } = self
  const text = self.text.slice(0, from) + self.text.slice(to)
  return { text, cursor: boundary(text, from), multiline, maxLength }
}

/** Moves one line up or down, to the character nearest to the same display column. */
const vertical = (self: TextInput, step: -1 | 1): TextInput => {
  const { cursor, text } = self
  const start = lineStart(text, cursor)
  const end = lineEnd(text, cursor)
  if (step === -1 ? start === 0 : end === text.length) return self
  const column = self.column ?? Terminal.width(Terminal.escape(text.slice(start, cursor)))
  const from = step === -1 ? lineStart(text, start - 1) : end + 1
  let at = from
  let used = 0
  for (const { segment } of graphemes.segment(text.slice(from, lineEnd(text, from)))) {
    used += Terminal.width(Terminal.escape(segment))
    if (used > column) break
    at += segment.length
  }
  return { ...self, cursor: at, column }
}

const clean = (text: string, multiline: boolean): string => {
  const pasted = text.toWellFormed()
  if (multiline) return pasted.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "")
  return pasted
    .replace(/\s+/g, (space: string, at: number) => {
      if (!/[^ ]/.test(space)) return space
      const isOutside = at === 0 || at + space.length === pasted.length
      return isOutside && /[\r\n]/.test(space) ? "" : " "
    })
    .replace(/\p{Cc}/gu, "")
}

/** Returns the longest start of complete characters with at most `length` code units. */
const fitting = (text: string, length: number): string => {
  if (text.length <= length) return text
  return length <= 0 ? "" : text.slice(0, graphemes.segment(text).containing(length)?.index)
}

const previous = (text: string, at: number): number => graphemes.segment(text).containing(at - 1)?.index ?? 0

const next = (text: string, at: number): number => {
  const found = graphemes.segment(text).containing(at)
  return found === undefined ? text.length : found.index + found.segment.length
}

/** Returns `at`, or the end of the character that contains `at`: inserted text can join with adjacent characters. */
const boundary = (text: string, at: number): number => {
  const found = graphemes.segment(text).containing(at)
  return found === undefined || found.index === at ? at : found.index + found.segment.length
}

const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1)

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at)
  return end === -1 ? text.length : end
}

const previousWord = (text: string, at: number): number => backward(text, backward(text, at, isNotWord), isWord)

const nextWord = (text: string, at: number): number => forward(text, forward(text, at, isNotWord), isWord)

// Loops, because a pattern that ends with `$` takes quadratic time for long runs of spaces.
const backward = (text: string, from: number, matches: (unit: string) => boolean): number => {
  let at = from
  while (at > 0 && matches(text.charAt(at - 1))) at -= 1
  return at
}

const forward = (text: string, from: number, matches: (unit: string) => boolean): number => {
  let at = from
  while (at < text.length && matches(text.charAt(at))) at += 1
  return at
}

const isSpace = (unit: string) => /\s/.test(unit)
const isNotSpace = (unit: string) => !isSpace(unit)
/** True for one UTF-16 code unit of a word. Halves of surrogate pairs count, so that no pair is split. */
const isWord = (unit: string) => /[\p{L}\p{N}\p{M}\p{Cs}_]/u.test(unit)
const isNotWord = (unit: string) => !isWord(unit)

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
