/** Highlights a code search query while the user types it, and reports its first error. */
import * as Result from "effect/Result"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import type { Diagnostic, Span } from "@tongs/core/query/Diagnostic"
import * as Highlight from "@tongs/core/query/Highlight"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import * as StyledLine from "../text/StyledLine.ts"

/** Highlights the parts of a query, such as qualifiers. */
export const highlighted = (text: string): StyledLine.Line => {
  const problems = completedProblems(text)
  const spans: Array<StyledLine.Span> = []
  let at = 0
  for (const { kind, span } of Highlight.classify(text)) {
    const end = span.start + span.length
    const isInvalid = problems.some((problem) => overlap(problem, span))
    spans.push(
      StyledLine.span(text.slice(at, span.start)),
      StyledLine.span(text.slice(span.start, end), isInvalid ? "error" : roles[kind])
    )
    at = end
  }
  spans.push(StyledLine.span(text.slice(at)))
  return spans.filter((span) => span.text !== "")
}

/** Returns the message of the query's first error, with its fix. Ignores errors at its end while the user types. */
export const problem = (text: string): string | undefined => completedProblems(text)[0]?.message

/** Returns the errors of a query. The code query language and the language of the API are both valid. */
export const problems = (text: string): ReadonlyArray<Diagnostic> => {
  const code = CodeQueryParser.parse(text)
  return Result.isFailure(code) && Result.isFailure(SearchQuery.parse(text)) ? code.failure : []
}

const completedProblems = (text: string): ReadonlyArray<Diagnostic> =>
  problems(text).filter(({ length, start }) => start + length < text.length)

const overlap = (a: Span, b: Span) => a.start < b.start + b.length && b.start < a.start + a.length

const roles: Readonly<Record<Highlight.HighlightedPart["kind"], StyledLine.Role>> = {
  word: "strong",
  phrase: "added",
  regex: "hunk",
  operator: "accent",
  parenthesis: "accent",
  minus: "accent",
  qualifier: "id",
  value: "strong"
}
