/**
 * Checks that the qualifiers of a code query fit the kind of the results, files or commits, and the query's revisions.
 */
import type * as CodeQuery from "./CodeQuery.ts"
import type { Span } from "./Diagnostic.ts"
import * as Qualifier from "./Qualifier.ts"
import { type QueryProblem, write } from "./QueryProblem.ts"
import * as RepositoryName from "./RepositoryName.ts"
import type { QualifierToken, Term } from "./TermParser.ts"

/** A parsed term or filter, and the token. */
export interface FilterToken extends Term {
  readonly token: QualifierToken
  readonly not: boolean
  /** Span of the token, including `NOT`. */
  readonly span: Span
  /** True in parentheses and beside `OR`. */
  readonly isPart: boolean
}

/** Returns the problems of qualifiers with the kind of the results. */
export const problems = (
  all: ReadonlyArray<FilterToken>,
  kind: CodeQuery.CodeQuery["kind"]
): ReadonlyArray<QueryProblem & { readonly span: Span }> => {
  const repositories = all.filter(({ expression, not }) => !not && isRepository(expression))
  return all.flatMap((one) => {
    const problem = kindProblem(one, kind) ?? revisionProblem(one, repositories)
    return problem === undefined ? [] : [{ ...problem, span: one.span }]
  })
}

const kindProblem = (
  { not, token: { name, quoted, value, written } }: FilterToken,
  kind: CodeQuery.CodeQuery["kind"]
): QueryProblem | undefined => {
  const text = quoted ? Qualifier.quote(value) : value
  switch (name) {
    case "author":
    case "committer":
    case "message":
    case "after":
    case "before": {
      if (not && (name === "after" || name === "before")) {
        return write("", `${name === "after" ? "before" : "after"}:${text}`)
      }
      if (kind !== "file") return undefined
      const replacement = `${not ? "-" : ""}${name}:${text} type:commit`
      return { message: `Add type:commit or type:diff: ${written}: finds commits. Write ${replacement}.`, replacement }
    }
    case "symbol": {
      if (kind === "file") return undefined
      const replacement = `${not ? "-" : ""}${Qualifier.quote(value)}`
      return { message: `Remove symbol: or type:${kind}: commits have no definitions. Write ${text}.`, replacement }
    }
    default:
      return undefined
  }
}

const revisionProblem = (
  { expression, isPart, not, revisions }: FilterToken,
  repositories: ReadonlyArray<FilterToken>
): QueryProblem | undefined => {
  if (revisions.length === 0 || expression._tag !== "Filter" || expression.filter.name !== "repo") return undefined
  const written = revisions.join(":")
  const differs = repositories.some((other) => other.revisions.join(":") !== written)
  if (!not && !isPart && !differs) return undefined
  const replacement = `${not ? "-" : ""}${RepositoryName.print(expression.filter)}`
  return { message: `A revision applies to the whole query. Search it alone, or write ${replacement}.`, replacement }
}

const isRepository = (self: CodeQuery.Expression): boolean =>
  self._tag === "Filter" && (self.filter.name === "repo" || self.filter.name === "user" || self.filter.name === "org")
