/** Creates a styled line from a line of source code, with tokens and marked ranges. */
import * as Terminal from "@tongs/core/text/Terminal"
import * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import type { Background, Line, Role, Span } from "./StyledLine.ts"

/** A range of a line in UTF-16 units, with a background. */
export interface Mark {
  readonly start: number
  readonly end: number
  readonly background: Background
}

/** The tokens of a text, and the position of the line in that text. */
export interface Tokens {
  readonly tokens: SyntaxTokens.SyntaxTokens
  readonly offset: number
}

const roles: Readonly<Record<SyntaxTokens.SyntaxClass, Role>> = {
  comment: "comment",
  keyword: "keyword",
  string: "string",
  number: "number",
  type: "type",
  function: "function",
  definition: "plain",
  property: "property",
  heading: "title",
  link: "link",
  punctuation: "plain",
  meta: "comment"
}

/** The style of a line's text. */
export interface Options {
  /** Without tokens, the line has the role `role`. */
  readonly tokens?: Tokens | undefined
  /** In order, without overlap. */
  readonly marks?: ReadonlyArray<Mark>
  /** The role of text without a token; `plain` by default. */
  readonly role?: Role
  /** The background of text without a mark. */
  readonly background?: Background | undefined
}

/** Creates a line from untrusted text. Expands tabs, escapes control characters and joins spans of one style. */
export const make = (text: string, options: Options = {}): Line => {
  const { background, marks = [], role = "plain" } = options
  const { offset, tokens } = options.tokens ?? { offset: 0, tokens: SyntaxTokens.empty }
  const spans: Array<Span> = []
  const hasTabs = text.includes("\t")
  let column = 0
  let token = SyntaxTokens.firstEndingAfter(tokens, offset)
  let mark = 0
  for (let start = 0; start < text.length;) {
    while (token < tokens.length && (tokens[token + 1] ?? 0) - offset <= start) token += SyntaxTokens.STRIDE
    while (mark < marks.length && (marks[mark]?.end ?? 0) <= start) mark++
    const style: { role: Role; background: Background | undefined } = { role, background }
    let end = text.length
    if (token < tokens.length) {
      const from = (tokens[token] ?? 0) - offset
      end = Math.min(end, from > start ? from : (tokens[token + 1] ?? 0) - offset)
      if (from <= start) style.role = tokenRole(tokens[token + 2] ?? 0, role)
    }
    const next = marks[mark]
    if (next !== undefined) {
      end = Math.min(end, next.start > start ? next.start : next.end)
      if (next.start <= start) style.background = next.background
    }
    const part = text.slice(start, end)
    const shown = hasTabs ? expandTabs(part, column) : Terminal.escape(part)
    if (hasTabs) column += Terminal.width(shown)
    append(spans, shown, style.role, style.background)
    start = end
  }
  return spans
}

const tokenRole = (index: number, role: Role): Role => {
  const name = SyntaxTokens.syntaxClasses[index]
  const found = name === undefined ? "plain" : roles[name]
  return found === "plain" ? role : found
}

const append = (spans: Array<Span>, text: string, role: Role, background: Background | undefined) => {
  const last = spans.at(-1)
  if (last !== undefined && last.background === background) {
    // A space looks the same in most roles, and one span costs fewer bytes on the terminal than three.
    const joined = joinedRole(last, text, role)
    if (joined !== undefined) {
      spans[spans.length - 1] = { ...last, role: joined, text: last.text + text }
      return
    }
  }
  spans.push(background === undefined ? { text, role } : { text, role, background })
}

const joinedRole = (last: Span, text: string, role: Role): Role | undefined => {
  if (last.role === role) return role
  if (last.role === "link" || role === "link") return undefined
  if (text.trim() === "") return last.role
  return last.text.trim() === "" ? role : undefined
}

const expandTabs = (text: string, column: number): string => {
  let expanded = ""
  let at = column
  for (const [index, part] of text.split("\t").entries()) {
    const space = index === 0 ? 0 : Terminal.TAB_STOP - (at % Terminal.TAB_STOP)
    const shown = Terminal.escape(part)
    expanded += " ".repeat(space) + shown
    at += space + Terminal.width(shown)
  }
  return expanded
}
