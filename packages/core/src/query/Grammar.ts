/** Parses the tokens of the code query language into a syntax tree. */
import * as CodeQuery from "./CodeQuery.ts"
import type { Diagnostic, Span } from "./Diagnostic.ts"
import * as PathPattern from "./PathPattern.ts"
import * as Qualifier from "./Qualifier.ts"
import * as RegexLines from "./RegexLines.ts"
import { isUnclosedRegex, type Token } from "./Token.ts"

/** Maximum nesting depth of parentheses. */
export const MAX_DEPTH = 32

/** Maximum number of terms and qualifiers in a query. */
export const MAX_PARTS = 64

/** The syntax tree and options of a query, and its diagnostics. */
export interface ParseResult {
  /** Undefined for a query without terms and filters. Incomplete if there are `problems`. */
  readonly expression: CodeQuery.Expression | undefined
  readonly options: Omit<CodeQuery.CodeQuery, "expression">
  readonly problems: ReadonlyArray<Diagnostic>
}

/** A part of a parenthesized group or of the whole query, or an `OR` between two parts. */
type Item =
  | { readonly _tag: "Part"; readonly expression: CodeQuery.Expression }
  | ({ readonly _tag: "Restriction" } & Qualifier.Restriction)
  | { readonly _tag: "Or" }

/** Parses tokens. Never fails: `problems` lists the errors. */
export const parse = (all: ReadonlyArray<Token>): ParseResult => {
  const problems: Array<Diagnostic> = []
  const locations = new Set<string>()
  let caseSensitive = false
  let wholeWord = false
  let at = 0
  let depth = 0
  let count = 0

  const problem = ({ length, start }: Span, message: string, replacement?: string): undefined => {
    problems.push({ start, length, message, ...(replacement === undefined ? {} : { replacement }) })
  }

  const group = (): CodeQuery.Expression | undefined => {
    const items: Array<Item> = []
    for (let token = all[at]; token !== undefined && token._tag !== "Close"; token = all[at]) {
      if (token._tag === "Operator" && token.operator !== "NOT") {
        const [left, right] = [all[at - 1], all[at + 1]]
        at++
        if (isSameOption(left, right)) continue
        if (!endsPart(left) || !startsPart(right)) {
          problem(token.span, `Put a term on both sides of ${token.operator}.`)
        } else if (token.operator === "OR") items.push({ _tag: "Or" })
      } else {
        const item = part(token)
        if (item !== undefined) items.push(item)
      }
    }
    return join(items)
  }

  const part = (first: Token): Item | undefined => {
    let token: Token | undefined = first
    let not = false
    while (token?._tag === "Operator" && token.operator === "NOT") {
      not = !not
      token = all[++at]
    }
    if (token === undefined || token._tag === "Operator" || token._tag === "Close") {
      return problem(first.span, "Put a word, a qualifier or parentheses after NOT.")
    }
    at++
    if (++count > MAX_PARTS) {
      at = all.length
      return problem(token.span, `Use at most ${MAX_PARTS} words and qualifiers.`)
    }
    if (token.not) not = !not
    const expression = unit(token, not)
    if (expression === undefined) return undefined
    const whole = not ? CodeQuery.not(expression, CodeQuery.coveringSpan([first, token])) : expression
    return token._tag === "Qualifier" && expression._tag === "Filter"
      ? { _tag: "Restriction", name: expression.filter.name, independent: not, expression: whole }
      : { _tag: "Part", expression: whole }
  }

  const unit = (token: Operand, not: boolean): CodeQuery.Expression | undefined => {
    const { span } = token
    switch (token._tag) {
      case "Open":
        return parentheses(span)
      case "Term":
        if (token.text.trim() === "") problem(span, "Write a text between the quotation marks.")
        if (!token.phrase && isUnclosedRegex(token.text)) {
          problem(span, "End the regular expression with a slash, or put the text in quotation marks.")
        }
        return { _tag: "Text", text: token.text, span }
      case "Regex": {
        const error = regexError(token.source)
        if (error !== undefined) problem(span, error)
        else if (RegexLines.needsLineFeed(token.source)) {
          const lines = RegexLines.split(token.source)?.map((source) => `/${source}/`)
          const all = lines !== undefined && lines.length > 1 ? `(${lines.join(" ")})` : lines?.join(" ")
          problem(
            span,
            `A regular expression matches within one line. Remove \\n${all === undefined ? "" : `: write ${all}`}.`,
            all === undefined ? undefined : `${token.not ? "-" : ""}${all}`
          )
        }
        return { _tag: "Regex", source: token.source, span }
      }
      case "Qualifier":
        if (isOption(token)) return option(token, not)
        return qualifier(token)
    }
  }

  const parentheses = (open: Span): CodeQuery.Expression | undefined => {
    if (depth === MAX_DEPTH) {
      at = all.length
      return problem(open, `Nest parentheses at most ${MAX_DEPTH} deep.`)
    }
    depth++
    const from = at
    const inner = group()
    depth--
    if (all[at]?._tag === "Close") {
      if (at === from) problem(open, 'Write a term in the parentheses, or put code in quotation marks: "f()".')
      at++
    } else if (problems.length === 0) {
      problem(open, 'Close this parenthesis, or put code in quotation marks: "f(x".')
    }
    return inner
  }

  const option = ({ name, span, value }: QualifierToken, not: boolean): undefined => {
    if (not) return problem(span, `Remove NOT or the minus from ${name}:.`)
    if (name === "in") {
      const read = Qualifier.parse({ name, value, span }, false)
      if ("message" in read) return problem(span, read.message)
      for (const location of read) if (location.name === "in") locations.add(location.value)
      return undefined
    }
    const chosen = value.toLowerCase()
    if (chosen !== "yes" && chosen !== "no") return problem(span, `Write ${name}:yes or ${name}:no.`)
    if (name === "case") caseSensitive = chosen === "yes"
    else wholeWord = chosen === "yes"
  }

  const qualifier = ({ name, quoted, span, value }: QualifierToken): CodeQuery.Expression | undefined => {
    if (name === "symbol") {
      // The name may be copied from a call, with its parentheses.
      const symbol = quoted ? value : value.replace(/\(.*$/, "")
      if (symbol.trim() === "") return problem(span, "Write a name right after symbol: (no space between).")
      return { _tag: "Symbol", name: symbol, exact: quoted, span }
    }
    if (name === "case" || name === "word") return undefined
    if (name === "path" && !quoted && PathPattern.isPattern(value)) {
      return PathPattern.isBalanced(value)
        ? { _tag: "Filter", filter: { name, value: PathPattern.parse(value), glob: true }, span }
        : problem(span, "Close the brace (path:*.{ts,tsx}), or put the path in quotation marks.")
    }
    const [qualifier] = [Qualifier.parse({ name, value, span }, false)].flat()
    if (qualifier === undefined || "message" in qualifier) return problem(span, qualifier?.message ?? "")
    return Qualifier.toExpression(qualifier)
  }

  const groups: Array<CodeQuery.Expression> = []
  for (;;) {
    const one = group()
    if (one !== undefined) groups.push(one)
    const close = all[at++]
    if (close === undefined) break
    problem(close.span, 'Remove this parenthesis, or put code in quotation marks: "f(x, y)".')
  }
  const everywhere = locations.size === 0
  return {
    expression: groups.length === 0 ? undefined : CodeQuery.and(groups),
    options: {
      ...CodeQuery.defaultOptions,
      caseSensitive,
      wholeWord,
      inContent: everywhere || locations.has("file"),
      inPath: everywhere || locations.has("path")
    },
    problems
  }
}

/** Joins the parts of a group. Qualifiers restrict the whole group, unless they are operands of an `OR`. */
const join = (all: ReadonlyArray<Item>): CodeQuery.Expression | undefined => {
  const items = all.reduce(alternatives, [])
  const branches: Array<Array<CodeQuery.Expression>> = [[]]
  const restrictions: Array<Qualifier.Restriction> = []
  for (const [index, item] of items.entries()) {
    const isBeside = items[index - 1]?._tag === "Or" || items[index + 1]?._tag === "Or"
    if (item._tag === "Or") branches.push([])
    else if (item._tag === "Restriction" && !isBeside) restrictions.push(item)
    else branches.at(-1)?.push(item.expression)
  }
  const any = branches.flatMap((parts) => (parts.length === 0 ? [] : [CodeQuery.and(parts)]))
  const parts = [...(any.length === 0 ? [] : [CodeQuery.or(any)]), ...Qualifier.combineRestrictions(restrictions)]
  return parts.length === 0 ? undefined : CodeQuery.and(parts)
}

/** Appends an item. If it and the previous item are qualifiers joined by `OR`, merges both. */
const alternatives = (items: ReadonlyArray<Item>, item: Item): ReadonlyArray<Item> => {
  const [left, between] = items.slice(-2)
  if (item._tag !== "Restriction" || left?._tag !== "Restriction" || between?._tag !== "Or") return [...items, item]
  const alone = left.independent || item.independent || !Qualifier.isAlternative(left.name, item.name)
  return [
    ...items.slice(0, -2),
    { ...left, independent: alone, expression: CodeQuery.or([left.expression, item.expression]) }
  ]
}

type QualifierToken = Extract<Token, { readonly _tag: "Qualifier" }>
type Operand = Exclude<Token, { readonly _tag: "Operator" | "Close" }>

/** Returns whether a token is an option of the search rather than a term or filter. */
const isOption = (token: Token): boolean =>
  token._tag === "Qualifier" && (token.name === "case" || token.name === "word" || token.name === "in")

/** Returns whether two tokens are the same option, as in `in:file OR in:path`, which means the same without `OR`. */
const isSameOption = (left: Token | undefined, right: Token | undefined): boolean =>
  left?._tag === "Qualifier" && right?._tag === "Qualifier" && isOption(left) && left.name === right.name

const endsPart = (token: Token | undefined): boolean =>
  token !== undefined && token._tag !== "Operator" && token._tag !== "Open" && !isOption(token)

const startsPart = (token: Token | undefined): boolean =>
  token !== undefined &&
  token._tag !== "Close" &&
  (token._tag !== "Operator" || token.operator === "NOT") &&
  !isOption(token)

/** Returns the error in a regular expression. Compiles but never runs it, because it may not terminate. */
const regexError = (source: string): string | undefined => {
  try {
    void new RegExp(source, "u")
    return undefined
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : ""
    return `Invalid regular expression: ${detail.slice(detail.lastIndexOf(": ") + 2)}.`
  }
}
