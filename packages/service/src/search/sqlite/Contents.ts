/** The contents of documents in the index, compressed in chunks of several blocks. */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib"
import type { Document } from "../IndexedDocument.ts"
import * as DocumentText from "../text/DocumentText.ts"
import type { Part, PartSource } from "../text/PartialText.ts"
import * as DocumentBlocks from "./DocumentBlocks.ts"

const settings = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 }
}

/** Size of the buffer for a chunk. Only a chunk with a long line is larger. */
const BUFFER_BYTES = 16 * 1024

/** Maximum size of a chunk: of one long line of the largest file, whose characters can have three bytes for each byte. */
const MAX_BYTES = 3 * DocumentText.MAX_BYTES

/** Joins the blocks of a text to chunks. */
export const chunksOf = (blocks: ReadonlyArray<string>): Pick<Document, "layout" | "chunks"> => {
  const chunks: Array<string> = []
  const numbers: Array<number> = []
  for (let at = 0; at < blocks.length; at += DocumentBlocks.PER_CHUNK) {
    const chunk = blocks.slice(at, at + DocumentBlocks.PER_CHUNK).join("")
    chunks.push(chunk)
    numbers.push(linesOf(chunk), chunk.length, Buffer.byteLength(chunk))
  }
  return { layout: chunks.length === 1 ? null : new Uint8Array(Uint32Array.from(numbers).buffer), chunks }
}

/** Compresses the text of a chunk. */
export const compress = (chunk: string): Uint8Array =>
  // A copy, because the result is a part of a much larger buffer.
  new Uint8Array(zstdCompressSync(chunk, settings))

/** Writes the compressed chunks of a document. */
export const insert = (database: DatabaseSync): ((document: number, chunks: ReadonlyArray<Uint8Array>) => void) => {
  const statement = database.prepare("INSERT INTO contents (id, chunk) VALUES (?, ?)")
  return (document, chunks) => {
    for (const [at, chunk] of chunks.entries()) statement.run(document + at * DocumentBlocks.PER_CHUNK, chunk)
  }
}

const linesOf = (text: string): number => {
  let lines = 0
  for (let feed = text.indexOf("\n"); feed !== -1; feed = text.indexOf("\n", feed + 1)) lines++
  return lines
}

/** A document of the index, whose text is read in chunks. */
export class StoredDocument implements PartSource {
  readonly #read: (id: number) => Uint8Array
  readonly #id: number
  readonly parts: ReadonlyArray<Part>
  readonly length: number | undefined

  constructor(id: number, layout: Uint8Array | null, read: (id: number) => Uint8Array) {
    this.#id = id
    this.#read = read
    const numbers = layout === null ? [] : new Uint32Array(layout.slice().buffer)
    const parts: Array<Part> = []
    let line = 1
    let offset = 0
    let bytes = 0
    for (let at = 0; at < numbers.length; at += 3) {
      parts.push({ line, offset, bytes })
      line += numbers[at] ?? 0
      offset += numbers[at + 1] ?? 0
      bytes += numbers[at + 2] ?? 0
    }
    this.parts = layout === null ? [{ line, offset, bytes }] : parts
    this.length = layout === null ? undefined : offset
  }

  /** Reads the text of a chunk. Throws if the chunk is missing or damaged. */
  read(chunk: number): string {
    const bytes = this.#read(this.#id + chunk * DocumentBlocks.PER_CHUNK)
    return zstdDecompressSync(bytes, { chunkSize: BUFFER_BYTES, maxOutputLength: MAX_BYTES }).toString()
  }
}

/** Reads the contents of the documents of an index. */
export class ContentsReader {
  readonly #chunk: StatementSync

  constructor(database: DatabaseSync) {
    this.#chunk = database.prepare("SELECT chunk FROM contents WHERE id = ?")
  }

  /** Returns a document of the index, from which chunks can be read until the document is deleted. */
  document(id: number, layout: Uint8Array | null): StoredDocument {
    return new StoredDocument(id, layout, (chunk) => this.#read(chunk))
  }

  #read(id: number): Uint8Array {
    const chunk = this.#chunk.get(id)?.chunk
    if (!(chunk instanceof Uint8Array)) throw new Error(`the index lacks the chunk ${id}`)
    return chunk
  }
}
