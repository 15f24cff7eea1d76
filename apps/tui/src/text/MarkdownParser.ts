/** Parses Markdown. `Markdown.ts` loads this module with the first document, because the parser is large. */
import MarkdownIt, { type Token } from "markdown-it"
import type { Align, Block, Content, Document, Item } from "./MarkdownBlock.ts"
import * as MarkdownContent from "./MarkdownContent.ts"

const parser = new MarkdownIt({ html: true, linkify: true })
// Without a scheme, `README.md` would be a link to a site, because `.md` is a top-level domain.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false })

/** Schemes of links and images; relative links are allowed too. */
const schemes = new Set(["http:", "https:", "mailto:"])

// Ignores white space and control characters in the scheme, as browsers do.
parser.validateLink = (url) => {
  const scheme = /^[^/?#]*?:/.exec(url.replace(/[\p{White_Space}\p{Cc}\p{Cf}]|%[01][0-9a-f]|%20|%7f/giu, ""))?.[0]
  return scheme === undefined || schemes.has(scheme.toLowerCase())
}

/** Parses a document. With `breaks`, as in comments, each line break of the source breaks the line. */
export const parse = (text: string, options: { readonly breaks: boolean }): Document => {
  const references: Array<string> = []
  const numbers = new Map<string, number>()
  const environment: MarkdownContent.Environment = {
    // The parser has one function for entities and backslashes, and HTML has no backslash escapes.
    decodeEntities: (text) => parser.utils.unescapeAll(text.replaceAll("\\", "\\\\")),
    isSafeUrl: (url) => parser.validateLink(url),
    numberOf: (url) => {
      const number = numbers.get(url) ?? references.push(url)
      numbers.set(url, number)
      return number
    }
  }
  const reader: Reader = { tokens: parser.parse(text, {}), next: 0, environment, breaks: options.breaks }
  return { blocks: blocks(reader, undefined), references }
}

interface Reader {
  readonly tokens: ReadonlyArray<Token>
  next: number
  readonly environment: MarkdownContent.Environment
  readonly breaks: boolean
}

/** Reads blocks up to the closing token. */
const blocks = (reader: Reader, end: string | undefined): ReadonlyArray<Block> => {
  const found: Array<Block> = []
  for (;;) {
    const token = reader.tokens[reader.next++]
    if (token === undefined || token.type === end) return found
    switch (token.type) {
      case "heading_open":
        found.push({ type: "heading", level: Number(token.tag.slice(1)), content: content(reader, "heading_close") })
        break
      case "paragraph_open": {
        const text = content(reader, "paragraph_close")
        if (text.length > 0) found.push({ type: "paragraph", content: text })
        break
      }
      case "fence":
      case "code_block":
        found.push({
          type: "code",
          text: token.content.replace(/\n$/, ""),
          language: /^[^\s{,]*/.exec(token.info.trim())?.[0] ?? ""
        })
        break
      case "blockquote_open":
        found.push({ type: "quote", blocks: alert(blocks(reader, "blockquote_close")) })
        break
      case "bullet_list_open":
        found.push({ type: "list", ...items(reader, "bullet_list_close") })
        break
      case "ordered_list_open":
        found.push({ type: "list", first: Number(token.attrGet("start") ?? 1), ...items(reader, "ordered_list_close") })
        break
      case "table_open":
        found.push(table(reader))
        break
      case "hr":
        found.push({ type: "rule" })
        break
      case "html_block":
        found.push(...MarkdownContent.htmlBlocks(token.content, reader.environment))
        break
    }
  }
}

const items = (reader: Reader, end: string): { readonly isTight: boolean; readonly items: ReadonlyArray<Item> } => {
  const found: Array<Item> = []
  let isTight = true
  for (;;) {
    const token = reader.tokens[reader.next++]
    if (token === undefined || token.type === end) return { isTight, items: found }
    if (token.type !== "list_item_open") continue
    // The paragraphs of a tight list are hidden.
    const first = reader.tokens[reader.next]
    if (first?.type === "paragraph_open" && !first.hidden) isTight = false
    found.push(task(blocks(reader, "list_item_close")))
  }
}

/** Reads the box of a task: `[ ]` or `[x]` at the start of an item. */
const task = (blocks: ReadonlyArray<Block>): Item => {
  const [paragraph, ...rest] = blocks
  if (paragraph?.type !== "paragraph") return { blocks }
  const [first, ...others] = paragraph.content
  const box = first === undefined ? null : /^\[([ xX])\]\s+/.exec(first.text)
  if (first === undefined || box === null) return { blocks }
  const content = [{ ...first, text: first.text.slice(box[0].length) }, ...others]
  return { isDone: box[1] !== " ", blocks: [{ type: "paragraph", content }, ...rest] }
}

/** Gives a quote that begins with `[!NOTE]` a title. */
const alert = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const [paragraph, ...rest] = blocks
  if (paragraph?.type !== "paragraph") return blocks
  const [first, ...others] = paragraph.content
  const kind = first === undefined ? null : /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*$/i.exec(first.text)
  if (kind === null) return blocks
  const name = kind[1] ?? ""
  const role = /^(WARNING|CAUTION)$/i.test(name) ? "warning" : "strong"
  const title = { text: `${name.slice(0, 1).toUpperCase()}${name.slice(1).toLowerCase()}`, role } as const
  const content = others[0]?.text.trim() === "" ? others.slice(1) : others
  return [{ type: "paragraph", content: [title, { text: "\n" }, ...content] }, ...rest]
}

const table = (reader: Reader): Block => {
  const aligns: Array<Align> = []
  const rows: Array<Array<Content>> = []
  for (;;) {
    const token = reader.tokens[reader.next++]
    if (token === undefined || token.type === "table_close") return { type: "table", aligns, rows }
    if (token.type === "tr_open") rows.push([])
    if (token.type === "th_open") aligns.push(alignOf(token))
    if (token.type === "th_open" || token.type === "td_open")
      rows.at(-1)?.push(content(reader, token.type.replace("open", "close")))
  }
}

const alignOf = (token: Token): Align => {
  const align = /text-align:(right|center)/.exec(String(token.attrGet("style") ?? ""))?.[1]
  return align === "right" || align === "center" ? align : "left"
}

/** Reads inline text up to the closing token. */
const content = (reader: Reader, end: string): Content => {
  const builder = MarkdownContent.make(reader.environment)
  for (;;) {
    const token = reader.tokens[reader.next++]
    if (token === undefined || token.type === end) return builder.take()
    for (const child of token.children ?? []) inline(child, builder, reader.breaks)
  }
}

const inline = (token: Token, builder: MarkdownContent.ContentBuilder, breaks: boolean): void => {
  switch (token.type) {
    case "text":
    case "text_special":
      return builder.text(token.content)
    case "softbreak":
      return breaks ? builder.lineBreak() : builder.text(" ")
    case "hardbreak":
      return builder.lineBreak()
    case "code_inline":
      return builder.code(token.content)
    case "strong_open":
      return builder.open("strong")
    case "strong_close":
      return builder.close("strong")
    case "em_open":
      return builder.open("emphasis")
    case "em_close":
      return builder.close("emphasis")
    case "s_open":
      return builder.open("strike")
    case "s_close":
      return builder.close("strike")
    case "link_open":
      return builder.openLink(String(token.attrGet("href") ?? ""))
    case "link_close":
      return builder.closeLink()
    case "image":
      return builder.image(altOf(token), String(token.attrGet("src") ?? ""))
    case "html_inline":
      return builder.html(token.content)
  }
}

/** The alternative text of an image, without markup. */
const altOf = (token: Token): string =>
  (token.children ?? [])
    .map((child) => (child.children === null || child.children.length === 0 ? child.content : altOf(child)))
    .join("")
