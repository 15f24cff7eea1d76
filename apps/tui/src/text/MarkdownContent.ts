/** Collects the text of paragraphs and headings from Markdown and HTML. */
import type { Block, Content, Inline, Item } from "./MarkdownBlock.ts"
import * as MarkdownHtml from "./MarkdownHtml.ts"
import type { Role } from "./StyledLine.ts"

/** The functions of the Markdown parser, and the references of the document. */
export interface Environment {
  readonly decodeEntities: (text: string) => string
  /** False for URLs that could run a script. */
  readonly isSafeUrl: (url: string) => boolean
  /** Returns the number of a URL among the references. */
  readonly numberOf: (url: string) => number
}

/** The blocks of HTML that begin and end a paragraph. */
const blockTags = new Set(
  (
    "address article aside blockquote body caption center dd details div dl dt figcaption figure footer form header " +
    "html li main nav ol p section summary table tbody tfoot thead tr ul"
  ).split(" ")
)

/** Collects pieces of text with the current style. */
export interface ContentBuilder {
  readonly text: (text: string) => void
  readonly code: (text: string) => void
  readonly lineBreak: () => void
  readonly open: (style: Style) => void
  readonly close: (style: Style) => void
  readonly openLink: (url: string) => void
  readonly closeLink: () => void
  readonly image: (alt: string, url: string) => void
  readonly html: (html: string) => void
  /** Returns the text since the last call. */
  readonly take: () => Content
}

/** A style of text. Styles nest. */
export type Style = "strong" | "emphasis" | "strike" | "code"

interface Link {
  readonly url: string
  text: string
}

/** Creates a builder. `onBlock` gets the tags of HTML that are blocks. */
export const make = (
  environment: Environment,
  onBlock: (tag: Extract<MarkdownHtml.HtmlPart, { type: "tag" }>) => void = () => {}
): ContentBuilder => {
  let content: Array<Inline> = []
  const depth = { strong: 0, emphasis: 0, strike: 0, code: 0 }
  const links: Array<Link> = []

  const role = (): Role | undefined => {
    if (links.length > 0) return "link"
    if (depth.code > 0) return "accent"
    if (depth.strike > 0) return "muted"
    if (depth.strong > 0) return "strong"
    return depth.emphasis > 0 ? "emphasis" : undefined
  }
  const push = (text: string, own = role()) => {
    const link = links.at(-1)
    if (link !== undefined) link.text += text
    if (text !== "")
      content.push({ text, ...(own !== undefined && { role: own }), ...(link !== undefined && { url: link.url }) })
  }

  const builder: ContentBuilder = {
    text: (text) => push(text.replace(/\s+/g, " ")),
    code: (text) => push(text, links.length > 0 ? "link" : "accent"),
    lineBreak: () => push("\n"),
    open: (style) => {
      depth[style]++
      if (style === "strike") push("~~")
    },
    close: (style) => {
      if (style === "strike") push("~~")
      depth[style] = Math.max(0, depth[style] - 1)
    },
    openLink: (url) => {
      // A link in a link ends the outer link.
      if (links.length === 0) links.push({ url, text: "" })
    },
    closeLink: () => {
      const link = links.pop()
      if (link === undefined || link.url.startsWith("#") || link.text === "") return
      if (link.text === link.url || `mailto:${link.text}` === link.url) return
      content.push({ text: `[${environment.numberOf(link.url)}]`, role: "muted", url: link.url })
    },
    image: (alt, url) => {
      const text = `[image: ${alt.trim() === "" ? (url.split(/[?#]/)[0]?.split("/").at(-1) ?? "") : alt.trim()}]`
      if (links.length === 0 && environment.isSafeUrl(url)) content.push({ text, role: "muted", url })
      else push(text)
    },
    html: (html) => {
      for (const part of MarkdownHtml.parse(html)) {
        if (part.type === "text") builder.text(environment.decodeEntities(part.text))
        else tag(part)
      }
    },
    take: () => {
      while (links.length > 0) builder.closeLink()
      const taken = trim(content)
      content = []
      return taken
    }
  }

  const tag = (part: Extract<MarkdownHtml.HtmlPart, { type: "tag" }>) => {
    const value = (name: string) => environment.decodeEntities(MarkdownHtml.attribute(part.attributes, name) ?? "")
    const style = tagStyles.get(part.name)
    if (style !== undefined) return part.isClosing ? builder.close(style) : builder.open(style)
    switch (part.name) {
      case "br":
        return builder.lineBreak()
      case "img":
        return builder.image(value("alt"), value("src"))
      case "a": {
        if (part.isClosing) return builder.closeLink()
        const url = value("href").trim()
        return url !== "" && environment.isSafeUrl(url) ? builder.openLink(url) : undefined
      }
      case "td":
      case "th":
        return part.isClosing ? builder.text("  ") : undefined
      case "input":
        return value("type") === "checkbox"
          ? builder.text(/\bchecked\b/i.test(part.attributes) ? "[x] " : "[ ] ")
          : undefined
      default:
        if (blockTags.has(part.name) || /^(h[1-6]|hr|pre)$/.test(part.name)) onBlock(part)
    }
  }

  return builder
}

const tagStyles: ReadonlyMap<string, Style> = new Map([
  ["b", "strong"],
  ["strong", "strong"],
  ["summary", "strong"],
  ["i", "emphasis"],
  ["em", "emphasis"],
  ["s", "strike"],
  ["del", "strike"],
  ["strike", "strike"],
  ["code", "code"],
  ["kbd", "code"],
  ["samp", "code"],
  ["tt", "code"]
])

/** Removes the space and the line breaks at both ends. */
const trim = (content: ReadonlyArray<Inline>): Content => {
  const isBlank = (inline: Inline | undefined) => inline !== undefined && inline.text.trim() === ""
  let start = 0
  let end = content.length
  while (isBlank(content[start])) start++
  while (end > start && isBlank(content[end - 1])) end--
  return content.slice(start, end)
}

/** Converts a block of HTML: headings, paragraphs, list items, rules and preformatted text. */
export const htmlBlocks = (html: string, environment: Environment): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let level = 0
  let items: Array<Item> | undefined
  let isItem = false
  let preformatted: string | undefined
  const flush = () => {
    const content = builder.take()
    if (content.length === 0) return
    if (isItem) {
      if (items === undefined) blocks.push({ type: "list", isTight: true, items: (items = []) })
      items.push({ blocks: [{ type: "paragraph", content }] })
      return
    }
    items = undefined
    blocks.push(level > 0 ? { type: "heading", level, content } : { type: "paragraph", content })
  }
  const builder = make(environment, ({ isClosing, name }) => {
    flush()
    level = /^h[1-6]$/.test(name) && !isClosing ? Number(name[1]) : 0
    if (name === "hr") blocks.push({ type: "rule" })
    if (name === "li") isItem = !isClosing
  })
  for (const part of MarkdownHtml.parse(html)) {
    if (part.type === "tag" && part.name === "pre") {
      if (part.isClosing && preformatted !== undefined)
        blocks.push({
          type: "code",
          text: environment.decodeEntities(preformatted).replace(/^\n|\n$/g, ""),
          language: ""
        })
      else flush()
      preformatted = part.isClosing ? undefined : ""
    } else if (preformatted === undefined) {
      builder.html(part.type === "text" ? part.text : `<${part.isClosing ? "/" : ""}${part.name}${part.attributes}>`)
    } else if (part.type === "text") preformatted += part.text
  }
  if (preformatted !== undefined) builder.text(environment.decodeEntities(preformatted))
  flush()
  return blocks
}
