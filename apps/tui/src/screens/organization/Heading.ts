/** Lines that several documents of an organization begin with. */
import type { DocumentLine } from "../../content/Document.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Span } from "../../text/StyledLine.ts"

/** A blank line. */
export const blank: DocumentLine = { line: [] }

/** Formats the heading of a part of a document. */
export const heading = (text: string): DocumentLine => ({ line: StyledLine.line(text, "title") })

/** Formats the choices of a period, with the current one in brackets, and the keys that change it. */
export const periods = (labels: ReadonlyArray<string>, current: string, columns: number): DocumentLine => {
  const choices = labels.flatMap((label): ReadonlyArray<Span> => [
    label === current ? StyledLine.span(`[${label}]`, "accent") : StyledLine.span(` ${label} `, "muted")
  ])
  const keys = [StyledLine.span("[ ", "accent"), StyledLine.span("and", "muted"), StyledLine.span(" ]", "accent")]
  const right = [...keys, StyledLine.span(" change it", "muted")]
  const fits = StyledLine.width(choices) + StyledLine.width(right) + 2 <= columns
  return { line: fits ? [...choices, StyledLine.span("  "), ...right] : choices }
}
