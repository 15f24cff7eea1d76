import type { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import type { IndexProgress } from "../CodeIndex.ts"
import * as GrammarSymbols from "../symbols/GrammarSymbols.ts"
import { importsOf } from "../symbols/Imports.ts"
import { symbolsOf } from "../symbols/Symbols.ts"
import * as DocumentText from "../text/DocumentText.ts"
import * as Terms from "../text/Terms.ts"
import { type Blob, BlobReader, UnreadableObject } from "../BlobReader.ts"
import { readAhead } from "../ReadAhead.ts"
import * as DocumentParts from "./DocumentParts.ts"
import * as TreeDiff from "./TreeDiff.ts"
import { maintain, writeTerms } from "./Maintenance.ts"
import * as OutlineCodec from "./OutlineCodec.ts"
import { SegmentBuilder } from "./SegmentBuilder.ts"
import { type RefineOptions, SymbolRefiner } from "./SymbolRefiner.ts"
import * as SymbolTerms from "./SymbolTerms.ts"
import { WriterLease } from "./WriterLease.ts"

/** Number of files whose sizes are requested from git at a time. */
const window = 1_024

/**
 * Maximum number of terms of a document, counted per part. Text, also generated text, has fewer; encoded data can have
 * more.
 */
const maxTerms = 3_000_000

/** Milliseconds between reports of the progress. */
const reportMillis = 250

/** Maximum number of new documents that are written in one transaction, as fresh documents instead of segments. */
const small = 1_000

/** An update of the index to a commit of a repository. */
export interface IndexOptions {
  readonly gitDir: string
  readonly commit: string
  /** Other commits whose contents remain in the index. */
  readonly pinned: ReadonlyArray<string>
  readonly onProgress: (progress: IndexProgress) => void
  readonly signal: AbortSignal
}

interface Document {
  readonly path: string
  readonly oid: string
  readonly size: number
  readonly reason: DocumentText.Reason | null
  readonly outline: string
  /** Terms of each part. An only part is a shared array that is valid until the next document is read. */
  readonly parts: ReadonlyArray<Uint32Array>
}

interface Reading extends Pick<IndexOptions, "signal" | "onProgress"> {
  /** Reads a file. Returns undefined for an object that is missing or unreadable. */
  readonly read: (file: TreeDiff.TreeFile) => Promise<Blob | undefined>
  /** Returns the size of a file in bytes, 0 for an object that is missing or unreadable. */
  readonly sizeOf: (file: TreeDiff.TreeFile) => Promise<number>
  readonly isThere: () => Promise<boolean>
}

/** Ways to write the documents of an update. */
interface Writing extends Pick<IndexOptions, "signal"> {
  readonly insert: (id: number, document: Omit<Document, "parts">) => void
  /** Writes which files have the documents. */
  readonly finish: () => void
}

/** Updates the index to commits of repositories. It blocks its thread, so it runs in a worker. */
export class IndexWriter {
  readonly #database: DatabaseSync
  readonly #collector = new Terms.Collector()
  readonly #lease: WriterLease
  readonly #refiner: SymbolRefiner
  /** Work that has the index, and the number of waiting updates. */
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#lease = new WriterLease(database)
    this.#refiner = new SymbolRefiner(database, this.#lease)
  }

  /**
   * Updates a repository to a commit, completely or not at all. Waits for the write lease. Rejects if git cannot list or
   * read the repository, the lease is lost, or the signal aborts.
   */
  async apply(options: IndexOptions): Promise<void> {
    this.#waiting++
    await this.#alone(() => {
      this.#waiting--
      return this.#apply(options)
    })
  }

  /**
   * Replaces symbols of patterns by those of grammars for some milliseconds, but stops as soon as an update waits. Returns
   * the number of documents that are left.
   */
  refine(options: Omit<RefineOptions, "isWanted">): Promise<number> {
    return this.#alone(() => this.#refiner.run({ ...options, isWanted: () => this.#waiting > 0 }))
  }

  /** Runs work after the one before it, because both would hold the same lease. */
  #alone<A>(work: () => Promise<A>): Promise<A> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #apply({ commit, gitDir, pinned, signal, onProgress }: IndexOptions): Promise<void> {
    while (!this.#lease.acquire()) {
      signal.throwIfAborted()
      await sleep(50)
    }
    const blobs = new BlobReader()
    try {
      const repository = this.#repository(gitDir)
      if (repository.commit === commit && repository.pinned === pinned.join(" ")) return
      const difference = this.#withUnread(
        repository.id,
        await TreeDiff.diffTrees(gitDir, repository.commit, commit, signal)
      )
      const absent = await TreeDiff.missingObjects(gitDir, commit, signal)
      const kept = await filesOfCommits(gitDir, commit, pinned, signal)
      const missing = this.#missing([...difference.set, ...kept]).filter(({ oid }) => !absent.has(oid))
      const ifReadable = <A>(reading: Promise<A>): Promise<A | undefined> =>
        reading.catch((error: unknown) => {
          if (error instanceof UnreadableObject) return undefined
          throw error
        })
      const read = ({ oid }: TreeDiff.TreeFile) => ifReadable(blobs.read(gitDir, oid, DocumentText.maxBytes))
      const sizeOf = async ({ oid }: TreeDiff.TreeFile) => (await ifReadable(blobs.size(gitDir, oid))) ?? 0
      const isThere = () => TreeDiff.has(gitDir, commit, signal)
      const documents = this.#read(missing, { read, sizeOf, isThere, onProgress, signal })
      const finish = () => {
        this.#setFiles(repository.id, commit, difference)
        this.#setPins(repository.id, pinned, kept)
      }
      const insert = this.#inserting(repository.id)
      await (missing.length > small
        ? this.#inSegments(documents, { insert, finish, signal })
        : this.#atOnce(documents, { insert, finish }))
      maintain(this.#database, this.#lease)
    } finally {
      this.#lease.release()
      await blobs.close()
    }
  }

  #repository(gitDir: string): { readonly id: number; readonly commit: string | null; readonly pinned: string } {
    this.#database.prepare("INSERT OR IGNORE INTO repositories (git_dir) VALUES (?)").run(gitDir)
    const row = this.#database.prepare("SELECT id, commit_id, pinned FROM repositories WHERE git_dir = ?").get(gitDir)
    return {
      id: Number(row?.id),
      commit: row?.commit_id === null ? null : String(row?.commit_id),
      pinned: String(row?.pinned)
    }
  }

  /** Returns the files whose content the index lacks, one file for each distinct content. */
  #missing(files: ReadonlyArray<TreeDiff.TreeFile>): ReadonlyArray<TreeDiff.TreeFile> {
    const known = this.#database.prepare("SELECT 1 FROM documents WHERE oid = ?")
    const missing = new Map<string, TreeDiff.TreeFile>()
    for (const file of files) {
      if (!missing.has(file.oid) && known.get(file.oid) === undefined) missing.set(file.oid, file)
    }
    return [...missing.values()]
  }

  /** Adds the files that were unreadable in earlier commits. */
  #withUnread(repository: number, { isWhole, removed, set }: TreeDiff.TreeDifference): TreeDiff.TreeDifference {
    if (isWhole) return { isWhole, removed, set }
    const rows = this.#database.prepare("SELECT path, oid FROM unreadable WHERE repository = ?").all(repository)
    const changed = rows.length === 0 ? new Set() : new Set([...removed, ...set.map(({ path }) => path)])
    const again = rows.map(({ oid, path }) => ({ path: String(path), oid: String(oid) }))
    return { isWhole, removed, set: [...set, ...again.filter(({ path }) => !changed.has(path))] }
  }

  /** Reads documents and reports progress. Skips objects that are missing or unreadable. */
  async *#read(
    files: ReadonlyArray<TreeDiff.TreeFile>,
    { isThere, onProgress, read, signal, sizeOf }: Reading
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
      this.#lease.renew()
      if (performance.now() - reported > reportMillis) report()
    }
    if (files.length > 0) report()
    signal.throwIfAborted()
    // If the repository was moved, all its objects are missing. Its files must not count as unreadable then.
    if (!isAllRead && !(await isThere())) throw new Error("the repository was removed or moved while it was read")
  }

  #document({ oid, path }: TreeDiff.TreeFile, { bytes, size }: Blob): Document {
    const skip = (reason: DocumentText.Reason) => ({ path, oid, size, reason, outline: "", parts: [] })
    if (bytes === undefined) return skip("size")
    const read = DocumentText.read(bytes)
    if (read._tag === "LeftOut") return skip(read.reason)
    const symbols = symbolsOf(path, read.text)
    const others = [...SymbolTerms.of(symbols), ...importsOf(path, read.text).map(Terms.ofImport)]
    const parts = this.#parts(read.text, size, others)
    return lengthOf(parts) > maxTerms
      ? skip("size")
      : { path, oid, size, reason: null, outline: OutlineCodec.encode(symbols), parts }
  }

  /** Returns the terms of each part of a document. The other ones, of its names and imports, belong to the first part. */
  #parts(text: string, size: number, others: ReadonlyArray<number>): ReadonlyArray<Uint32Array> {
    const count = DocumentParts.count(size)
    if (count === 1) return [this.#collector.collect(text, others)]
    return DocumentParts.split(text, count).map((part, at) =>
      this.#collector.collect(part, at === 0 ? others : []).slice()
    )
  }

  async #atOnce(
    documents: AsyncGenerator<Document>,
    { finish, insert: insertRow }: Pick<Writing, "insert" | "finish">
  ): Promise<void> {
    const all: Array<Document> = []
    for await (const document of documents) {
      all.push({ ...document, parts: document.parts.map((terms) => terms.slice().sort()) })
    }
    this.#lease.transaction(() => {
      const insert = this.#database.prepare("INSERT INTO fresh (document, terms) VALUES (?, ?)")
      let next = this.#nextDocument()
      for (const document of all) {
        insertRow(next, document)
        for (const [at, terms] of document.parts.entries()) insert.run(next + at, writeTerms(terms))
        next += Math.max(1, document.parts.length)
      }
      this.#reserve(next)
      finish()
    })
  }

  /**
   * Writes each full segment in its own transaction, and a cancelled change writes what it has read. The next attempt
   * does not read it again, so that a large repository is indexed by several short commands, too.
   */
  async #inSegments(documents: AsyncGenerator<Document>, { finish, insert, signal }: Writing): Promise<void> {
    const builder = new SegmentBuilder()
    let rows: Array<readonly [number, Omit<Document, "parts">]> = []
    let next = this.#nextDocument()
    const write = () => {
      this.#lease.transaction(() => {
        for (const [id, row] of rows) insert(id, row)
        this.#reserve(next)
        builder.write(this.#database)
      })
      rows = []
    }
    try {
      for await (const { parts, ...row } of documents) {
        // All parts of a document are in one transaction, because a reader must not find some of them.
        if (!builder.hasRoom(lengthOf(parts), parts.length)) write()
        rows.push([next, row])
        for (const [at, terms] of parts.entries()) builder.add(next + at, terms)
        next += Math.max(1, parts.length)
      }
    } catch (error) {
      if (signal.aborted && rows.length > 0) write()
      throw error
    }
    write()
    this.#lease.transaction(finish)
  }

  /** Inserts documents that a repository brought. A grammar refines their symbols later. */
  #inserting(repository: number): Writing["insert"] {
    const insert = this.#database.prepare(
      "INSERT INTO documents (id, oid, size, reason, outline) VALUES (?, ?, ?, ?, ?)"
    )
    const defer = this.#database.prepare("INSERT INTO imprecise (repository, document, path) VALUES (?, ?, ?)")
    return (id, { oid, outline, path, reason, size }) => {
      insert.run(id, oid, size, reason, outline)
      if (reason === null && GrammarSymbols.isPossible(path, size)) defer.run(repository, id, path)
    }
  }

  /** Reserves the numbers below `next`, also those of the last document's parts. */
  #reserve(next: number): void {
    this.#database.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'documents'").run(next - 1)
  }

  #nextDocument(): number {
    const row = this.#database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'documents'").get()
    return Number(row?.seq ?? 0) + 1
  }

  #setPins(repository: number, pinned: ReadonlyArray<string>, files: ReadonlyArray<TreeDiff.TreeFile>): void {
    const database = this.#database
    database.prepare("DELETE FROM pins WHERE repository = ?").run(repository)
    const add = database.prepare("INSERT OR IGNORE INTO pins SELECT ?, id FROM documents WHERE oid = ?")
    for (const { oid } of files) add.run(repository, oid)
    database.prepare("UPDATE repositories SET pinned = ? WHERE id = ?").run(pinned.join(" "), repository)
  }

  #setFiles(repository: number, commit: string, { isWhole, removed, set }: TreeDiff.TreeDifference): void {
    const database = this.#database
    const tables = ["files", "unreadable"]
    if (isWhole)
      for (const table of tables) database.prepare(`DELETE FROM ${table} WHERE repository = ?`).run(repository)
    const removals = tables.map((table) => database.prepare(`DELETE FROM ${table} WHERE repository = ? AND path = ?`))
    const remove = (path: string) => {
      for (const removal of removals) removal.run(repository, path)
    }
    for (const path of removed) remove(path)
    if (!isWhole) for (const { path } of set) remove(path)
    const add = database.prepare(
      "INSERT OR REPLACE INTO files (repository, path, document, size) SELECT ?, ?, id, size FROM documents WHERE oid = ?"
    )
    const leave = database.prepare("INSERT OR REPLACE INTO unreadable (repository, path, oid) VALUES (?, ?, ?)")
    for (const { oid, path } of set) {
      if (add.run(repository, path, oid).changes === 0) leave.run(repository, path, oid)
    }
    database
      .prepare(
        `UPDATE repositories SET commit_id = ?,
          (files, size) = (SELECT count(*), coalesce(sum(size), 0) FROM files WHERE repository = repositories.id),
          left_out = (SELECT count(*) FROM files WHERE repository = repositories.id
            AND document IN (SELECT id FROM documents WHERE reason IS NOT NULL)),
          unreadable = (SELECT count(*) FROM unreadable WHERE repository = repositories.id)
        WHERE id = ?`
      )
      .run(commit, repository)
    database
      .prepare("UPDATE repositories SET files = files + unreadable, left_out = left_out + unreadable WHERE id = ?")
      .run(repository)
  }
}

const lengthOf = (parts: ReadonlyArray<Uint32Array>): number => parts.reduce((sum, { length }) => sum + length, 0)

/** Returns the files of commits that differ from a base commit. Leaves out commits that git cannot read. */
const filesOfCommits = async (
  gitDir: string,
  base: string,
  commits: ReadonlyArray<string>,
  signal: AbortSignal
): Promise<ReadonlyArray<TreeDiff.TreeFile>> => {
  const all: Array<TreeDiff.TreeFile> = []
  for (const commit of commits) {
    const difference = await TreeDiff.diffTrees(gitDir, base, commit, signal).catch(() => undefined)
    signal.throwIfAborted()
    for (const file of difference?.set ?? []) all.push(file)
  }
  return all
}

/** Adds the sizes to files. Requests each window of sizes during the use of the window before. */
async function* withSizes(
  files: ReadonlyArray<TreeDiff.TreeFile>,
  sizeOf: Reading["sizeOf"]
): AsyncGenerator<TreeDiff.TreeFile & { readonly size: number }> {
  const request = (at: number) => {
    const sizes = Promise.all(files.slice(at, at + window).map(sizeOf))
    // Prevents an unhandled rejection: a cancelled update never awaits the sizes of the next window.
    sizes.catch(() => {})
    return sizes
  }
  let ahead = request(0)
  for (let at = 0; at < files.length; at += window) {
    const sizes = await ahead
    ahead = request(at + window)
    for (const [index, file] of files.slice(at, at + window).entries()) yield { ...file, size: sizes[index] ?? 0 }
  }
}
