/** Markdown files as HTML, in the dialect of GitHub. The HTML is not safe: `Sanitizer` comes next. */
import MarkdownIt from "markdown-it"
import footnote from "markdown-it-footnote"

/** UTF-16 units of HTML in one block, so that no block takes long to render. */
const BLOCK_LENGTH = 8_000

/** UTF-16 units after which a block ends even inside an HTML element of the source. */
const MAX_BLOCK_LENGTH = 64_000

type Token = ReturnType<typeof markdown.parse>[number]

/** Renders a file as blocks of HTML, in order. An HTML element of the source is in one block, with the content. */
export const blocks = (source: string): ReadonlyArray<string> => {
  const { body, frontMatter } = split(source)
  const environment = {}
  const tokens = markdown.parse(body, environment)
  const made: Array<string> = []
  if (frontMatter !== undefined) {
    made.push(`<pre><code class="language-yaml">${markdown.utils.escapeHtml(frontMatter)}</code></pre>`)
  }
  let html = ""
  let open = 0
  let group: Array<Token> = []
  let depth = 0
  for (const token of tokens) {
    group.push(token)
    depth += token.nesting
    if (depth > 0) continue
    if (token.type === "html_block") open = Math.max(0, open + openedElements(token.content))
    html += markdown.renderer.render(group, markdown.options, environment)
    group = []
    if ((open === 0 && html.length >= BLOCK_LENGTH) || html.length >= MAX_BLOCK_LENGTH) {
      made.push(html)
      html = ""
      open = 0
    }
  }
  return html === "" ? made : [...made, html]
}

/** Splits metadata between lines of dashes from the text that follows. */
const split = (source: string): { readonly frontMatter: string | undefined; readonly body: string } => {
  const text = source.startsWith("\ufeff") ? source.slice(1) : source
  const match = /^---[ \t]*\r?\n(.*?\r?\n)---[ \t]*(?:\r?\n|$)/s.exec(text.slice(0, 20_000))
  return { frontMatter: match?.[1], body: match === null ? text : text.slice(match[0].length) }
}

const voidElement = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i

/** The number of elements that HTML opens and does not close. Negative for HTML that closes more elements. */
const openedElements = (html: string): number => {
  let count = 0
  for (const [, end, name = "", rest = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,30})([^<>]*)>/gi)) {
    if (voidElement.test(name) || rest.endsWith("/")) continue
    count += end === "/" ? -1 : 1
  }
  return count
}

/** Alerts of GitHub: `> [!NOTE]`. */
const alerts = (tokens: ReadonlyArray<Token>) => {
  for (const [index, token] of tokens.entries()) {
    const text = tokens[index + 2]
    if (token.type !== "blockquote_open" || text?.type !== "inline") continue
    const match = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i.exec(text.content)
    if (match === null) continue
    token.attrSet("class", `alert-${match[1]?.toLowerCase()}`)
    text.content = text.content.slice(match[0].length)
  }
}

/** Tasks of a list: `- [x]`. */
const tasks = (tokens: ReadonlyArray<Token>) => {
  for (const [index, token] of tokens.entries()) {
    const item = tokens[index - 2]
    const first = token.children?.[0]
    if (token.type !== "inline" || item?.type !== "list_item_open" || first?.type !== "text") continue
    const match = /^\[([ xX])\]\s/.exec(first.content)
    if (match === null) continue
    item.attrSet("class", "task")
    first.type = "html_inline"
    const rest = markdown.utils.escapeHtml(first.content.slice(match[0].length))
    first.content = `<input type="checkbox"${match[1] === " " ? "" : " checked"}> ${rest}`
  }
}

/** The alignment of table cells as an attribute, because style attributes are removed. */
const alignment = (tokens: ReadonlyArray<Token>) => {
  for (const token of tokens) {
    const match = /^text-align:(left|right|center)$/.exec(String(token.attrGet("style") ?? ""))
    if (match?.[1] === undefined) continue
    token.attrs = [["align", match[1]]]
  }
}

/** Ids of headings as on GitHub, so that links to headings work. */
const headings = (tokens: ReadonlyArray<Token>) => {
  const used = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue
    const text = (tokens[index + 1]?.children ?? []).map(({ content, type }) => (type === "html_inline" ? "" : content))
    const slug = slugOf(text.join(""))
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    token.attrSet("id", count === 0 ? slug : `${slug}-${count}`)
  }
}

/** The id of a heading with this text. */
export const slugOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-")

const markdown = new MarkdownIt({ html: true, linkify: true }).use(footnote)
// Without a scheme, `readme.md` would be a link to a site, because `.md` is a top-level domain.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
markdown.core.ruler.after("block", "alerts", ({ tokens }) => alerts(tokens))
markdown.core.ruler.push("tasks", ({ tokens }) => tasks(tokens))
markdown.core.ruler.push("alignment", ({ tokens }) => alignment(tokens))
markdown.core.ruler.push("headings", ({ tokens }) => headings(tokens))
