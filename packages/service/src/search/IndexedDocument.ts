/** What the index stores of a file. */
import type * as DocumentText from "./text/DocumentText.ts"

/** A file with the content. */
export interface ReadFile {
  readonly path: string
  readonly oid: string
  /** Size in bytes. */
  readonly size: number
  /** Undefined for a file that is too large. */
  readonly bytes: Uint8Array | undefined
}

/** A file in the form stored in the index. */
export interface Document {
  readonly path: string
  readonly oid: string
  readonly size: number
  readonly reason: DocumentText.Reason | null
  readonly outline: string
  /** Terms of all blocks, one after the other. */
  readonly terms: Uint32Array
  /** End of the terms of each block. Empty for a document that is not searchable. */
  readonly ends: ReadonlyArray<number>
  /** Number of lines, UTF-16 code units and bytes of UTF-8 of each chunk of the text. Null for a single chunk. */
  readonly layout: Uint8Array | null
  /** Each chunk of the text, as UTF-8. */
  readonly chunks: ReadonlyArray<Uint8Array>
}
