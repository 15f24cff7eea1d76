/**
 * Renders Markdown as HTML that is safe in any page, and as plain text. Escapes HTML in the source, and allows only
 * links with the listed `schemes`.
 */
import MarkdownIt from "markdown-it"

/** Schemes of links and images; relative links are allowed too. */
const schemes = new Set(["http:", "https:", "mailto:"])

/** Creates a renderer that turns URLs into links. With `breaks`, each line break of the source becomes `<br>`. */
const renderer = ({ breaks }: { readonly breaks: boolean }) => {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks })
  markdown.validateLink = isSafeLink
  // Links pass neither search ranking nor the referrer to the target.
  markdown.renderer.rules["link_open"] = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet("rel", "nofollow noopener noreferrer")
    return self.renderToken(tokens, index, options)
  }
  return markdown
}

/** Checks the scheme of a URL without white space and control characters, because browsers ignore these characters. */
const isSafeLink = (url: string) => {
  const [scheme] = /^[^/?#]*?:/.exec(url.replace(/[\p{White_Space}\p{Cc}\p{Cf}]|%[01][0-9a-f]|%20|%7f/giu, "")) ?? []
  return scheme === undefined || schemes.has(scheme.toLowerCase())
}

const comments = renderer({ breaks: true })
const documents = renderer({ breaks: false })

/** Renders a comment as HTML. */
export const html = (source: string): string => comments.render(source).trimEnd()

/** Maximum length of a Markdown file to render, in characters: rendering blocks the event loop. */
const MAX_RENDERED = 64 * 1024

/** Renders a file as HTML: Markdown as formatted text, any other file as a code block. */
export const fileHtml = (path: string, source: string): string =>
  /\.(md|markdown|mdown)$/i.test(path) && source.length <= MAX_RENDERED
    ? `<article class="markdown-body">${documents.render(source).trimEnd()}</article>`
    : `<pre>${documents.utils.escapeHtml(source)}</pre>`

/** Renders Markdown as plain text: the text of the rendered HTML without markup. */
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
    case "image": // the alternative text of the image
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
