/**
 * The explorer's language of code search. It has all of the contract's (`Query.ts`), and more: words may stand anywhere
 * in a name, `/regular expressions/`, `symbol:name`, parentheses, `AND`, `OR`, `NOT` and a minus on anything, patterns
 * in `path:`, `case:yes`, `word:yes`.
 *
 * **Details**
 *
 * Side by side means `AND`; `OR` binds weaker. A qualifier restricts everything within its parentheses, or the whole
 * query; several of one name are alternatives, as in the contract. Beside an `OR` it is one of the things that `OR`
 * joins: `panic OR path:errors`. `symbol:"name"` is all of the name, `symbol:name` a part. A pattern in `path:` may
 * begin at any folder, unless it begins with a slash: `path:*.ts` is every such file.
 *
 * **Gotchas**
 *
 * Regular expressions are ECMAScript's, with the `u` flag. They are checked, not tried: one may match the empty text.
 */
import * as Result from "effect/Result"
import type * as CodeQuery from "./CodeQuery.ts"
import * as CodeQueryPrinter from "./CodeQueryPrinter.ts"
import type { Diagnostic } from "./Diagnostic.ts"
import * as Grammar from "./Grammar.ts"
import { MAX_DIAGNOSTICS, MAX_TEXT } from "./SearchQuery.ts"
import { tokenize } from "./Token.ts"

export { MAX_DIAGNOSTICS, MAX_TEXT }

/** The query that `text` is, or everything that is wrong with it, in the order of the text. */
export const parse = (text: string): Result.Result<CodeQuery.CodeQuery, ReadonlyArray<Diagnostic>> => {
  if (text.length > MAX_TEXT) {
    return Result.fail([
      { start: MAX_TEXT, length: text.length - MAX_TEXT, message: `Shorten the query to ${MAX_TEXT} characters.` }
    ])
  }
  const lexed = tokenize(text)
  const read = Grammar.parse(lexed.tokens)
  const problems = [...lexed.problems, ...read.problems]
  if (read.expression === undefined) {
    if (problems.length === 0) problems.push({ start: 0, length: text.length, message: "Write something to look for." })
  } else if (problems.length === 0) {
    problems.push(...unboundedParts(read.expression))
    if (problems.length === 0) return Result.succeed({ ...read.options, expression: read.expression })
  }
  return Result.fail(problems.sort((a, b) => a.start - b.start).slice(0, MAX_DIAGNOSTICS))
}

/** The query as text; `parse` of it gives the same query but for the spans. */
export const print: (self: CodeQuery.CodeQuery) => string = CodeQueryPrinter.print

/** The parts that nearly every file has, because all that they say is NOT. */
const unboundedParts = (self: CodeQuery.Expression): ReadonlyArray<Diagnostic> => {
  switch (self._tag) {
    case "And": {
      const parts = self.all.map(unboundedParts)
      return parts.some((problems) => problems.length === 0) ? [] : parts.flat()
    }
    case "Or":
      return self.any.flatMap(unboundedParts)
    case "Not":
      return [{ ...self.span, message: "Add something to look for: NOT alone finds nothing." }]
    default:
      return []
  }
}
