import type { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import type { IndexProgress } from "../CodeIndex.ts"
import type { Document } from "../IndexedDocument.ts"
import * as GrammarSymbols from "../symbols/GrammarSymbols.ts"
import * as DocumentText from "../text/DocumentText.ts"
import { BlobReader, UnreadableObject } from "../BlobReader.ts"
import * as Contents from "./Contents.ts"
import { blocksOf } from "./DocumentAnalyzer.ts"
import { DocumentReader } from "./DocumentReader.ts"
import * as TreeDiff from "./TreeDiff.ts"
import { RepositoryTable } from "./RepositoryTable.ts"
import { forgetRepository, isOverdue, maintain, writeTerms } from "./Maintenance.ts"
import { SegmentBuilder } from "./SegmentBuilder.ts"
import { type RefineOptions, SymbolRefiner } from "./SymbolRefiner.ts"
import { WriterLease } from "./WriterLease.ts"

/** Maximum number of new documents to write in one transaction, as fresh documents instead of segments. */
const SMALL = 1_000

/**
 * Times after which git counts as stuck. Long, because the answers of git wait while this thread writes a segment, which
 * takes many seconds on a busy machine.
 */
const patience = { hungMillis: 60_000, requestMillis: 300_000 }

/** An update of the index to a commit of a repository. */
export interface IndexOptions {
  readonly gitDir: string
  readonly commit: string
  /** Other commits whose contents remain in the index. */
  readonly pinned: ReadonlyArray<string>
  readonly onProgress: (progress: IndexProgress) => void
  readonly signal: AbortSignal
}

/** A document without the terms, with the compressed text. */
interface Row extends Omit<Document, "terms" | "ends" | "chunks"> {
  readonly contents: ReadonlyArray<Uint8Array>
}

/** Ways to write the documents of an update. */
interface Writing extends Pick<IndexOptions, "signal"> {
  readonly insert: (id: number, document: Row) => void
  /** Writes the assignment of files to documents. */
  readonly finish: () => void
}

/** Updates the index to commits of repositories. Runs in a worker, because updates block the thread. */
export class IndexWriter {
  readonly #database: DatabaseSync
  readonly #documents = new DocumentReader()
  readonly #repositories: RepositoryTable
  readonly #lease: WriterLease
  readonly #refiner: SymbolRefiner
  /** The latest work on the index, and the number of waiting updates. */
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#repositories = new RepositoryTable(database)
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
   * Replaces symbols of patterns by symbols of grammars for some milliseconds, but stops as soon as an update waits.
   * Returns the number of remaining documents.
   */
  refine(options: Omit<RefineOptions, "isWanted">): Promise<number> {
    return this.#alone(() => this.#refiner.run({ ...options, isWanted: () => this.#waiting > 0 }))
  }

  /**
   * Moves the blocks of updates into segments, and merges small segments, if there are many. Leaves it to a waiting
   * update or to another process that writes.
   */
  maintain(): Promise<void> {
    return this.#alone(async () => {
      if (this.#waiting > 0 || !this.#lease.acquire()) return
      try {
        maintain(this.#database, this.#lease)
      } finally {
        this.#lease.release()
      }
    })
  }

  /** Removes a repository from the index. Waits for the write lease. Rejects if the signal aborts. */
  forget({ gitDir, signal }: Pick<IndexOptions, "gitDir" | "signal">): Promise<void> {
    return this.#alone(async () => {
      await this.#acquire(signal)
      try {
        forgetRepository(this.#database, this.#lease, gitDir)
      } finally {
        this.#lease.release()
      }
    })
  }

  /** Runs work after the preceding work, because both would hold the same lease. */
  #alone<A>(work: () => Promise<A>): Promise<A> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    while (!this.#lease.acquire()) {
      signal.throwIfAborted()
      await sleep(50)
    }
  }

  async #apply({ commit, gitDir, pinned, signal, onProgress }: IndexOptions): Promise<void> {
    await this.#acquire(signal)
    const blobs = new BlobReader(patience)
    try {
      const repository = this.#repositories.get(gitDir)
      if (repository.commit === commit && repository.pinned === pinned.join(" ")) return
      const difference = this.#repositories.withUnread(
        repository.id,
        await TreeDiff.diffTrees(gitDir, repository.commit, commit, signal)
      )
      const absent = await TreeDiff.missingObjects(gitDir, commit, signal)
      const kept = await filesOfCommits(gitDir, commit, pinned, signal)
      const missing = this.#repositories.missing([...difference.set, ...kept]).filter(({ oid }) => !absent.has(oid))
      const ifReadable = <A>(reading: Promise<A>): Promise<A | undefined> =>
        reading.catch((error: unknown) => {
          if (error instanceof UnreadableObject) return undefined
          throw error
        })
      const read = ({ oid }: TreeDiff.TreeFile) => ifReadable(blobs.read(gitDir, oid, DocumentText.MAX_BYTES))
      const sizeOf = async ({ oid }: TreeDiff.TreeFile) => (await ifReadable(blobs.size(gitDir, oid))) ?? 0
      const isThere = () => TreeDiff.has(gitDir, commit, signal)
      const documents = this.#documents.read(missing, {
        read,
        sizeOf,
        isThere,
        onProgress,
        onDocument: () => this.#lease.renew(),
        signal
      })
      const finish = () => {
        this.#repositories.setFiles(repository.id, commit, difference)
        this.#repositories.setPins(repository.id, pinned, kept)
      }
      const insert = this.#inserting(repository.id)
      await (missing.length > SMALL
        ? this.#inSegments(documents, { insert, finish, signal })
        : this.#atOnce(documents, { insert, finish }))
      if (isOverdue(this.#database)) maintain(this.#database, this.#lease)
    } finally {
      this.#lease.release()
      await blobs.close()
    }
  }

  async #atOnce(
    documents: AsyncGenerator<Document>,
    { finish, insert: insertRow }: Pick<Writing, "insert" | "finish">
  ): Promise<void> {
    const compressor = new Contents.Compressor()
    const all: Array<readonly [Row, ReadonlyArray<Uint8Array>]> = []
    for await (const { chunks, ends, terms, ...row } of documents) {
      const blocks = blocksOf({ ends, terms }).map((block) => writeTerms(block.sort()))
      all.push([{ ...row, contents: chunks.map((chunk) => compressor.compress(chunk)) }, blocks])
    }
    this.#lease.transaction(() => {
      const insert = this.#database.prepare("INSERT INTO fresh (block, terms) VALUES (?, ?)")
      let next = this.#nextDocument()
      for (const [row, blocks] of all) {
        insertRow(next, row)
        for (const [at, terms] of blocks.entries()) insert.run(next + at, terms)
        next += Math.max(1, blocks.length)
      }
      this.#reserve(next)
      finish()
    })
  }

  /**
   * Writes each full segment in a separate transaction, and a cancelled change writes the documents read so far. The
   * next attempt does not read these documents again, so that several short commands can also index a large repository.
   */
  async #inSegments(documents: AsyncGenerator<Document>, { finish, insert, signal }: Writing): Promise<void> {
    const builder = new SegmentBuilder()
    const compressor = new Contents.Compressor()
    let rows: Array<readonly [number, Row]> = []
    let next = this.#nextDocument()
    const write = () => {
      this.#lease.transaction(() => {
        for (const [id, row] of rows) insert(id, row)
        this.#reserve(next)
        builder.write(this.#database)
      })
      rows = []
      compressor.clear()
    }
    try {
      for await (const { chunks, ends, terms, ...row } of documents) {
        // All blocks of a document are in one transaction, because a reader must never find only some blocks.
        if (!builder.hasRoom(terms.length, ends.length)) write()
        rows.push([next, { ...row, contents: chunks.map((chunk) => compressor.compress(chunk)) }])
        for (const [at, block] of blocksOf({ ends, terms }).entries()) builder.add(next + at, block)
        next += Math.max(1, ends.length)
      }
    } catch (error) {
      if (signal.aborted && rows.length > 0) write()
      throw error
    }
    write()
    this.#lease.transaction(finish)
  }

  /** Inserts new documents of a repository. A grammar refines the symbols later. */
  #inserting(repository: number): Writing["insert"] {
    const insert = this.#database.prepare(
      "INSERT INTO documents (id, oid, size, reason, layout, outline) VALUES (?, ?, ?, ?, ?, ?)"
    )
    const insertContents = Contents.insert(this.#database)
    const defer = this.#database.prepare("INSERT INTO imprecise (repository, document, path) VALUES (?, ?, ?)")
    return (id, { contents, layout, oid, outline, path, reason, size }) => {
      insert.run(id, oid, size, reason, layout, outline)
      insertContents(id, contents)
      if (reason === null && GrammarSymbols.isPossible(path, size)) defer.run(repository, id, path)
    }
  }

  /** Reserves the numbers below `next`, also the other blocks of the last document, and records their time. */
  #reserve(next: number): void {
    this.#database.prepare("INSERT OR IGNORE INTO additions (last, at) VALUES (?, ?)").run(next - 1, Date.now())
    this.#database.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'documents'").run(next - 1)
  }

  #nextDocument(): number {
    const row = this.#database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'documents'").get()
    return Number(row?.seq ?? 0) + 1
  }
}

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
