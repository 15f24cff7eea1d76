/** Reads the files of an update as documents of the index. */
import type { Blob } from "../BlobReader.ts"
import type { IndexProgress } from "../CodeIndex.ts"
import type { Document, ReadFile } from "../IndexedDocument.ts"
import { readAhead } from "../ReadAhead.ts"
import { AnalyzerThread } from "./AnalyzerThread.ts"
import { DocumentAnalyzer } from "./DocumentAnalyzer.ts"
import * as SharedBuffers from "./SharedBuffers.ts"
import type * as TreeDiff from "./TreeDiff.ts"

/** Number of files whose sizes are requested from git at a time. */
const WINDOW = 1_024

/** Milliseconds between reports of the progress. */
const REPORT_MILLIS = 250

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

/** Number of files from which a thread analyzes the contents, so that a large update uses two processors. */
const LARGE = 1_000

/** Bytes and number of the files that are analyzed together, and number of such batches that are analyzed ahead. */
const BATCH_BYTES = 512 * 1024
const BATCH_FILES = 64
const MAX_AHEAD = SharedBuffers.COUNT - 2

/** Reads the files of updates as documents. */
export class DocumentReader {
  readonly #analyzer = new DocumentAnalyzer()

  /** Reads documents and reports progress. Skips missing and unreadable objects. */
  async *read(files: ReadonlyArray<TreeDiff.TreeFile>, reading: Reading): AsyncGenerator<Document> {
    if (files.length < LARGE) return yield* this.#read(files, reading, async (batch) => this.#analyzer.analyze(batch))
    const thread = new AnalyzerThread()
    try {
      yield* this.#read(files, reading, (batch) => thread.analyze(batch))
    } finally {
      await thread.end()
    }
  }

  async *#read(
    files: ReadonlyArray<TreeDiff.TreeFile>,
    { isThere, onDocument, onProgress, read, signal, sizeOf }: Reading,
    analyze: (batch: ReadonlyArray<ReadFile>) => Promise<ReadonlyArray<Document>>
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
    const ahead: Array<Promise<ReadonlyArray<Document>>> = []
    let batch: Array<ReadFile> = []
    let batchBytes = 0
    const send = () => {
      const documents = analyze(batch)
      // Prevents an unhandled rejection: a cancelled update never awaits the last batches.
      documents.catch(() => {})
      ahead.push(documents)
      batch = []
      batchBytes = 0
    }
    for await (const [file, blob] of readAhead(withSizes(files, sizeOf), read)) {
      // What was read so far is still returned.
      if (signal.aborted) break
      if (blob === undefined) isAllRead = false
      else {
        bytes += blob.size
        batchBytes += blob.size
        batch.push({ path: file.path, oid: file.oid, size: blob.size, bytes: blob.bytes })
      }
      done++
      onDocument()
      if (performance.now() - reported > REPORT_MILLIS) report()
      if (batchBytes >= BATCH_BYTES || batch.length >= BATCH_FILES) send()
      if (ahead.length > MAX_AHEAD) yield* (await ahead.shift()) ?? []
    }
    send()
    for (const documents of ahead) yield* await documents
    if (files.length > 0) report()
    signal.throwIfAborted()
    // A moved repository lacks all objects. Then the files must not count as unreadable.
    if (!isAllRead && !(await isThere())) throw new Error("the repository was removed or moved while it was read")
  }
}

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
