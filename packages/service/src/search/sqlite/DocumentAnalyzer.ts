/** Finds what the index stores of a file: terms, symbols and the chunks of the text. */
import type { Document, ReadFile } from "../IndexedDocument.ts"
import { importsOf } from "../symbols/Imports.ts"
import { symbolsOf } from "../symbols/Symbols.ts"
import * as DocumentText from "../text/DocumentText.ts"
import * as Terms from "../text/Terms.ts"
import * as Contents from "./Contents.ts"
import * as DocumentBlocks from "./DocumentBlocks.ts"
import * as OutlineCodec from "./OutlineCodec.ts"
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

/** Analyzes files. Reuse an analyzer, because each takes some megabytes of memory. */
export class DocumentAnalyzer {
  readonly #collector = new Terms.Collector()
  #terms = new Uint32Array(1 << 16)

  analyze(files: ReadonlyArray<ReadFile>): ReadonlyArray<Document> {
    return files.map((file) => this.#analyze(file))
  }

  #analyze({ bytes, oid, path, size }: ReadFile): Document {
    if (bytes === undefined) return leftOut({ path, oid, size }, "size")
    const read = DocumentText.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (read._tag === "LeftOut") return leftOut({ path, oid, size }, read.reason)
    const symbols = symbolsOf(path, read.text)
    const others = [...SymbolTerms.of(symbols), ...importsOf(path, read.text).map(Terms.ofImport)]
    const blocks = DocumentBlocks.split(read.text, DocumentBlocks.count(size))
    const terms = this.#termsOf(blocks, others)
    if (terms === undefined) return leftOut({ path, oid, size }, "size")
    const outline = OutlineCodec.encode(symbols)
    return { path, oid, size, reason: null, outline, ...terms, ...Contents.chunksOf(blocks) }
  }

  /**
   * Returns the terms of each block, or undefined if there are too many. `others`, the terms of names and imports,
   * belong to the first block.
   */
  #termsOf(blocks: ReadonlyArray<string>, others: ReadonlyArray<number>): Pick<Document, "terms" | "ends"> | undefined {
    const ends: Array<number> = []
    let length = 0
    for (const [at, text] of blocks.entries()) {
      const found = this.#collector.collect(text, at === 0 ? others : [])
      if (found.length > MAX_BLOCK_TERMS || length + found.length > MAX_TERMS) return undefined
      if (length + found.length > this.#terms.length) {
        const larger = new Uint32Array(2 * (length + found.length))
        larger.set(this.#terms.subarray(0, length))
        this.#terms = larger
      }
      this.#terms.set(found, length)
      length += found.length
      ends.push(length)
    }
    return { terms: this.#terms.slice(0, length), ends }
  }
}

const leftOut = (file: Pick<Document, "path" | "oid" | "size">, reason: DocumentText.Reason): Document => ({
  ...file,
  reason,
  outline: "",
  terms: new Uint32Array(),
  ends: [],
  layout: null,
  chunks: []
})
