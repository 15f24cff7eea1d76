/** Splits a query into parts for syntax colours and underlined problems. */
import { classify, type HighlightedPart } from "@tongs/core/query/Highlight"
import type { Diagnostic } from "@tongs/core/query/Diagnostic"

export interface QueryPart {
  /** Undefined for white space. */
  readonly kind: HighlightedPart["kind"] | undefined
  readonly text: string
  readonly isInvalid: boolean
}

/** The parts of `q`, in order and without gaps. */
export const parts = (q: string, problems: ReadonlyArray<Diagnostic>): ReadonlyArray<QueryPart> => {
  const parts: Array<QueryPart> = []
  // A problem of the whole query is not underlined.
  const underlined = problems.filter(({ length }) => length < q.length)
  const add = (kind: QueryPart["kind"], start: number, end: number) => {
    if (end <= start) return
    const isInvalid = underlined.some((problem) => problem.start < end && problem.start + problem.length > start)
    parts.push({ kind, text: q.slice(start, end), isInvalid })
  }
  let at = 0
  for (const { kind, span } of classify(q)) {
    add(undefined, at, span.start)
    at = span.start + span.length
    add(kind, span.start, at)
  }
  add(undefined, at, q.length)
  return parts
}
