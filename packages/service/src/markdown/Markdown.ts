/**
 * Markdown as HTML that can stand in any page, and as plain text (spec part 2 §2.1). What others wrote is data: their
 * HTML is shown as they typed it, and a link leads only to where `schemes` says.
 */
import MarkdownIt from "markdown-it"

/** Where a link or an image may lead, besides within the site. */
const schemes = new Set(["http:", "https:", "mailto:"])

/** Line breaks stay, as in every comment; addresses become links. */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })

/** Browsers look past white space and control characters in a scheme, so these are not there when it is looked at. */
markdown.validateLink = (url) => {
  const [scheme] = /^[^/?#]*?:/.exec(url.replace(/[\p{White_Space}\p{Cc}\p{Cf}]|%[01][0-9a-f]|%20|%7f/giu, "")) ?? []
  return scheme === undefined || schemes.has(scheme.toLowerCase())
}

/** A link out of a comment vouches for nothing, and the page that it leads to learns nothing of this one. */
markdown.renderer.rules["link_open"] = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet("rel", "nofollow noopener noreferrer")
  return self.renderToken(tokens, index, options)
}

export const html = (source: string): string => markdown.render(source).trimEnd()

/** The text that a reader of the HTML would see. */
export const text = (source: string): string =>
  markdown
    .parse(source, {})
    .map(textOf)
    .filter((line) => line !== "")
    .join("\n")

type Token = ReturnType<typeof markdown.parse>[number]

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
