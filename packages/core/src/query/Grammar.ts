/** Parses the tokens of the code query language into a syntax tree. */
import * as CodeQuery from "./CodeQuery.ts"
import * as CommitQualifiers from "./CommitQualifiers.ts"
import type { Diagnostic, Span } from "./Diagnostic.ts"
import type { Explanation } from "./ForeignQualifier.ts"
import * as Qualifier from "./Qualifier.ts"
import * as QueryOptions from "./QueryOptions.ts"
import * as TermParser from "./TermParser.ts"
import type { Token } from "./Token.ts"

/** Maximum nesting depth of parentheses. */
export const MAX_DEPTH = 32

/** Maximum number of terms and qualifiers in a query. */
export const MAX_PARTS = 64

/** The syntax tree and options of a query, and the diagnostics. */
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

/** Parses the tokens of a text. Never fails: `problems` lists the errors. */
export const parse = (all: ReadonlyArray<Token>, text: string): ParseResult => {
  const problems: Array<Diagnostic> = []
  const filters: Array<CommitQualifiers.FilterToken> = []
  let written = QueryOptions.none
  // Corrections of all words overlap, so there is only one.
  let isRewritten = false
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
        const neutral = [left, right].find((one) => one !== undefined && TermParser.isNeutral(one))
        if (!endsPart(left) || !startsPart(right)) {
          problem(token.span, `Put a term on both sides of ${token.operator}.`)
        } else if (neutral?._tag === "Qualifier" && token.operator === "OR") {
          problem(token.span, `Remove OR: ${neutral.written}: applies to the whole query.`, "")
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
    const span = CodeQuery.coveringSpan([first, token])
    const expression = token._tag === "Open" ? parentheses(token.span) : term(token, not, span)
    if (expression === undefined) return undefined
    const whole = not ? CodeQuery.not(expression, span) : expression
    if (token._tag !== "Qualifier" || !CodeQuery.isRestriction(expression)) return { _tag: "Part", expression: whole }
    const name = expression._tag === "Filter" ? expression.filter.name : "file"
    return { _tag: "Restriction", name, independent: not || Qualifier.isIndependent(name), expression: whole }
  }

  const term = (token: TermParser.TermToken, not: boolean, span: Span): CodeQuery.Expression | undefined => {
    if (QueryOptions.isOption(token)) return option(token, not, span)
    const next = all[at]
    if (token._tag === "Qualifier" && token.value === "" && !token.quoted && next?._tag === "Term" && !next.not) {
      const joined =
        text.slice(token.span.start, token.span.start + token.span.length) +
        text.slice(next.span.start, next.span.start + next.span.length)
      return problem(CodeQuery.coveringSpan([token, next]), `Write ${joined} (no space between).`, joined)
    }
    const read = TermParser.parse(token)
    if (read === undefined) return undefined
    if ("message" in read) return explain(token, read, span)
    if (token._tag === "Qualifier") {
      const isBesideOr = [all[at - 2], all[at]].some((one) => one?._tag === "Operator" && one.operator === "OR")
      filters.push({ ...read, token, not, span, isPart: depth > 0 || isBesideOr })
    }
    return read.expression
  }

  const option = (token: QueryOptions.OptionToken, not: boolean, span: Span): undefined => {
    const { name, written: alias } = token
    if (not) {
      const form = text.slice(token.span.start, span.start + span.length).replace(/^-/, "")
      return problem(span, `Remove NOT or the minus from ${alias}:. Write ${form}.`, form)
    }
    if (depth > 0 && (name === "rev" || name === "type" || name === "count")) {
      return problem(span, `Move ${alias}: out of the parentheses: it applies to the whole query.`)
    }
    const read = QueryOptions.add(written, token)
    if ("message" in read) return explain(token, read, span)
    written = read
  }

  const explain = (token: Token, { message, replacement, word }: Explanation, whole: Span): undefined => {
    const words = all.flatMap((one) => (one._tag === "Term" ? [one] : []))
    if (word === undefined || words.length === 0 || isRewritten) {
      return problem(replacement === "" ? whole : token.span, message, replacement)
    }
    isRewritten = true
    const span = CodeQuery.coveringSpan([token, ...words])
    let corrected = text.slice(span.start, span.start + span.length)
    for (const one of [token, ...words].toSorted((a, b) => b.span.start - a.span.start)) {
      const from = one.span.start - span.start
      const form = one._tag === "Term" ? `${one.not ? "-" : ""}${word(one.text)}` : ""
      corrected = `${corrected.slice(0, from)}${form}${corrected.slice(from + one.span.length)}`
    }
    const form = corrected.replace(/\s+/g, " ").trim()
    return problem(span, `${message} Write ${form}.`, form)
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

  const groups: Array<CodeQuery.Expression> = []
  for (;;) {
    const one = group()
    if (one !== undefined) groups.push(one)
    const close = all[at++]
    if (close === undefined) break
    problem(close.span, 'Remove this parenthesis, or put code in quotation marks: "f(x, y)".')
  }
  const kind = written.kind ?? "file"
  for (const { message, replacement, span } of CommitQualifiers.problems(filters, kind)) {
    problem(span, message, replacement)
  }
  const { caseSensitive, count: maximum, places, revisions, symbolKinds, wholeWord } = written
  // Only names of definitions match, and these are in the content.
  const isOfSymbols = symbolKinds.length > 0
  // `kind:enum` alone covers the files of every size.
  const expression = groups.length > 0 ? CodeQuery.and(groups) : isOfSymbols ? anyFile : undefined
  return {
    expression,
    options: {
      caseSensitive: caseSensitive === "auto" ? expression !== undefined && hasCapital(expression) : caseSensitive,
      wholeWord,
      inContent: isOfSymbols || places.length === 0 || places.includes("file"),
      inPath: !isOfSymbols && (places.length === 0 || places.includes("path")),
      kind,
      symbolKinds,
      revisions: [...new Set([...filters.flatMap((one) => one.revisions), ...revisions])],
      count: maximum
    },
    problems
  }
}

const anyFile: CodeQuery.Expression = {
  _tag: "Filter",
  filter: { name: "size", min: 0 },
  span: { start: 0, length: 0 }
}

/** Joins the parts of a group. A qualifier restricts the whole group, unless it is an operand of an `OR`. */
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
  const parts = [...(any.length === 0 ? [] : [CodeQuery.or(any)]), ...Qualifier.alternativesOf(restrictions)]
  return parts.length === 0 ? undefined : CodeQuery.and(parts)
}

/** Appends an item. Merges the item with the previous one if both are qualifiers joined by `OR`. */
const alternatives = (items: ReadonlyArray<Item>, item: Item): ReadonlyArray<Item> => {
  const [left, between] = items.slice(-2)
  if (item._tag !== "Restriction" || left?._tag !== "Restriction" || between?._tag !== "Or") return [...items, item]
  const alone = left.independent || item.independent || !Qualifier.isAlternative(left.name, item.name)
  return [
    ...items.slice(0, -2),
    { ...left, independent: alone, expression: CodeQuery.or([left.expression, item.expression]) }
  ]
}

/** Returns whether two tokens are the same option, as in `in:file OR in:path`, which means the same without `OR`. */
const isSameOption = (left: Token | undefined, right: Token | undefined): boolean =>
  left?._tag === "Qualifier" && right?._tag === "Qualifier" && QueryOptions.isOption(left) && left.name === right.name

const endsPart = (token: Token | undefined): boolean =>
  token !== undefined && token._tag !== "Operator" && token._tag !== "Open"

const startsPart = (token: Token | undefined): boolean =>
  token !== undefined && token._tag !== "Close" && (token._tag !== "Operator" || token.operator === "NOT")

/** Returns whether a term that is not negated has a capital letter, for `case:auto`. */
const hasCapital = (self: CodeQuery.Expression): boolean =>
  CodeQuery.positiveLeaves(self).some((leaf) => {
    if (leaf._tag === "Symbol") return /\p{Lu}/u.test(leaf.name)
    // `\S` and `\p{L}` are not capital letters.
    return /\p{Lu}/u.test(leaf._tag === "Text" ? leaf.text : leaf.source.replace(/\\(?:p\{[^}]*\}|.)/giu, ""))
  })
