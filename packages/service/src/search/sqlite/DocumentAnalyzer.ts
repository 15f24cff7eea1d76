/** Finds what the index stores of a file: terms, symbols and the chunks of the text. */
import { isAscii } from "node:buffer"
import type { Document, ReadFile } from "../IndexedDocument.ts"
import { importsOf } from "../symbols/Imports.ts"
import { symbolsOf } from "../symbols/Symbols.ts"
import * as DocumentText from "../text/DocumentText.ts"
import * as Terms from "../text/Terms.ts"
import * as DocumentBlocks from "./DocumentBlocks.ts"
import * as OutlineCodec from "./OutlineCodec.ts"
import { SharedBuffers } from "./SharedBuffers.ts"
import * as SymbolTerms from "./SymbolTerms.ts"

/**
 * Maximum number of terms of a document, counted per block, and of a block. Text, also generated text, has fewer;
 * encoded data can have more.
 */
const MAX_TERMS = 12_000_000
const MAX_BLOCK_TERMS = 3_000_000

/** Returns the terms of each block of a document. */
export const blocksOf = ({ ends, terms }: Pick<Document, "terms" | "ends">): ReadonlyArray<Uint32Array> =>
  ends.map((end, at) => terms.subarray(ends[at - 1] ?? 0, end))

/** A document with the place of its terms. */
interface Analyzed extends Omit<Document, "terms"> {
  readonly from: number
  readonly to: number
}

/** Analyzes files. Reuse an analyzer, because each takes some megabytes of memory. */
export class DocumentAnalyzer {
  readonly #collector = new Terms.Collector()
  readonly #shared = new SharedBuffers()
  /** Terms of the files. */
  #terms = new Uint32Array(1 << 16)
  #length = 0

  /** Analyzes files. The terms are valid until the `SharedBuffers.COUNT`th next call. */
  analyze(files: ReadonlyArray<ReadFile>): ReadonlyArray<Document> {
    this.#length = 0
    const analyzed = files.map((file) => this.#analyze(file))
    const terms = new Uint32Array(this.#shared.take(this.#length * Uint32Array.BYTES_PER_ELEMENT), 0, this.#length)
    terms.set(this.#terms.subarray(0, this.#length))
    return analyzed.map(({ from, to, ...document }) => ({ ...document, terms: terms.subarray(from, to) }))
  }

  #analyze({ bytes, oid, path, size }: ReadFile): Analyzed {
    if (bytes === undefined) return leftOut({ path, oid, size }, "size")
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const read = DocumentText.read(buffer)
    if (read._tag === "LeftOut") return leftOut({ path, oid, size }, read.reason)
    const symbols = symbolsOf(path, read.text)
    const others = [...SymbolTerms.of(symbols), ...importsOf(path, read.text).map(Terms.ofImport)]
    const from = this.#length
    // The bytes of ASCII text are its terms' bytes and its contents. Other text is encoded again.
    const parts = this.#parts(isAscii(buffer) ? buffer : read.text, DocumentBlocks.count(size), others)
    if (parts === undefined) {
      this.#length = from
      return leftOut({ path, oid, size }, "size")
    }
    return { path, oid, size, reason: null, outline: OutlineCodec.encode(symbols), from, to: this.#length, ...parts }
  }

  /**
   * Divides a text, and adds the terms of each block. Returns undefined if there are too many. `others`, the terms of
   * names and imports, belong to the first block.
   */
  #parts(
    text: string | Buffer,
    blocks: number,
    others: ReadonlyArray<number>
  ): Pick<Document, "ends" | "layout" | "chunks"> | undefined {
    const from = this.#length
    const ends: Array<number> = []
    const chunks: Array<Uint8Array> = []
    const layout: Array<number> = []
    let start = 0
    let chunkStart = 0
    let lines = 0
    for (const [at, end] of DocumentBlocks.divide(text, blocks).entries()) {
      const found = this.#collector.collect(part(text, start, end), at === 0 ? others : [])
      if (found.length > MAX_BLOCK_TERMS || this.#length - from + found.length > MAX_TERMS) return undefined
      this.#add(found)
      ends.push(this.#length - from)
      lines += this.#collector.lines
      start = end
      if ((at + 1) % DocumentBlocks.PER_CHUNK !== 0 && at + 1 < blocks) continue
      const chunk = part(text, chunkStart, end)
      chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk)
      layout.push(lines, chunk.length, chunks.at(-1)?.length ?? 0)
      chunkStart = end
      lines = 0
    }
    return {
      ends,
      chunks,
      layout: blocks <= DocumentBlocks.PER_CHUNK ? null : new Uint8Array(Uint32Array.from(layout).buffer)
    }
  }

  #add(terms: Uint32Array): void {
    const length = this.#length + terms.length
    if (length > this.#terms.length) {
      const larger = new Uint32Array(2 * length)
      larger.set(this.#terms.subarray(0, this.#length))
      this.#terms = larger
    }
    this.#terms.set(terms, this.#length)
    this.#length = length
  }
}

const part = (text: string | Buffer, start: number, end: number): string | Buffer =>
  typeof text === "string" ? text.slice(start, end) : text.subarray(start, end)

const leftOut = (file: Pick<Document, "path" | "oid" | "size">, reason: DocumentText.Reason): Analyzed => ({
  ...file,
  reason,
  outline: "",
  from: 0,
  to: 0,
  ends: [],
  layout: null,
  chunks: []
})
