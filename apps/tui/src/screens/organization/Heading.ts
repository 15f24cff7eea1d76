/** Lines that several documents of an organization begin with. */
import type { DocumentLine } from "../../content/Document.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Span } from "../../text/StyledLine.ts"

export const blank: DocumentLine = { line: [] }

/** Formats the heading of a part of a document. */
export const heading = (text: string): DocumentLine => ({ line: StyledLine.line(text, "title") })

/** Formats the choices of a period, with the current period in brackets, and the keys for another period. */
export const periods = (labels: ReadonlyArray<string>, current: string, columns: number): DocumentLine => {
  const choices = labels.flatMap((label): ReadonlyArray<Span> => [
    label === current ? StyledLine.span(`[${label}]`, "accent") : StyledLine.span(` ${label} `, "muted")
  ])
  const keys = [StyledLine.span("[ ", "accent"), StyledLine.span("and", "muted"), StyledLine.span(" ]", "accent")]
  const right = [...keys, StyledLine.span(" change it", "muted")]
  const fits = StyledLine.width(choices) + StyledLine.width(right) + 2 <= columns
  return { line: fits ? [...choices, StyledLine.span("  "), ...right] : choices }
}

/** A property of a resource, in words. */
export interface Fact {
  readonly name: string
  readonly value: string
  readonly role?: StyledLine.Role | undefined
}

/** Width of the names of facts in columns. */
const NAME_WIDTH = 28

/** Spaces between a name and a value. */
const GAP = 2

/** Formats a property. Wraps a long value. `rest` is the other members of the lines. */
export const fact = (
  { name, role = "plain", value }: Fact,
  columns: number,
  rest: Omit<DocumentLine, "line"> = {}
): ReadonlyArray<DocumentLine> => {
  const width = Math.min(NAME_WIDTH, Math.max(8, Math.floor(columns / 2)))
  return StyledLine.wrap(value, columns - width).map((part, index) => ({
    copy: value,
    ...rest,
    line: [
      ...StyledLine.fit(StyledLine.line(index === 0 ? name : "", "muted"), width - GAP),
      StyledLine.span(" ".repeat(GAP)),
      StyledLine.span(part, role)
    ]
  }))
}
