/** A range in the text of a query, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly length: number
}

/** An error in a query: a span, and a message with how to fix the error. */
export interface Diagnostic extends Span {
  readonly message: string
  /** Text for the span that corrects the error, if known. Empty if the span must be removed. */
  readonly replacement?: string
}
