/**
 * The search query language of the API: keywords, `"quoted phrases"`, qualifiers, `AND`, `OR`, `NOT`.
 *
 * **Details**
 *
 * Adjacent words must all match, like words with `AND`; `OR` binds weaker. Operators are upper case. Qualifiers restrict the
 * whole query, in any position. A word with an unknown qualifier name (`std::vector`, `http://x`) is a keyword. Syntax of the
 * code query language (`CodeQueryParser.ts`) gives a diagnostic with the nearest supported syntax.
 */
import * as Result from "effect/Result"
import * as CodeQuery from "./CodeQuery.ts"
import type { Diagnostic, Span } from "./Diagnostic.ts"
import * as Qualifier from "./Qualifier.ts"
import { tokenize, type Token } from "./Token.ts"
import * as UnsupportedSyntax from "./UnsupportedSyntax.ts"

/** Maximum total length of keywords and phrases, joined by spaces, in characters. */
export const MAX_LENGTH = 256

/** Maximum number of operators: `AND`, `OR` and `NOT`. */
export const MAX_OPERATORS = 5

/** Maximum length of a query in characters. The API documents no limit for qualifiers. */
export const MAX_TEXT = 8_192

/** Maximum number of diagnostics per query. */
export const MAX_DIAGNOSTICS = 10

/** A word or a phrase. If `not` is true, files that contain the text do not match. */
export interface Term {
  readonly text: string
  readonly phrase: boolean
  readonly not: boolean
  readonly span: Span
}

/**
 * A search query. A file matches if the qualifiers accept the file and one of the groups `any` matches with every term.
 * Each group has at least one term that is not negated.
 */
export interface SearchQuery {
  readonly any: ReadonlyArray<ReadonlyArray<Term>>
  readonly qualifiers: ReadonlyArray<Qualifier.Qualifier>
}

/** Parses a query. Fails with diagnostics for all errors (at most `MAX_DIAGNOSTICS`) in the order of the text. */
export const parse = (text: string): Result.Result<SearchQuery, ReadonlyArray<Diagnostic>> => {
  if (text.length > MAX_TEXT) {
    return Result.fail([
      { start: MAX_TEXT, length: text.length - MAX_TEXT, message: `Shorten the query to ${MAX_TEXT} characters.` }
    ])
  }
  const lexed = tokenize(text)
  const unsupported = UnsupportedSyntax.diagnose(lexed.tokens)
  const problems: Array<Diagnostic> = [...lexed.problems, ...unsupported.map(({ diagnostic }) => diagnostic)]
  const ignored = new Set(unsupported.flatMap(({ tokens }) => tokens))
  const words = lexed.tokens.filter((token) => !ignored.has(token)).flatMap(word)
  const any: Array<Array<Term>> = [[]]
  const qualifiers: Array<Qualifier.Qualifier> = []
  for (const [index, token] of words.entries()) {
    const before = words[index - 1]
    const not = before?._tag === "Operator" && before.operator === "NOT"
    switch (token._tag) {
      case "Operator": {
        const message = misplaced(words, index)
        if (message !== undefined) problems.push({ ...token.span, message })
        else if (token.operator === "OR" && before?._tag === "Term") any.push([])
        break
      }
      case "Term":
        if (token.text.trim() === "")
          problems.push({ ...token.span, message: "Write words between the quotation marks." })
        any.at(-1)?.push({ text: token.text, phrase: token.phrase, not, span: token.span })
        break
      case "Qualifier": {
        const read = Qualifier.parse(token, token.not !== not)
        if ("message" in read) problems.push(read)
        else qualifiers.push(...read)
      }
    }
  }
  problems.push(...exceededLimits(words))
  if (problems.length === 0) problems.push(...missingKeyword(any, text))
  return problems.length === 0
    ? Result.succeed({ any, qualifiers })
    : Result.fail(problems.sort((a, b) => a.start - b.start).slice(0, MAX_DIAGNOSTICS))
}

/** Prints a query, with qualifiers last. Parsing the text gives the same query with other spans. */
export const print = (self: SearchQuery): string =>
  [self.any.map((group) => group.map(printTerm).join(" ")).join(" OR "), ...self.qualifiers.map(Qualifier.print)].join(
    " "
  )

const printTerm = (term: Term): string =>
  `${term.not ? "NOT " : ""}${term.phrase ? Qualifier.quote(term.text) : term.text}`

/** Converts a query to one for the code index. Words also match parts of longer words, case-insensitively. */
export const toCodeQuery = ({ any, qualifiers }: SearchQuery): CodeQuery.CodeQuery => {
  const groups = any.map((group) =>
    CodeQuery.and(
      group.map(({ not, span, text }) => {
        const part: CodeQuery.Expression = { _tag: "Text", text, span }
        return not ? CodeQuery.not(part, span) : part
      })
    )
  )
  const restrictions = qualifiers.flatMap((one) => {
    const expression = Qualifier.toExpression(one)
    return expression === undefined ? [] : [{ name: one.name, independent: one.not, expression }]
  })
  const places = qualifiers.flatMap((one) => (one.name === "in" ? [one.value] : []))
  return {
    expression: CodeQuery.and([CodeQuery.or(groups), ...Qualifier.alternativesOf(restrictions)]),
    ...CodeQuery.defaultOptions,
    inContent: places.length === 0 || places.includes("file"),
    inPath: places.includes("path")
  }
}

type Word = Extract<Token, { readonly _tag: "Operator" | "Term" }> | Qualifier.QualifierToken

/** Converts a token to the search query language, in which a minus belongs to the word: `-Wall`. */
const word = (token: Token): ReadonlyArray<Word> => {
  switch (token._tag) {
    case "Term":
      return [token.not && !token.phrase ? { ...token, text: `-${token.text}`, not: false } : token]
    case "Regex":
      return [{ _tag: "Term", text: token.source, phrase: true, not: false, span: token.span }]
    case "Qualifier":
      return Qualifier.isQualifierToken(token) ? [token] : []
    case "Operator":
      return [token]
    default:
      return []
  }
}

/** Returns the error message for an operator at `index` without valid operands. */
const misplaced = (all: ReadonlyArray<Word>, index: number): string | undefined => {
  const token = all[index]
  if (token?._tag !== "Operator") return undefined
  const left = all[index - 1]
  const next = all[index + 1]
  if (token.operator === "NOT") {
    return next === undefined || next._tag === "Operator" ? "Put a keyword or a qualifier after NOT." : undefined
  }
  const isNot = (word: Word | undefined) => word?._tag === "Operator" && word.operator === "NOT"
  const right = isNot(next) ? all[index + 2] : next
  if (left === undefined || left._tag === "Operator" || right === undefined || right._tag === "Operator") {
    return `Put a keyword on both sides of ${token.operator}.`
  }
  if (token.operator === "AND" || (left._tag === "Term" && right._tag === "Term")) return undefined
  return left._tag === "Qualifier" &&
    right._tag === "Qualifier" &&
    Qualifier.isAlternative(left.name, right.name) &&
    !(left.not || right.not || isNot(all[index - 2]) || isNot(next))
    ? undefined
    : "Put OR between two keywords, or between two qualifiers of one kind. Move other qualifiers to the end."
}

const exceededLimits = (all: ReadonlyArray<Word>): ReadonlyArray<Diagnostic> => {
  const problems: Array<Diagnostic> = []
  const sixth = all.filter((token) => token._tag === "Operator")[MAX_OPERATORS]
  if (sixth !== undefined) {
    problems.push({
      ...sixth.span,
      message: `A query can have at most ${MAX_OPERATORS} operators (AND, OR, NOT). Remove one.`
    })
  }
  const terms = all.filter((token) => token._tag === "Term")
  const length = [...terms.map((term) => term.text).join(" ")].length
  if (length > MAX_LENGTH) {
    problems.push({
      ...cover(terms),
      message: `Shorten the keywords to ${MAX_LENGTH} characters. They have ${length}.`
    })
  }
  return problems
}

const missingKeyword = (any: ReadonlyArray<ReadonlyArray<Term>>, text: string): ReadonlyArray<Diagnostic> => {
  if (any.every((group) => group.length === 0)) {
    return [{ start: 0, length: text.length, message: "Add a keyword: qualifiers alone find nothing." }]
  }
  return any
    .filter((group) => group.length > 0 && group.every((term) => term.not))
    .map((group) => ({ ...cover(group), message: "Add a keyword: NOT alone finds nothing." }))
}

const cover = (all: ReadonlyArray<{ readonly span: Span }>): Span => {
  const start = all[0]?.span.start ?? 0
  const last = all.at(-1)?.span
  return { start, length: last === undefined ? 0 : last.start + last.length - start }
}
