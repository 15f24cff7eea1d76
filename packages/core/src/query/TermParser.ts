/** Parses single terms and qualifiers of the code query language. */
import type * as CodeQuery from "./CodeQuery.ts"
import * as ForeignQualifier from "./ForeignQualifier.ts"
import * as PathExpression from "./PathExpression.ts"
import * as PathPattern from "./PathPattern.ts"
import * as Qualifier from "./Qualifier.ts"
import { foreignNames, type ForeignName } from "./QualifierName.ts"
import { type QueryProblem, write } from "./QueryProblem.ts"
import * as QueryOptions from "./QueryOptions.ts"
import * as RegexSource from "./RegexSource.ts"
import * as RepositoryName from "./RepositoryName.ts"
import { isUnclosedRegex, type Token } from "./Token.ts"

/** The token of a qualifier. */
export type QualifierToken = Extract<Token, { readonly _tag: "Qualifier" }>

/** The token of a term or filter. */
export type TermToken = Extract<Token, { readonly _tag: "Term" | "Regex" | "Qualifier" }>

/** A parsed term or filter. */
export interface Term {
  readonly expression: CodeQuery.Expression
  /** Revisions in the value of `repo:`. */
  readonly revisions: ReadonlyArray<string>
}

/** Parses a term or filter. Undefined for a foreign qualifier without an effect, such as `archived:yes`. */
export const parse = (token: TermToken): Term | ForeignQualifier.Explanation | undefined => {
  const { span } = token
  switch (token._tag) {
    case "Term": {
      const problem = textProblem(token.text, token.phrase)
      return problem ?? term({ _tag: "Text", text: token.text, span })
    }
    case "Regex": {
      const source = RegexSource.translate(token.source)
      return withMinus(RegexSource.problem(source), token) ?? term({ _tag: "Regex", source, span })
    }
    case "Qualifier": {
      const read = isForeign(token) ? ForeignQualifier.explain(token.name, token) : qualifier(token)
      return read
    }
  }
}

/**
 * Returns whether a token applies to the whole query, or has no effect. A neutral token cannot be an operand of `OR`.
 */
export const isNeutral = (token: Token): boolean =>
  QueryOptions.isOption(token) ||
  (token._tag === "Qualifier" &&
    isForeign(token) &&
    (ForeignQualifier.explain(token.name, token)?.replacement ?? "") === "")

const isForeign = (token: QualifierToken): token is QualifierToken & { readonly name: ForeignName } =>
  foreignNames.some((name) => name === token.name)

const term = (expression: CodeQuery.Expression, revisions: ReadonlyArray<string> = []): Term => ({
  expression,
  revisions
})

const textProblem = (text: string, isQuoted: boolean): QueryProblem | undefined => {
  if (text.trim() === "") return { message: "Write a text between the quotation marks." }
  return !isQuoted && isUnclosedRegex(text)
    ? {
        message: "End the regular expression with a slash, or put the text in quotation marks.",
        replacement: Qualifier.quote(text)
      }
    : undefined
}

const qualifier = (token: QualifierToken): Term | QueryProblem => {
  const { name, not, quoted, regex, span, value, written } = token
  const sign = not ? "-" : ""
  if (value.trim() === "") return { message: `Write a value right after ${written}: (no space between).` }
  if ((name === "repo" || name === "file") && !quoted && PathExpression.isPredicate(value)) {
    return ForeignQualifier.explainPredicate(token)
  }
  switch (name) {
    case "symbol":
      return symbol(token)
    case "content": {
      if (!regex) return textProblem(value, quoted) ?? term({ _tag: "Text", text: value, place: "content", span })
      const source = RegexSource.translate(value)
      const problem = RegexSource.problem(source)
      if (problem === undefined) return term({ _tag: "Regex", source, place: "content", span })
      const { message, replacement } = problem
      return replacement === undefined ? problem : { message, replacement: `${sign}${replacement}` }
    }
    case "repo": {
      const read = RepositoryName.parse(token)
      return "message" in read
        ? withMinus(read, token)
        : term({ _tag: "Filter", filter: read.filter, span }, read.revisions)
    }
    case "file":
      return path(token)
    case "path":
      return regex ? path(token) : documented(token)
    case "author":
    case "committer":
    case "message": {
      const source = /^\/(.+)\/$/s.exec(value)?.[1]
      const error = source === undefined ? undefined : RegexSource.syntaxError(source)
      return error === undefined ? term({ _tag: "Filter", filter: { name, value }, span }) : { message: error }
    }
    case "after":
    case "before":
      return term({ _tag: "Filter", filter: { name, value }, span })
    default:
      return documented(token)
  }
}

const path = (token: QualifierToken): Term | QueryProblem => {
  const read = PathExpression.parse(token)
  return "message" in read ? withMinus(read, token) : term(read)
}

/** Parses a qualifier that both query languages have. */
const documented = (token: QualifierToken): Term | QueryProblem => {
  const { name, quoted, span, value, written } = token
  if (name === "path" && !quoted && PathPattern.isPattern(value)) {
    if (!PathPattern.isBounded(value)) {
      return { message: `Use at most ${PathPattern.MAX_CHOICES} texts in braces, or path: several times.` }
    }
    return PathPattern.isBalanced(value)
      ? term({ _tag: "Filter", filter: { name, value: PathPattern.parse(value), glob: true }, span })
      : { message: "Close the brace (path:*.{ts,tsx}), or put the path in quotation marks." }
  }
  if (!Qualifier.isQualifierToken(token)) return { message: `Remove ${written}:.`, replacement: "" }
  const [read] = [Qualifier.parse(token, false)].flat()
  if (read === undefined || "message" in read) return { message: read?.message ?? "" }
  const expression = Qualifier.toExpression(read)
  return expression === undefined ? { message: `Remove ${written}:.` } : term(expression)
}

const symbol = ({ not, quoted, regex, span, value, written }: QualifierToken): Term | QueryProblem => {
  if (!quoted && (regex || /^\^|\.\*|\\/.test(value))) {
    const whole = /^\^([\w$]+)\$$/.exec(value)?.[1]
    const words = value.replace(/\\[a-z]/gi, " ").match(/\w+/g) ?? []
    const [part = "name"] = words.toSorted((a, b) => b.length - a.length)
    const form = whole === undefined ? part : Qualifier.quote(whole)
    return write(`${written}: takes a name or a part of it.`, `${not ? "-" : ""}symbol:${form}`)
  }
  // The name may be copied from a call, including parentheses.
  const name = quoted ? value : value.replace(/\(.*$/, "")
  return name.trim() === ""
    ? { message: `Write a name right after ${written}: (no space between).` }
    : term({ _tag: "Symbol", name, exact: quoted, span })
}

/** Adds the minus of a token to the correction of the value. */
const withMinus = <Problem extends QueryProblem | undefined>(problem: Problem, { not }: TermToken): Problem =>
  not && problem?.replacement !== undefined ? { ...problem, replacement: `-${problem.replacement}` } : problem
