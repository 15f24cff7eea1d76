import type { DatabaseSync, StatementSync } from "node:sqlite"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import { LruCache } from "../../base/LruCache.ts"
import type { CandidateBatch, Candidate, IndexedRepository, CandidateOrder, IndexState } from "../CodeIndex.ts"
import * as QueryNames from "../QueryNames.ts"
import * as PathMatcher from "../PathMatcher.ts"
import * as Ranking from "../Ranking.ts"
import * as DocumentText from "../text/DocumentText.ts"
import * as LeafPrefilter from "../text/LeafPrefilter.ts"
import type { BitSet } from "./BitSet.ts"
import { FileTable } from "./FileTable.ts"
import { PostingLookup } from "./PostingLookup.ts"
import * as OutlineCodec from "./OutlineCodec.ts"

/** Maximum number of files in all cached file tables together. */
const maxFiles = 2_000_000

/** Number of candidates in the first and the largest batch. The first is small so that results appear early. */
const firstBatch = 64
const maxBatch = 512

/** A file that may match a query, with an estimate of its rank. */
interface Found {
  readonly repository: IndexedRepository
  readonly table: FileTable
  readonly file: number
  readonly promise: number
}

/** Reads candidates and states from the index. It is synchronous, so it runs in a worker thread. */
export class IndexReader {
  readonly #database: DatabaseSync
  readonly #lookup: PostingLookup
  readonly #tables = new LruCache<FileTable>(maxFiles)
  readonly #dataVersion: StatementSync
  readonly #document: StatementSync
  #seen: unknown

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#lookup = new PostingLookup(database)
    this.#dataVersion = database.prepare("PRAGMA data_version")
    this.#document = database.prepare("SELECT oid, outline FROM documents WHERE id = ?")
  }

  /** Yields the candidates of a query in batches. Reads the index when the first batch is requested. */
  *candidates(
    query: CodeQuery,
    scope: ReadonlyArray<IndexedRepository>,
    order: CandidateOrder
  ): Generator<CandidateBatch> {
    const found = this.#find(query, scope, order)
    const definitions = QueryNames.definitions(query)
    let size = firstBatch
    for (let at = 0; at < found.length;) {
      const candidates = found.slice(at, at + size).flatMap((one) => this.#candidate(one, definitions))
      at += size
      size = Math.min(size * 2, maxBatch)
      yield { candidates, left: Math.max(0, found.length - at) }
    }
  }

  /** Returns the index state of each repository, in the order of the repositories. */
  states(repositories: ReadonlyArray<IndexedRepository>): ReadonlyArray<IndexState> {
    const statement = this.#database.prepare(
      "SELECT commit_id, files, size, left_out, unreadable FROM repositories WHERE git_dir = ?"
    )
    return repositories.map(({ gitDir }) => {
      const row = statement.get(gitDir)
      return {
        commit: typeof row?.commit_id === "string" ? row.commit_id : null,
        files: Number(row?.files ?? 0),
        size: Number(row?.size ?? 0),
        leftOut: Number(row?.left_out ?? 0),
        unreadable: Number(row?.unreadable ?? 0)
      }
    })
  }

  /** Returns up to `limit` files of a repository that are not searchable, with the reason, ordered by path. */
  leftOut({ gitDir }: IndexedRepository, limit: number) {
    return this.#database
      .prepare(
        `WITH here AS (SELECT id FROM repositories WHERE git_dir = ?)
        SELECT path, files.size, reason FROM files JOIN documents ON documents.id = document
        WHERE repository IN here AND reason IS NOT NULL
        UNION ALL SELECT path, NULL, 'unreadable' FROM unreadable WHERE repository IN here
        ORDER BY path LIMIT ?`
      )
      .all(gitDir, limit)
      .map(({ path, reason, size }) => ({
        path: String(path),
        size: size === null ? null : Number(size),
        reason: DocumentText.toReason(reason)
      }))
  }

  /** Finds all candidates, in order, within one read transaction, because another thread can write at the same time. */
  #find(query: CodeQuery, scope: ReadonlyArray<IndexedRepository>, order: CandidateOrder): ReadonlyArray<Found> {
    this.#database.exec("BEGIN")
    try {
      return this.#findNow(query, scope, order)
    } finally {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK")
    }
  }

  #findNow(query: CodeQuery, scope: ReadonlyArray<IndexedRepository>, order: CandidateOrder): ReadonlyArray<Found> {
    this.#refresh()
    const verdict = PathMatcher.make(query, (leaf) => {
      const bits = this.#lookup.find(LeafPrefilter.make(leaf))
      return (document: number) => bits?.has(document) !== false
    })
    const names = QueryNames.names(query).map(Ranking.plainName)
    const defining = QueryNames.names(query).flatMap((name) => this.#lookup.find({ _tag: "Name", name }) ?? [])
    const found: Array<Found> = []
    for (const repository of scope) {
      const table = this.#table(repository)
      if (table === undefined) continue
      const { documents, paths, sizes } = table
      const { fullName } = repository
      for (let file = 0; file < paths.length; file++) {
        const document = documents[file] ?? 0
        if (verdict({ fullName, path: paths[file] ?? "", size: sizes[file] ?? 0 }, document) === "no") continue
        found.push({ repository, table, file, promise: promise(table, file, names, defining) })
      }
    }
    return found.sort(
      order === "best"
        ? (a, b) => b.promise - a.promise || a.file - b.file
        : (a, b) => (order === "newest" ? age(b) - age(a) : age(a) - age(b)) || a.file - b.file
    )
  }

  #candidate({ file, repository, table }: Found, definitions: RegExp | undefined): ReadonlyArray<Candidate> {
    const row = this.#document.get(table.documents[file] ?? 0)
    // The document can be deleted after the transaction of the search.
    if (row === undefined) return []
    return [
      {
        gitDir: repository.gitDir,
        path: table.paths[file] ?? "",
        oid: String(row.oid),
        size: table.sizes[file] ?? 0,
        definitions: definitions === undefined ? [] : OutlineCodec.find(String(row.outline), definitions)
      }
    ]
  }

  #refresh(): void {
    const now = this.#dataVersion.get()?.data_version
    if (this.#seen === now) return
    this.#lookup.refresh()
    this.#seen = now
  }

  /** Returns the files of a repository, or undefined if it is not indexed. */
  #table({ gitDir }: IndexedRepository): FileTable | undefined {
    const row = this.#database.prepare("SELECT id, commit_id FROM repositories WHERE git_dir = ?").get(gitDir)
    if (typeof row?.commit_id !== "string") return undefined
    const key = `${row.commit_id} ${gitDir}`
    const known = this.#tables.get(key)
    if (known !== undefined) return known
    const table = new FileTable(this.#database, Number(row.id))
    this.#tables.set(key, table, table.paths.length + 1)
    return table
  }
}

/** Returns the document number of a file, by which files are ordered by age: later documents have higher numbers. */
const age = ({ file, table }: Found): number => table.documents[file] ?? 0

/** Estimates the rank of a file from its path and definitions, without its content. */
const promise = (
  table: FileTable,
  file: number,
  names: ReadonlyArray<string>,
  defining: ReadonlyArray<BitSet>
): number => {
  const called = table.names[file] ?? ""
  const document = table.documents[file] ?? 0
  let best = 0
  for (const name of names) best = Math.max(best, Ranking.ofFileName(Ranking.closeness(called, name)))
  const defines = defining.some((bits) => bits.has(document))
  return table.worth(file) + best + (defines ? Ranking.weights.definition : 0)
}
