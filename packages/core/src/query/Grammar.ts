/** From the words of the explorer's language to the tree that they are. */
import * as CodeQuery from "./CodeQuery.ts"
import type { Diagnostic, Span } from "./Diagnostic.ts"
import * as PathPattern from "./PathPattern.ts"
import * as Qualifier from "./Qualifier.ts"
import { isUnclosedRegex, type Token } from "./Token.ts"

/** Parentheses within parentheses. */
export const MAX_DEPTH = 32

/** Words, phrases, regular expressions, symbols and qualifiers that a query may have together. */
export const MAX_PARTS = 64

export interface ParseResult {
  /** Undefined where there is none, or one that is not whole because of the problems. */
  readonly expression: CodeQuery.Expression | undefined
  readonly options: Omit<CodeQuery.CodeQuery, "expression">
  readonly problems: ReadonlyArray<Diagnostic>
}

/** What stands in a group, and the `OR`s between. */
type Item =
  | { readonly _tag: "Part"; readonly expression: CodeQuery.Expression }
  | ({ readonly _tag: "Restriction" } & Qualifier.Restriction)
  | { readonly _tag: "Or" }

export const parse = (all: ReadonlyArray<Token>): ParseResult => {
  const problems: Array<Diagnostic> = []
  const places = new Set<string>()
  let caseSensitive = false
  let wholeWord = false
  let at = 0
  let depth = 0
  let count = 0

  const problem = (span: Span, message: string): undefined => {
    problems.push({ ...span, message })
  }

  const group = (): CodeQuery.Expression | undefined => {
    const items: Array<Item> = []
    for (let token = all[at]; token !== undefined && token._tag !== "Close"; token = all[at]) {
      if (token._tag === "Operator" && token.operator !== "NOT") {
        const [left, right] = [all[at - 1], all[at + 1]]
        at++
        if (isSameOption(left, right)) continue
        if (!endsPart(left) || !startsPart(right)) {
          problem(token.span, `Put something to look for on both sides of ${token.operator}.`)
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
      return problem(first.span, "Put something after NOT: a word, a qualifier or parentheses.")
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
        if (token.text.trim() === "") problem(span, "Write something between the quotation marks.")
        if (!token.phrase && isUnclosedRegex(token.text)) {
          problem(span, "End the regular expression with a slash alone, or put the text in quotation marks.")
        }
        return { _tag: "Text", text: token.text, span }
      case "Regex": {
        const wrong = regexError(token.source)
        if (wrong !== undefined) problem(span, wrong)
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
      return problem(open, `Use at most ${MAX_DEPTH} parentheses within each other.`)
    }
    depth++
    const from = at
    const inner = group()
    depth--
    if (all[at]?._tag === "Close") {
      if (at === from) problem(open, 'Write something in the parentheses, or put code in quotation marks, as "f()".')
      at++
    } else if (problems.length === 0) {
      problem(open, 'Close this parenthesis, or put code in quotation marks, as "f(x".')
    }
    return inner
  }

  const option = ({ name, span, value }: QualifierToken, not: boolean): undefined => {
    if (not) return problem(span, `Leave NOT and the minus away from ${name}:.`)
    if (name === "in") {
      const read = Qualifier.parse({ name, value, span }, false)
      if ("message" in read) return problem(span, read.message)
      for (const place of read) if (place.name === "in") places.add(place.value)
      return undefined
    }
    const chosen = value.toLowerCase()
    if (chosen !== "yes" && chosen !== "no") return problem(span, `Write ${name}:yes or ${name}:no.`)
    if (name === "case") caseSensitive = chosen === "yes"
    else wholeWord = chosen === "yes"
  }

  const qualifier = ({ name, quoted, span, value }: QualifierToken): CodeQuery.Expression | undefined => {
    if (name === "symbol") {
      // A name that was copied with its parentheses is the name.
      const symbol = quoted ? value : value.replace(/\(.*$/, "")
      if (symbol.trim() === "") return problem(span, "Write a name right after symbol: (no space between).")
      return { _tag: "Symbol", name: symbol, exact: quoted, span }
    }
    if (name === "case" || name === "word") return undefined
    if (name === "path" && !quoted && PathPattern.isPattern(value)) {
      return PathPattern.isBalanced(value)
        ? { _tag: "Filter", filter: { name, value: PathPattern.parse(value), glob: true }, span }
        : problem(span, "Close the brace, as in path:*.{ts,tsx}, or put the path in quotation marks.")
    }
    const [read] = [Qualifier.parse({ name, value, span }, false)].flat()
    if (read === undefined || "message" in read) return problem(span, read?.message ?? "")
    return Qualifier.toExpression(read)
  }

  const groups: Array<CodeQuery.Expression> = []
  for (;;) {
    const one = group()
    if (one !== undefined) groups.push(one)
    const close = all[at++]
    if (close === undefined) break
    problem(close.span, 'Nothing opens this parenthesis: take it away, or put code in quotation marks, as "f(x, y)".')
  }
  const everywhere = places.size === 0
  return {
    expression: groups.length === 0 ? undefined : CodeQuery.and(groups),
    options: {
      caseSensitive,
      wholeWord,
      inContent: everywhere || places.has("file"),
      inPath: everywhere || places.has("path")
    },
    problems
  }
}

/**
 * What the parts of a group are together. Qualifiers restrict the whole of it, but for those beside an `OR` that joins
 * them to something else.
 */
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

/** Adds an item; two qualifiers with an `OR` between them become one. */
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

/** Whether this says how to search, not what to look for. */
const isOption = (token: Token): boolean =>
  token._tag === "Qualifier" && (token.name === "case" || token.name === "word" || token.name === "in")

/** `in:file OR in:path`: as with other qualifiers of one name, that says no more than both do. */
const isSameOption = (left: Token | undefined, right: Token | undefined): boolean =>
  left?._tag === "Qualifier" && right?._tag === "Qualifier" && isOption(left) && left.name === right.name

const endsPart = (token: Token | undefined): boolean =>
  token !== undefined && token._tag !== "Operator" && token._tag !== "Open" && !isOption(token)

const startsPart = (token: Token | undefined): boolean =>
  token !== undefined &&
  token._tag !== "Close" &&
  (token._tag !== "Operator" || token.operator === "NOT") &&
  !isOption(token)

/** What is wrong with a regular expression. It is never run here: even on no text at all that may take for ever. */
const regexError = (source: string): string | undefined => {
  try {
    void new RegExp(source, "u")
    return undefined
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : ""
    return `This is not a regular expression: ${detail.slice(detail.lastIndexOf(": ") + 2)}.`
  }
}
