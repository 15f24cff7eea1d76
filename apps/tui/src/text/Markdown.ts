/** Markdown documents, such as READMEs and comments, as styled lines for a width. */
import * as Effect from "effect/Effect"
import * as Language from "@tongs/syntax/Language"
import * as MarkdownBlock from "./MarkdownBlock.ts"
import type { Block, Document, Item } from "./MarkdownBlock.ts"
import * as MarkdownRow from "./MarkdownRow.ts"
import type { LinkRange, Row } from "./MarkdownRow.ts"
import * as MarkdownTable from "./MarkdownTable.ts"
import type { Line, Role } from "./StyledLine.ts"
import * as Syntax from "./Syntax.ts"

/** A parsed document with highlighted code. */
export interface Markdown {
  readonly document: Document
  readonly codes: ReadonlyMap<MarkdownBlock.Code, ReadonlyArray<Line>>
  /** True if the end of the source is missing because the source exceeds `MAX_LENGTH`. */
  readonly isTruncated: boolean
}

/** A link in the lines of a document. A link on several lines is several targets. */
export interface LinkTarget extends LinkRange {
  /** The index of the line, from 0. */
  readonly line: number
}

/** A heading that is not inside a list or quote. */
export interface Heading {
  /** The index of the first line, from 0. */
  readonly line: number
  /** From 1 to 6. */
  readonly level: number
}

/** The lines of a document at a width. Lines of code and of narrow nested blocks may be wider. */
export interface MarkdownLines {
  readonly lines: ReadonlyArray<Line>
  readonly links: ReadonlyArray<LinkTarget>
  readonly headings: ReadonlyArray<Heading>
}

/** UTF-16 units above which the rest of a document is not shown, because the parser blocks keys. */
export const MAX_LENGTH = 500_000

/** Maximum width of prose in columns, for readability. */
const MAX_PROSE_WIDTH = 100

/** Minimum width of text in nested quotes and lists. */
const MIN_WIDTH = 12

/** Milliseconds to highlight the code blocks of a document. Later blocks have one color. */
const CODE_TIMEOUT = 1_000

/**
 * Parses a document and highlights the code. Loads the parser and the grammars on first use. With `breaks`, as in
 * comments, each line break of the source breaks the line.
 */
export const parse = Effect.fnUntraced(function* (text: string, options: { readonly breaks?: boolean } = {}) {
  const parser = yield* Effect.promise(() => import("./MarkdownParser.ts"))
  const document = parser.parse(text.slice(0, MAX_LENGTH), { breaks: options.breaks ?? false })
  const codes = new Map<MarkdownBlock.Code, ReadonlyArray<Line>>()
  const deadline = performance.now() + CODE_TIMEOUT
  for (const code of MarkdownBlock.codes(document.blocks)) {
    yield* Effect.yieldNow
    const language = Language.fromName(code.language)
    const isLate = performance.now() > deadline
    const highlighter = language === undefined || isLate ? undefined : yield* Syntax.load(language)
    const text = highlighter === undefined ? Syntax.plain(code.text) : Syntax.highlightNow(highlighter, code.text)
    codes.set(
      code,
      Array.from({ length: text.length }, (_, index) => text.lineAt(index))
    )
  }
  const markdown: Markdown = { document, codes, isTruncated: text.length > MAX_LENGTH }
  return markdown
})

/** Lays out a document. Prose is at most 100 columns wide; tables use the whole width. */
export const layout = (self: Markdown, columns: number): MarkdownLines => {
  const rows = [...blockRows(self, self.document.blocks, Math.max(1, columns), true), ...endRows(self, columns)]
  return {
    lines: rows.map(({ line }) => line),
    links: rows.flatMap(({ links }, line) => links.map((link) => ({ ...link, line }))),
    headings: rows.flatMap(({ headingLevel }, line) =>
      headingLevel === undefined ? [] : [{ line, level: headingLevel }]
    )
  }
}

/** The list of references, and a note if the document is truncated. */
const endRows = (self: Markdown, columns: number): ReadonlyArray<Row> => {
  const { references } = self.document
  const note = self.isTruncated ? [MarkdownRow.empty, text("… the rest of the file is too long to show", "muted")] : []
  if (references.length === 0) return note
  const digits = String(references.length).length
  const rows = references.flatMap((url, index) => {
    const marker = `${`[${index + 1}]`.padStart(digits + 2)} `
    return hanging(marker, "muted", MarkdownRow.wrap([{ text: url, url, role: "link" }], columns - marker.length))
  })
  return [...note, MarkdownRow.empty, MarkdownRow.rule("─", Math.max(1, Math.min(columns, 20)), "muted"), ...rows]
}

const text = (text: string, role: Role): Row => MarkdownRow.make([{ text, role }])

const blockRows = (
  self: Markdown,
  blocks: ReadonlyArray<Block>,
  columns: number,
  isSpaced: boolean
): ReadonlyArray<Row> => {
  const prose = Math.min(columns, MAX_PROSE_WIDTH)
  const rows: Array<Row> = []
  for (const [index, block] of blocks.entries()) {
    if (index > 0 && (isSpaced || block.type === "code" || block.type === "table")) rows.push(MarkdownRow.empty)
    // Does not use `push(...)`, which fails for too many arguments.
    for (const row of rowsOf(self, block, columns, prose)) rows.push(row)
  }
  return rows
}

const rowsOf = (self: Markdown, block: Block, columns: number, prose: number): ReadonlyArray<Row> => {
  switch (block.type) {
    case "heading":
      return heading(block.level, block.content, prose)
    case "paragraph":
      return MarkdownRow.wrap(block.content, prose)
    case "code":
      return (self.codes.get(block) ?? []).map((line) => MarkdownRow.make([{ text: "  ", role: "plain" }, ...line]))
    case "table":
      return MarkdownTable.layout(block, columns)
    case "rule":
      return [MarkdownRow.rule("─", prose, "muted")]
    case "quote":
      return blockRows(self, block.blocks, Math.max(MIN_WIDTH, columns - 2), true).map((row) =>
        MarkdownRow.join([text("│ ", "muted"), row])
      )
    case "list": {
      const last = String((block.first ?? 0) + block.items.length - 1).length
      return block.items.flatMap((item, index) => {
        const marker = block.first === undefined ? "• " : `${`${block.first + index}.`.padStart(last + 1)} `
        const rows = itemRows(self, item, marker, columns, !block.isTight)
        return index > 0 && !block.isTight ? [MarkdownRow.empty, ...rows] : rows
      })
    }
  }
}

/** Levels 1 and 2 have a line below the heading, deeper levels a sign before the text. */
const heading = (level: number, content: MarkdownBlock.Content, columns: number): ReadonlyArray<Row> =>
  headingRows(level, content, columns).map((row, index) => (index === 0 ? { ...row, headingLevel: level } : row))

const headingRows = (level: number, content: MarkdownBlock.Content, columns: number): ReadonlyArray<Row> => {
  if (level > 2)
    return hanging(`${"#".repeat(level)} `, "muted", MarkdownRow.wrap(content, columns - level - 1, "title"))
  return [
    ...MarkdownRow.wrap(content, columns, "title"),
    level === 1 ? MarkdownRow.rule("━", columns, "accent") : MarkdownRow.rule("─", columns, "muted")
  ]
}

const itemRows = (self: Markdown, item: Item, marker: string, columns: number, isSpaced: boolean) => {
  const box = item.isDone === undefined ? "" : item.isDone ? "[x] " : "[ ] "
  const width = marker.length + box.length
  const rows = blockRows(self, item.blocks, Math.max(MIN_WIDTH, columns - width), isSpaced)
  const boxRole = item.isDone === true ? "success" : "muted"
  return hanging(marker, "muted", box === "" ? rows : hanging(box, boxRole, rows))
}

/** Puts a marker before the first row, and indents all other rows. */
const hanging = (marker: string, role: Role, rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const first = text(marker, role)
  const rest = text(" ".repeat(marker.length), "plain")
  if (rows.length === 0) return [first]
  return rows.map((row, index) => {
    if (index === 0) return MarkdownRow.join([first, row])
    return row.width === 0 ? row : MarkdownRow.join([rest, row])
  })
}
