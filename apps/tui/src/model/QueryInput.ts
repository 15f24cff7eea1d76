/** Highlights and completes a code search query while the user types, and reports the first error. */
import * as Result from "effect/Result"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as Completion from "@tongs/core/query/Completion"
import type { Diagnostic, Span } from "@tongs/core/query/Diagnostic"
import * as Highlight from "@tongs/core/query/Highlight"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import * as StyledLine from "../text/StyledLine.ts"
import * as TextInput from "../text/TextInput.ts"

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

/**
 * Returns the message of the query's first error, with the fix. Ignores errors at the end of the query while the user
 * types.
 */
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

/** The most common languages, for completion. The forge supports more languages. */
const languages =
  "TypeScript JavaScript Python Go Rust Java C C++ C# Ruby PHP Shell Kotlin Swift Markdown JSON YAML HTML CSS SQL".split(
    " "
  )

const complete = (
  { cursor, text }: TextInput.TextInput,
  repositories: ReadonlyArray<string>
): Completion.Completion => {
  const completion = Completion.complete(text, cursor, {
    language: "code",
    values: { repo: repositories, language: languages }
  })
  const isWhole = (option: Completion.CompletionOption) =>
    text.slice(completion.span.start, completion.span.start + completion.span.length) === option.text
  return completion.options.some(isWhole) ? { ...completion, options: [] } : completion
}

/** Inserts the first completion. Returns the input unchanged without a completion. */
export const accept = (self: TextInput.TextInput, repositories: ReadonlyArray<string>): TextInput.TextInput => {
  const completion = complete(self, repositories)
  const [first] = completion.options
  if (first === undefined) return self
  const { cursor, text } = Completion.accept(self.text, completion, first)
  return { ...TextInput.withText(self, text), cursor }
}

/**
 * Creates the line of suggestions: completions, or the keys for an empty query. `accept` inserts the first completion.
 */
export const suggestions = (
  self: TextInput.TextInput,
  repositories: ReadonlyArray<string>,
  history: ReadonlyArray<string>
): StyledLine.Line | undefined => {
  const { options } = complete(self, repositories)
  if (self.text === "") {
    const [last] = history
    return [
      StyledLine.span(' words, "phrases", /regex/, path: extension: language: symbol:', "muted"),
      ...(last === undefined ? [] : [StyledLine.span("  ↑ ", "accent"), StyledLine.span(last, "muted")])
    ]
  }
  if (options.length === 0) return undefined
  return [
    StyledLine.span(" Tab ", "accent"),
    ...options.flatMap(({ detail, text }, index) => [
      StyledLine.span(text, index === 0 ? "strong" : "plain"),
      StyledLine.span(detail === "" ? "  " : ` ${detail}  `, "muted")
    ])
  ]
}

/** Maximum number of queries in the history. */
const MAX_HISTORY = 50

/** Adds a query to the history, of which the first element is the latest. */
export const remember = (history: ReadonlyArray<string>, query: string): ReadonlyArray<string> =>
  [query, ...history.filter((known) => known !== query)].slice(0, MAX_HISTORY)
