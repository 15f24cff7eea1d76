/** The query of a code search while it is typed: its parts in colours, and what is wrong with it, before anything is asked. */
import * as Result from "effect/Result"
import * as Highlight from "@tongs/core/query/Highlight"
import type { Diagnostic, Span } from "@tongs/core/query/Diagnostic"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import * as StyledLine from "./StyledLine.ts"

/** The text, with what is wrong marked as such. */
export const highlighted = (text: string): StyledLine.Line => {
  const problems = told(text)
  const spans: Array<StyledLine.Span> = []
  let at = 0
  for (const { kind, span } of Highlight.classify(text)) {
    const end = span.start + span.length
    const isWrong = problems.some((problem) => overlap(problem, span))
    spans.push(
      StyledLine.span(text.slice(at, span.start)),
      StyledLine.span(text.slice(span.start, end), isWrong ? "error" : roles[kind])
    )
    at = end
  }
  spans.push(StyledLine.span(text.slice(at)))
  return spans.filter((span) => span.text !== "")
}

/** What to do about the first thing that is wrong. */
export const problem = (text: string): string | undefined => told(text)[0]?.message

/** Problems that going on will not mend by itself: what ends at the cursor is still being typed. */
const told = (text: string): ReadonlyArray<Diagnostic> => {
  const query = SearchQuery.parse(text)
  return Result.isFailure(query) ? query.failure.filter(({ length, start }) => start + length < text.length) : []
}

const overlap = (a: Span, b: Span) => a.start < b.start + b.length && b.start < a.start + a.length

const roles: Readonly<Record<Highlight.Part["kind"], StyledLine.Role>> = {
  word: "strong",
  phrase: "added",
  regex: "hunk",
  operator: "accent",
  parenthesis: "accent",
  minus: "accent",
  qualifier: "id",
  value: "strong"
}
