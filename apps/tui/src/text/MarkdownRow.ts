/** Rows of text with links: wraps content to a width. */
import * as Terminal from "@tongs/core/text/Terminal"
import type { Content } from "./MarkdownBlock.ts"
import type { Line, Role, Span } from "./StyledLine.ts"

/** A range of a row that links to a URL, in columns. */
export interface LinkRange {
  readonly column: number
  readonly length: number
  readonly url: string
}

/** A row of a document. */
export interface Row {
  readonly line: Line
  readonly links: ReadonlyArray<LinkRange>
  readonly width: number
  /** The level of the heading that begins in this row. */
  readonly headingLevel?: number
}

/** A row without links. */
export const make = (line: Line): Row => ({
  line,
  links: [],
  width: line.reduce((sum, { text }) => sum + widthOf(text), 0)
})

/** A horizontal line of one repeated character. */
export const rule = (character: string, columns: number, role: Role): Row => ({
  line: [{ text: character.repeat(columns), role }],
  links: [],
  width: columns
})

export const empty: Row = make([])

/** Joins rows side by side. */
export const join = (rows: ReadonlyArray<Row>): Row => {
  let width = 0
  const links: Array<LinkRange> = []
  for (const row of rows) {
    for (const link of row.links) links.push({ ...link, column: link.column + width })
    width += row.width
  }
  return { line: rows.flatMap(({ line }) => line), links, width }
}

interface Part {
  readonly text: string
  readonly width: number
  readonly role: Role
  readonly url: string | undefined
}

/** White space, an ideograph or a word. Lines may break around each ideograph. */
const wordPattern = /\s+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu
const ideograph = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]$/u
const printableAscii = /^[ -~]*$/

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Widths of characters outside of ASCII, because measuring a character is slow. */
const widths = new Map<string, number>()
const MAX_WIDTHS = 10_000

const widthOf = (text: string): number => {
  if (printableAscii.test(text)) return text.length
  if (text.length > 2) return Terminal.width(text)
  const known = widths.get(text)
  if (known !== undefined) return known
  if (widths.size >= MAX_WIDTHS) widths.clear()
  const width = Terminal.width(text)
  widths.set(text, width)
  return width
}

/** Wraps content to `columns`, between words if possible. Text without a role gets `role`. */
export const wrap = (content: Content, columns: number, role: Role = "plain"): ReadonlyArray<Row> => {
  const limit = Math.max(1, columns)
  const writer = makeWriter()
  let word: Array<Part> = []
  let space: Part | undefined

  const flush = () => {
    const width = word.reduce((sum, part) => sum + part.width, 0)
    if (word.length === 0) return
    if (writer.width() > 0 && writer.width() + (space?.width ?? 0) + width > limit) writer.newRow()
    else if (space !== undefined && writer.width() > 0) writer.write(space)
    space = undefined
    for (const part of word) {
      if (width <= limit) writer.write(part)
      else
        for (const piece of pieces(part)) {
          if (writer.width() > 0 && writer.width() + piece.width > limit) writer.newRow()
          writer.write(piece)
        }
    }
    word = []
  }

  for (const inline of content) {
    const style = { role: inline.role ?? role, url: inline.url }
    if (inline.text === "\n") {
      flush()
      writer.newRow()
      space = undefined
      continue
    }
    for (const [text] of inline.text.matchAll(wordPattern)) {
      if (/^\s/.test(text)) {
        flush()
        space ??= { text: " ", width: 1, ...style }
        continue
      }
      const isIdeograph = ideograph.test(text)
      if (isIdeograph) flush()
      const shown = Terminal.escape(text)
      word.push({ text: shown, width: widthOf(shown), ...style })
      if (isIdeograph) flush()
    }
  }
  flush()
  return writer.rows()
}

const pieces = (part: Part): ReadonlyArray<Part> =>
  Array.from(graphemes.segment(part.text), ({ segment }) => ({ ...part, text: segment, width: widthOf(segment) }))

const makeWriter = () => {
  const done: Array<Row> = []
  let line: Array<Span> = []
  let links: Array<LinkRange> = []
  let width = 0
  const newRow = () => {
    done.push({ line, links, width })
    line = []
    links = []
    width = 0
  }
  return {
    newRow,
    width: () => width,
    write: ({ role, text, url, width: added }: Part) => {
      const last = line.at(-1)
      if (last?.role === role) line[line.length - 1] = { ...last, text: last.text + text }
      else line.push({ text, role })
      const link = links.at(-1)
      if (url !== undefined) {
        if (link?.url === url && link.column + link.length === width)
          links[links.length - 1] = { ...link, length: link.length + added }
        else links.push({ column: width, length: added, url })
      }
      width += added
    },
    rows: (): ReadonlyArray<Row> => (width > 0 ? [...done, { line, links, width }] : done)
  }
}
