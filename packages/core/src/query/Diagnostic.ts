/** Where something stands in the text of a query, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly length: number
}

/** What is wrong with a query, where, and what to do about it. */
export interface Diagnostic extends Span {
  readonly message: string
}
