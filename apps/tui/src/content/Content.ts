/** The content of a screen, ready to draw: a table, a document, or a notice. */
import type { Message } from "./Message.ts"
import type { Document } from "./Document.ts"
import type { Table } from "./Table.ts"

/** A message in place of a document that cannot be shown, such as a binary file. */
export interface Notice extends Message {
  readonly _tag: "Notice"
  /** The text that `y` copies. */
  readonly id: string
  readonly webUrl?: string | null
}

/** The content of a screen. */
export type Content = Table | Document | Notice
