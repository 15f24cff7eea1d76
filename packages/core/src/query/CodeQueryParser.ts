/**
 * Parses the code query language: the search query language (`SearchQuery.ts`) with parts of names,
 * `/regular expressions/`, `symbol:name`, parentheses, `AND`, `OR`, `NOT` and a minus for everything, patterns in
 * `path:`, `case:yes` and `word:yes`.
 *
 * **Details**
 *
 * Adjacent terms are joined by `AND`; `OR` binds weaker. A qualifier restricts the enclosing parentheses or the whole
 * query; several with one name are alternatives. A qualifier next to an `OR` is an operand: `panic OR path:errors`.
 * `symbol:"name"` matches the whole name, `symbol:name` a part. A pattern in `path:` matches from any folder
 * (`path:*.ts` matches every such file); with a leading slash, only from the root.
 *
 * **Gotchas**
 *
 * Regular expressions are ECMAScript with the `u` flag. The parser compiles but never runs an expression: one may match
 * the empty text.
 */
import * as Result from "effect/Result"
import type * as CodeQuery from "./CodeQuery.ts"
import * as CodeQueryPrinter from "./CodeQueryPrinter.ts"
import type { Diagnostic } from "./Diagnostic.ts"
import * as Grammar from "./Grammar.ts"
import { MAX_DIAGNOSTICS, MAX_TEXT } from "./SearchQuery.ts"
import { tokenize } from "./Token.ts"

export { MAX_DIAGNOSTICS, MAX_TEXT }

/** Parses a query. Fails with diagnostics for all errors (at most `MAX_DIAGNOSTICS`) in the order of the text. */
export const parse = (text: string): Result.Result<CodeQuery.CodeQuery, ReadonlyArray<Diagnostic>> => {
  if (text.length > MAX_TEXT) {
    return Result.fail([
      { start: MAX_TEXT, length: text.length - MAX_TEXT, message: `Shorten the query to ${MAX_TEXT} characters.` }
    ])
  }
  const lexed = tokenize(text)
  const read = Grammar.parse(lexed.tokens, text)
  const problems = [...lexed.problems, ...read.problems]
  if (read.expression === undefined) {
    if (problems.length === 0) problems.push({ start: 0, length: text.length, message: "Add a word to search for." })
  } else if (problems.length === 0) {
    problems.push(...unboundedParts(read.expression))
    if (problems.length === 0) return Result.succeed({ ...read.options, expression: read.expression })
  }
  return Result.fail(problems.sort((a, b) => a.start - b.start).slice(0, MAX_DIAGNOSTICS))
}

/** Prints a query. Parsing the text gives the same query with other spans. */
export const print: (self: CodeQuery.CodeQuery) => string = CodeQueryPrinter.print

/** Returns diagnostics for the parts of a query that match nearly every file, because all terms are negated. */
const unboundedParts = (self: CodeQuery.Expression): ReadonlyArray<Diagnostic> => {
  switch (self._tag) {
    case "And": {
      const parts = self.all.map(unboundedParts)
      return parts.some((problems) => problems.length === 0) ? [] : parts.flat()
    }
    case "Or":
      return self.any.flatMap(unboundedParts)
    case "Not":
      return [{ ...self.span, message: "Add a word to search for: NOT alone finds nothing." }]
    default:
      return []
  }
}
