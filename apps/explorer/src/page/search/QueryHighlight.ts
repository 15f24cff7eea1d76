/** A query as it is typed, for its colours: its parts and what stands between them, together the whole text. */
import { classify, type Part as Classified } from "@tongs/core/query/Highlight"
import type { Diagnostic } from "@tongs/core/query/Diagnostic"

export interface QueryPart {
  /** White space has no kind. */
  readonly kind: Classified["kind"] | undefined
  readonly text: string
  /** Something is wrong here. */
  readonly isWrong: boolean
}

export const parts = (q: string, problems: ReadonlyArray<Diagnostic>): ReadonlyArray<QueryPart> => {
  const parts: Array<QueryPart> = []
  // A problem of the whole query is told, not underlined.
  const wrong = problems.filter(({ length }) => length < q.length)
  const add = (kind: QueryPart["kind"], start: number, end: number) => {
    if (end <= start) return
    const isWrong = wrong.some((problem) => problem.start < end && problem.start + problem.length > start)
    parts.push({ kind, text: q.slice(start, end), isWrong })
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
