/** A text in place of content: for empty lists and failures. */
export interface Message {
  readonly title: string
  /** The next step for the user. */
  readonly hint: string
}
