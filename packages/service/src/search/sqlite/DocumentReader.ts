/** Reads the files of an update as documents of the index: terms and symbols. */
import type { Blob } from "../BlobReader.ts"
import type { IndexProgress } from "../CodeIndex.ts"
import { readAhead } from "../ReadAhead.ts"
import { importsOf } from "../symbols/Imports.ts"
import { symbolsOf } from "../symbols/Symbols.ts"
import * as DocumentText from "../text/DocumentText.ts"
import * as Terms from "../text/Terms.ts"
import * as Contents from "./Contents.ts"
import * as DocumentBlocks from "./DocumentBlocks.ts"
import * as OutlineCodec from "./OutlineCodec.ts"
import * as SymbolTerms from "./SymbolTerms.ts"
import type * as TreeDiff from "./TreeDiff.ts"

/** Number of files whose sizes are requested from git at a time. */
const WINDOW = 1_024

/**
 * Maximum number of terms of a document, counted per block, and of a block. Text, also generated text, has fewer;
 * encoded data can have more.
 */
const MAX_TERMS = 12_000_000
const MAX_BLOCK_TERMS = 3_000_000

/** Milliseconds between reports of the progress. */
const REPORT_MILLIS = 250

/** A file in the form stored in the index. */
export interface Document {
  readonly path: string
  readonly oid: string
  readonly size: number
  readonly reason: DocumentText.Reason | null
  readonly outline: string
  /** Terms of each block. A single block is a shared array that is valid until the next document is read. */
  readonly blocks: ReadonlyArray<Uint32Array>
  readonly contents: Contents.Contents
}

/** Functions to read the files of an update. */
export interface Reading {
  readonly signal: AbortSignal
  readonly onProgress: (progress: IndexProgress) => void
  /** Called after each file. */
  readonly onDocument: () => void
  /** Reads a file. Returns undefined for a missing or unreadable object. */
  readonly read: (file: TreeDiff.TreeFile) => Promise<Blob | undefined>
  /** Returns the size of a file in bytes, 0 for a missing or unreadable object. */
  readonly sizeOf: (file: TreeDiff.TreeFile) => Promise<number>
  readonly isThere: () => Promise<boolean>
}

/** Reads documents, one at a time. */
export class DocumentReader {
  readonly #collector = new Terms.Collector()

  /** Reads documents and reports progress. Skips missing and unreadable objects. */
  async *read(
    files: ReadonlyArray<TreeDiff.TreeFile>,
    { isThere, onDocument, onProgress, read, signal, sizeOf }: Reading
  ): AsyncGenerator<Document> {
    const begun = performance.now()
    let reported = Number.NEGATIVE_INFINITY
    let bytes = 0
    let done = 0
    let isAllRead = true
    const report = () => {
      reported = performance.now()
      const remaining = ((reported - begun) / done) * (files.length - done)
      onProgress({ files: done, of: files.length, bytes, remaining: Math.round(remaining) })
    }
    for await (const [file, blob] of readAhead(withSizes(files, sizeOf), read)) {
      signal.throwIfAborted()
      if (blob === undefined) isAllRead = false
      else {
        bytes += blob.size
        yield this.#document(file, blob)
      }
      done++
      onDocument()
      if (performance.now() - reported > REPORT_MILLIS) report()
    }
    if (files.length > 0) report()
    signal.throwIfAborted()
    // A moved repository lacks all objects. Then the files must not count as unreadable.
    if (!isAllRead && !(await isThere())) throw new Error("the repository was removed or moved while it was read")
  }

  #document({ oid, path }: TreeDiff.TreeFile, { bytes, size }: Blob): Document {
    const skip = (reason: DocumentText.Reason) => ({ path, oid, size, reason, outline: "", blocks: [], contents: nothing })
    if (bytes === undefined) return skip("size")
    const read = DocumentText.read(bytes)
    if (read._tag === "LeftOut") return skip(read.reason)
    const symbols = symbolsOf(path, read.text)
    const others = [...SymbolTerms.of(symbols), ...importsOf(path, read.text).map(Terms.ofImport)]
    const texts = DocumentBlocks.split(read.text, DocumentBlocks.count(size))
    const blocks = this.#termsOf(texts, others)
    const hasTooMany = lengthOf(blocks) > MAX_TERMS || blocks.some(({ length }) => length > MAX_BLOCK_TERMS)
    if (hasTooMany) return skip("size")
    const contents = Contents.compress(texts)
    return { path, oid, size, reason: null, outline: OutlineCodec.encode(symbols), blocks, contents }
  }

  /** Returns the terms of each block. `others`, the terms of names and imports, belong to the first block. */
  #termsOf(texts: ReadonlyArray<string>, others: ReadonlyArray<number>): ReadonlyArray<Uint32Array> {
    const [only = ""] = texts
    if (texts.length === 1) return [this.#collector.collect(only, others)]
    return texts.map((text, at) => this.#collector.collect(text, at === 0 ? others : []).slice())
  }
}

const nothing: Contents.Contents = { layout: null, chunks: [] }

/** Returns the number of terms of all blocks. */
export const lengthOf = (blocks: ReadonlyArray<Uint32Array>): number =>
  blocks.reduce((sum, { length }) => sum + length, 0)

/** Adds the sizes to files. Requests each window of sizes during the use of the window before. */
async function* withSizes(
  files: ReadonlyArray<TreeDiff.TreeFile>,
  sizeOf: Reading["sizeOf"]
): AsyncGenerator<TreeDiff.TreeFile & { readonly size: number }> {
  const request = (at: number) => {
    const sizes = Promise.all(files.slice(at, at + WINDOW).map(sizeOf))
    // Prevents an unhandled rejection: a cancelled update never awaits the sizes of the next window.
    sizes.catch(() => {})
    return sizes
  }
  let ahead = request(0)
  for (let at = 0; at < files.length; at += WINDOW) {
    const sizes = await ahead
    ahead = request(at + WINDOW)
    for (const [index, file] of files.slice(at, at + WINDOW).entries()) yield { ...file, size: sizes[index] ?? 0 }
  }
}
