/**
 * Markdown as HTML that can stand in any page, and as plain text (spec part 2 §2.1). What others wrote is data: their
 * HTML is shown as they typed it, and a link leads only to where `schemes` says.
 */
import MarkdownIt from "markdown-it"

/** Where a link or an image may lead, besides within the site. */
const schemes = new Set(["http:", "https:", "mailto:"])

/** Addresses become links. `breaks`: every line break of the source is one of the text. */
const renderer = ({ breaks }: { readonly breaks: boolean }) => {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks })
  markdown.validateLink = isSafeLink
  // A link vouches for nothing, and the page that it leads to learns nothing of this one.
  markdown.renderer.rules["link_open"] = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet("rel", "nofollow noopener noreferrer")
    return self.renderToken(tokens, index, options)
  }
  return markdown
}

/** Browsers look past white space and control characters in a scheme, so these are not there when it is looked at. */
const isSafeLink = (url: string) => {
  const [scheme] = /^[^/?#]*?:/.exec(url.replace(/[\p{White_Space}\p{Cc}\p{Cf}]|%[01][0-9a-f]|%20|%7f/giu, "")) ?? []
  return scheme === undefined || schemes.has(scheme.toLowerCase())
}

const comments = renderer({ breaks: true })
const documents = renderer({ breaks: false })

/** The HTML of a comment. */
export const html = (source: string): string => comments.render(source).trimEnd()

/** Characters of the largest Markdown file that is rendered: rendering keeps other requests waiting. */
const maxRendered = 64 * 1024

/** The HTML of a file: Markdown rendered, any other text in a block of code. */
export const fileHtml = (path: string, source: string): string =>
  /\.(md|markdown|mdown)$/i.test(path) && source.length <= maxRendered
    ? `<article class="markdown-body">${documents.render(source).trimEnd()}</article>`
    : `<pre>${documents.utils.escapeHtml(source)}</pre>`

/** The text that a reader of the HTML would see. */
export const text = (source: string): string =>
  comments
    .parse(source, {})
    .map(textOf)
    .filter((line) => line !== "")
    .join("\n")

type Token = ReturnType<typeof comments.parse>[number]

const textOf = (token: Token): string => {
  switch (token.type) {
    case "inline":
    case "image": // its description
      return (token.children ?? []).map(textOf).join("")
    case "text":
    case "text_special":
    case "code_inline":
      return token.content
    case "softbreak":
    case "hardbreak":
      return "\n"
    case "fence":
    case "code_block":
      return token.content.trimEnd()
    default:
      return ""
  }
}
