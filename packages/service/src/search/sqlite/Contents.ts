/** The contents of documents in the index, compressed in chunks of several blocks. */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib"
import * as DocumentText from "../text/DocumentText.ts"
import type { Part, PartSource } from "../text/PartialText.ts"
import * as DocumentBlocks from "./DocumentBlocks.ts"

/** Size of the buffer for a chunk. Only a chunk with a long line is larger. */
const BUFFER_BYTES = 16 * 1024

/** Settings of the compression. Small tables and windows for small chunks save a third of the time. */
const settings = {
  chunkSize: BUFFER_BYTES,
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_checksumFlag]: 1,
    [constants.ZSTD_c_windowLog]: 14,
    [constants.ZSTD_c_hashLog]: 13
  }
}

/** Maximum size of a chunk: of one long line of the largest file, whose characters can have three bytes for each byte. */
const MAX_BYTES = 3 * DocumentText.MAX_BYTES

/** Size of a page of compressed chunks, which has room for any usual one. */
const PAGE_BYTES = 1024 * 1024

/** Compresses chunks to memory that is used again after `clear`: the runtime frees thousands of arrays much later. */
export class Compressor {
  readonly #pages: Array<Uint8Array> = []
  #page = 0
  #length = 0

  /** Compresses a chunk. The result is valid until `clear`. */
  compress(chunk: Uint8Array): Uint8Array {
    const compressed = zstdCompressSync(chunk, settings)
    // A copy also of a large result, which can be a part of a much larger buffer.
    if (compressed.length > PAGE_BYTES) return new Uint8Array(compressed)
    if (this.#length + compressed.length > PAGE_BYTES) {
      this.#page++
      this.#length = 0
    }
    const page = (this.#pages[this.#page] ??= new Uint8Array(PAGE_BYTES))
    page.set(compressed, this.#length)
    const stored = page.subarray(this.#length, this.#length + compressed.length)
    this.#length += compressed.length
    return stored
  }

  /** Frees the memory of the compressed chunks for others. */
  clear(): void {
    this.#page = this.#length = 0
  }
}

/** Writes the compressed chunks of a document. */
export const insert = (database: DatabaseSync): ((document: number, chunks: ReadonlyArray<Uint8Array>) => void) => {
  const statement = database.prepare("INSERT INTO contents (id, chunk) VALUES (?, ?)")
  return (document, chunks) => {
    for (const [at, chunk] of chunks.entries()) statement.run(document + at * DocumentBlocks.PER_CHUNK, chunk)
  }
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
