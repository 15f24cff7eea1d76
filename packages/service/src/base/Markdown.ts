/**
 * Renders Markdown as HTML that is safe in any page, and as plain text. Escapes HTML in the source, and allows only
 * links with the listed `schemes`.
 */
import MarkdownIt from "markdown-it"
import * as TextReferences from "./TextReferences.ts"

/** Schemes of links and images; relative links are allowed too. */
const schemes = new Set(["http:", "https:", "mailto:"])

/**
 * Creates a renderer that turns URLs into links. With `breaks`, each line break of the source becomes `<br>`. With
 * `html`, finds HTML, so that HTML is no Markdown and has no references.
 */
const renderer = (options: { readonly breaks: boolean; readonly html: boolean }) => {
  const markdown = new MarkdownIt({ ...options, linkify: true })
  const { escapeHtml } = markdown.utils
  const { rules } = markdown.renderer
  markdown.validateLink = isSafeLink
  // Links pass neither search ranking nor the referrer to the target.
  rules["link_open"] = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet("rel", "nofollow noopener noreferrer")
    return self.renderToken(tokens, index, options)
  }
  rules["s_open"] = () => "<del>"
  rules["s_close"] = () => "</del>"
  rules["html_inline"] = (tokens, index) => escapeHtml(tokens[index]?.content ?? "")
  rules["html_block"] = (tokens, index) =>
    `<p>${escapeHtml(tokens[index]?.content.trimEnd() ?? "").replaceAll("\n", "<br>\n")}</p>\n`
  markdown.core.ruler.push("tasks", addTasks)
  return markdown
}

type State = Parameters<Parameters<InstanceType<typeof MarkdownIt>["core"]["ruler"]["push"]>[1]>[0]

/** Replaces `[ ]` and `[x]` at the start of list items by check boxes. */
const addTasks = ({ Token, tokens }: State) => {
  const lists: Array<Token> = []
  for (const [index, token] of tokens.entries()) {
    if (/^(bullet|ordered)_list_open$/.test(token.type)) lists.push(token)
    else if (/^(bullet|ordered)_list_close$/.test(token.type)) lists.pop()
    if (token.type !== "list_item_open" || tokens[index + 1]?.type !== "paragraph_open") continue
    const children = tokens[index + 2]?.children
    const [first] = children ?? []
    const [mark] = (first?.type === "text" && /^\[[ xX]\](?=\s)/.exec(first.content)) || []
    if (children === undefined || children === null || first === undefined || mark === undefined) continue
    const box = new Token("task", "input", 0)
    box.content = mark
    box.attrs = [
      ["class", "task-list-item-checkbox"],
      ["type", "checkbox"],
      ["disabled", ""]
    ]
    if (mark !== "[ ]") box.attrPush(["checked", ""])
    first.content = first.content.slice(mark.length)
    children.unshift(box)
    token.attrSet("class", "task-list-item")
    lists.at(-1)?.attrSet("class", "contains-task-list")
  }
}

/** Checks the scheme of a URL without white space and control characters, because browsers ignore these characters. */
const isSafeLink = (url: string) => {
  const [scheme] = /^[^/?#]*?:/.exec(url.replace(/[\p{White_Space}\p{Cc}\p{Cf}]|%[01][0-9a-f]|%20|%7f/giu, "")) ?? []
  return scheme === undefined || schemes.has(scheme.toLowerCase())
}

const comments = renderer({ breaks: true, html: true })
const documents = renderer({ breaks: false, html: false })

/** Maximum length of a Markdown file to render, in characters: rendering blocks the event loop. */
const MAX_RENDERED = 64 * 1024

/** Renders a file as HTML: Markdown as formatted text, any other file as a code block. */
export const fileHtml = (path: string, source: string): string =>
  /\.(md|markdown|mdown)$/i.test(path) && source.length <= MAX_RENDERED
    ? `<article class="markdown-body">${documentHtml(source)}</article>`
    : `<pre>${documents.utils.escapeHtml(source)}</pre>`

/** Renders the Markdown of a file. */
export const documentHtml = (source: string): string => documents.render(source).trimEnd()

/** A part of rendered HTML: HTML, or a reference with the HTML for readers without a link. */
export type Piece = string | { readonly reference: TextReferences.TextReference; readonly html: string }

export interface Rendered {
  readonly pieces: ReadonlyArray<Piece>
  /** The text of the HTML without markup. */
  readonly text: string
}

/** The link that a reference becomes. By default, the text of the link is the text of the reference. */
export interface Link {
  readonly href: string
  readonly class: string
  readonly text?: string | undefined
}

/** Tags of the HTML elements that have no references. */
const opaqueStart = /^<(?:a|code|pre|script|style)(?=[\s>])/i
const opaqueEnd = /^<\/(?:a|code|pre|script|style)\s*>/i

/** An autolink: texts that start with the prefix link to the URL with the rest of the text. */
export interface Autolink {
  readonly key_prefix: string
  readonly url_template: string
  /** 0 if the rest has only digits. */
  readonly is_alphanumeric: number
}

/** Returns the function that finds the texts of autolinks, each with its URL. */
const autolinkFinder = (autolinks: ReadonlyArray<Autolink>) => {
  const patterns = autolinks.map(({ is_alphanumeric, key_prefix, url_template }) => {
    const rest = is_alphanumeric === 1 ? "[A-Za-z0-9](?:[A-Za-z0-9-]{0,99}[A-Za-z0-9])?" : String.raw`\d{1,100}`
    return { pattern: new RegExp(String.raw`(?<![\w/])${RegExp.escape(key_prefix)}(${rest})(?!\w)`, "g"), url_template }
  })
  return (text: string) =>
    patterns.flatMap(({ pattern, url_template }) =>
      [...text.matchAll(pattern)].map(({ 0: whole, 1: rest = "", index }) => ({
        start: index,
        end: index + whole.length,
        href: url_template.replaceAll("<num>", rest)
      }))
    )
}

/** Renders a comment. Finds at most `TextReferences.MAX_REFERENCES` references, none in code, links or HTML. */
export const render = (source: string, autolinks: ReadonlyArray<Autolink> = []): Rendered => {
  const findAutolinks = autolinkFinder(autolinks)
  const tokens = comments.parse(source, {})
  const pieces: Array<Piece> = []
  let html = ""
  let found = 0

  const addReference = (piece: Exclude<Piece, string>) => {
    if (html !== "") pieces.push(html)
    html = ""
    pieces.push(piece)
    found++
  }

  const addText = (text: string, before: string) => {
    let end = 0
    const references = TextReferences.find(text, before, TextReferences.MAX_REFERENCES - found)
    const links = findAutolinks(text)
    const all = links.length === 0 ? references : [...links, ...references].toSorted((a, b) => a.start - b.start)
    for (const one of all) {
      if (one.start < end) continue
      html += comments.utils.escapeHtml(text.slice(end, one.start))
      end = one.end
      const own = comments.utils.escapeHtml(text.slice(one.start, end))
      if ("reference" in one) addReference({ reference: one.reference, html: own })
      else html += `<a href="${comments.utils.escapeHtml(one.href)}" rel="nofollow noopener noreferrer">${own}</a>`
    }
    html += comments.utils.escapeHtml(text.slice(end))
  }

  const addInline = (children: Array<Token>) => {
    // Elements around the token in which text is no reference: links and code, of Markdown and of HTML.
    let opaque = 0
    // The text in front of the token, if only a line break or the start of a link is between.
    let before = ""
    for (let index = 0; index < children.length; index++) {
      const { content, info, type } = children[index] ?? {}
      const href = type === "link_open" && info === "auto" ? children[index]?.attrGet("href") : undefined
      const reference =
        typeof href === "string" && opaque === 0 && found < TextReferences.MAX_REFERENCES
          ? TextReferences.ofUrl(href, before)
          : undefined
      if (reference !== undefined) {
        addReference({ reference, html: [0, 1, 2].map((next) => renderToken(children, index + next)).join("") })
        index += 2
        before = ""
        continue
      }
      if (type === "link_open" || (type === "html_inline" && opaqueStart.test(content ?? ""))) opaque++
      if (type === "link_close" || (type === "html_inline" && opaqueEnd.test(content ?? "")))
        opaque = Math.max(0, opaque - 1)
      if (type === "text" && opaque === 0) addText(content ?? "", before)
      else html += renderToken(children, index)
      before = type === "text" ? (content ?? "") : type === "softbreak" || type === "hardbreak" ? `${before}\n` : ""
    }
  }

  for (const [index, { children, type }] of tokens.entries()) {
    if (type === "inline") addInline(children ?? [])
    else html += renderToken(tokens, index)
  }
  pieces.push(html.trimEnd())
  const lines = tokens.map(textOf).filter((line) => line !== "")
  return { pieces, text: lines.join("\n") }
}

/** Joins rendered HTML. `linkOf` gives the links of references; a reference without one is plain text, or a plain URL. */
export const html = (
  { pieces }: Rendered,
  linkOf: (reference: TextReferences.TextReference) => Link | undefined
): string =>
  pieces
    .map((piece) => {
      if (typeof piece === "string") return piece
      const link = linkOf(piece.reference)
      if (link === undefined) return piece.html
      const { escapeHtml } = comments.utils
      const text = link.text === undefined ? piece.html : escapeHtml(link.text)
      return `<a class="${escapeHtml(link.class)}" href="${escapeHtml(link.href)}">${text}</a>`
    })
    .join("")

/** Renders a comment in which references are plain text. */
export const commentHtml = (source: string): string => html(render(source), () => undefined)

/** Returns the references of rendered Markdown, with repetitions. */
export const references = ({ pieces }: Rendered): ReadonlyArray<TextReferences.TextReference> =>
  pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.reference]))

type Token = ReturnType<typeof comments.parse>[number]

/** Renders a token of a list; the tokens beside it decide about line breaks. */
const renderToken = (tokens: Array<Token>, index: number): string => {
  const { options, renderer } = comments
  const rule = renderer.rules[tokens[index]?.type ?? ""]
  return rule === undefined ? renderer.renderToken(tokens, index, options) : rule(tokens, index, options, {}, renderer)
}

const textOf = (token: Token): string => {
  switch (token.type) {
    case "inline":
    case "image": // the alternative text of the image
      return (token.children ?? []).map(textOf).join("")
    case "text":
    case "text_special":
    case "code_inline":
    case "html_inline":
    case "task":
      return token.content
    case "softbreak":
    case "hardbreak":
      return "\n"
    case "fence":
    case "code_block":
    case "html_block":
      return token.content.trimEnd()
    default:
      return ""
  }
}
