import type { DatabaseSync, StatementSync } from "node:sqlite"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import { LruCache } from "../../base/LruCache.ts"
import type { CandidateBatch, Candidate, CandidateOrder, IndexedRepository, SearchTarget } from "../CodeIndex.ts"
import * as FileKind from "../FileKind.ts"
import * as QueryNames from "../QueryNames.ts"
import * as PathMatcher from "../PathMatcher.ts"
import * as Ranking from "../Ranking.ts"
import { keysOf } from "../symbols/Imports.ts"
import * as DocumentText from "../text/DocumentText.ts"
import type { RepositoryState } from "../workers/WorkerMethods.ts"
import * as LeafPrefilter from "../text/LeafPrefilter.ts"
import * as Terms from "../text/Terms.ts"
import * as FileCandidates from "./FileCandidates.ts"
import type { FileCandidate, Judge, TargetState } from "./FileCandidates.ts"
import { FileTable } from "./FileTable.ts"
import { PostingLookup } from "./PostingLookup.ts"
import * as OutlineCodec from "./OutlineCodec.ts"
import * as TargetFiles from "./TargetFiles.ts"

/** Maximum number of files in all cached file tables together. */
const MAX_FILES = 2_000_000

/** Maximum number of attempts to read the files of all targets while the index does not change. */
const MAX_ATTEMPTS = 3

/** Number of first candidates to check for copies, and number of first candidates whose importing files to count. */
const MAX_COPIES = 512
const MAX_IMPORTERS = 192

/** Caches that the readers of all shards of a thread share, so that the bounds are those of the thread. */
export interface ReaderCaches extends TargetFiles.TargetFilesCaches {
  readonly tables: LruCache<FileTable>
}

export const makeCaches = (): ReaderCaches => ({ tables: new LruCache(MAX_FILES), ...TargetFiles.makeCaches() })

/** The candidates of a search in one shard, in order. Reads definitions from the shard only for the candidates read. */
export interface FoundCandidates {
  readonly count: number
  /** Returns the place of a candidate in the order of all shards: candidates with larger keys come first. */
  readonly key: (at: number) => number
  /** Returns a candidate. Undefined if the file is no longer in the index. */
  readonly read: (at: number) => Candidate | undefined
  readonly failed: NonNullable<CandidateBatch["failed"]>
}

let readers = 0

/** Reads candidates and states from a shard. Runs in a worker, because reads block the thread. */
export class IndexReader {
  readonly #database: DatabaseSync
  readonly #lookup: PostingLookup
  readonly #targets: TargetFiles.TargetFilesReader
  readonly #tables: LruCache<FileTable>
  /** Name of this reader in the shared caches, because document numbers differ between shards. */
  readonly name = String(++readers)
  readonly #dataVersion: StatementSync
  readonly #document: StatementSync
  readonly #addition: StatementSync
  readonly #repository: StatementSync
  #seen: unknown

  constructor(database: DatabaseSync, caches = makeCaches()) {
    this.#database = database
    this.#lookup = new PostingLookup(database)
    this.#targets = new TargetFiles.TargetFilesReader(database, caches, this.name)
    this.#tables = caches.tables
    this.#repository = database.prepare("SELECT id, commit_id FROM repositories WHERE git_dir = ?")
    this.#addition = database.prepare("SELECT at FROM additions WHERE last >= ? ORDER BY last LIMIT 1")
    this.#dataVersion = database.prepare("PRAGMA data_version")
    this.#document = database.prepare("SELECT oid, outline FROM documents WHERE id = ?")
  }

  /**
   * Finds the candidates of a query; reads the index again only for definitions. A target that git cannot read does not
   * fail the search of the remaining targets.
   */
  async candidates(
    query: CodeQuery,
    targets: ReadonlyArray<SearchTarget>,
    order: CandidateOrder,
    signal: AbortSignal
  ): Promise<FoundCandidates> {
    for (let attempt = 1; ; attempt++) {
      const version = this.version()
      const opened: Array<TargetState> = []
      for (const [index, target] of targets.entries()) {
        signal.throwIfAborted()
        opened.push(await this.#open(index, target, version, signal))
      }
      const found = this.#find(query, opened, order, attempt === MAX_ATTEMPTS ? undefined : version)
      if (found !== undefined) {
        const failed = opened.flatMap(({ detail, files, index }) =>
          files === undefined ? [{ target: index, detail }] : []
        )
        const wanted = { pattern: QueryNames.definitions(query), mustBePrecise: QueryNames.needsDefinitions(query) }
        return {
          count: found.length,
          key: (at) => this.#key(found[at], order),
          read: (at) => this.#candidate(found[at], wanted),
          failed
        }
      }
    }
  }

  async #open(index: number, target: SearchTarget, version: number, signal: AbortSignal): Promise<TargetState> {
    try {
      return { index, target, files: await this.#targets.read(target, version, signal), detail: "" }
    } catch (error) {
      signal.throwIfAborted()
      return { index, target, files: undefined, detail: error instanceof Error ? error.message : String(error) }
    }
  }

  #key(file: FileCandidate | undefined, order: CandidateOrder): number {
    if (file === undefined) return Number.NEGATIVE_INFINITY
    if (order === "best") return file.estimate
    const at = file.document === 0 ? Number.POSITIVE_INFINITY : Number(this.#addition.get(file.document)?.at ?? 0)
    return order === "newest" ? at : -at
  }

  /** Version of the index for this connection. Differs after each change by another connection. */
  version(): number {
    return Number(this.#dataVersion.get()?.data_version)
  }

  /** Returns the states of all repositories. */
  states(): ReadonlyArray<RepositoryState> {
    const imprecise = new Map(
      this.#database
        .prepare("SELECT repository, count(*) AS n FROM imprecise GROUP BY repository")
        .all()
        .map(({ n, repository }) => [repository, Number(n)])
    )
    return this.#database
      .prepare("SELECT id, git_dir, commit_id, pinned, files, size, left_out, unreadable FROM repositories")
      .all()
      .map((row) => ({
        gitDir: String(row.git_dir),
        commit: typeof row.commit_id === "string" ? row.commit_id : null,
        pinned: typeof row.pinned === "string" ? row.pinned.split(" ").filter((commit) => commit !== "") : [],
        files: Number(row.files),
        size: Number(row.size),
        leftOut: Number(row.left_out),
        unreadable: Number(row.unreadable),
        impreciseSymbols: imprecise.get(row.id ?? null) ?? 0
      }))
  }

  /** Returns up to `limit` unsearchable files of a repository, with the reason, ordered by path. */
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

  /**
   * Finds all candidates, in order, within one read transaction, because another thread can write at the same time.
   * Returns undefined if the version of the index differs from `version`.
   */
  #find(
    query: CodeQuery,
    opened: ReadonlyArray<TargetState>,
    order: CandidateOrder,
    version: number | undefined
  ): ReadonlyArray<FileCandidate> | undefined {
    this.#database.exec("BEGIN")
    try {
      const now = this.version()
      return version !== undefined && now !== version ? undefined : this.#findNow(query, opened, order, now)
    } finally {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK")
    }
  }

  #findNow(
    query: CodeQuery,
    opened: ReadonlyArray<TargetState>,
    order: CandidateOrder,
    version: number
  ): ReadonlyArray<FileCandidate> {
    if (this.#seen !== version) this.#lookup.refresh()
    this.#seen = version
    const verdict = PathMatcher.make(query, (leaf) => {
      const bits = this.#lookup.find(LeafPrefilter.make(leaf))
      return (document: number) => document === 0 || bits?.has(document) !== false
    })
    const names = Ranking.plainNames(QueryNames.make(query))
    const defining = QueryNames.names(query).map((name) => this.#lookup.defining(name))
    const defines = (document: number) => defining.some((bits) => bits.has(document))
    const judge: Judge = {
      matches: (file, document) => verdict(file, document) !== "no",
      estimate: (name, path, document) =>
        Ranking.ofNames(name, path, names) + (defines(document) ? Ranking.weights.definition : 0)
    }
    const groups = Map.groupBy(opened, ({ target }) => target.gitDir)
    const found = [...groups].flatMap(([gitDir, group]) => {
      const table = this.#table(gitDir)
      return [
        ...(table === undefined ? [] : FileCandidates.indexedFiles(judge, gitDir, table, group)),
        ...FileCandidates.otherFiles(judge, gitDir, group)
      ]
    })
    const age = ({ document }: FileCandidate) => (document === 0 ? Number.POSITIVE_INFINITY : document)
    const byAge = (a: FileCandidate, b: FileCandidate) => (age(a) === age(b) ? 0 : age(a) - age(b))
    if (order !== "best") return found.sort(order === "newest" ? (a, b) => byAge(b, a) : byAge)
    return this.#withPrior(found.sort(FileCandidates.byEstimate), defines)
  }

  /** Orders the first files again, by facts of the index about the paths that are too slow to find for every file. */
  #withPrior(
    found: ReadonlyArray<FileCandidate>,
    defines: (document: number) => boolean
  ): ReadonlyArray<FileCandidate> {
    const counts = new Map<string, number>()
    const importersOf = (path: string) =>
      keysOf(path).map((key) => {
        const count = counts.get(key) ?? this.#lookup.count(Terms.ofImport(key))
        counts.set(key, count)
        return count
      })
    const tables = new Map<string, FileTable | undefined>()
    const first = found.slice(0, MAX_COPIES).map((file, at): FileCandidate => {
      if (!tables.has(file.gitDir)) tables.set(file.gitDir, this.#table(file.gitDir))
      const isCopy = tables.get(file.gitDir)?.isCopy(file.path, file.size) === true
      const canProfit = at < MAX_IMPORTERS && FileKind.pointsOf(file.path) === 0 && defines(file.document)
      const importers = canProfit ? Math.max(0, ...importersOf(file.path)) : undefined
      const prior = Ranking.ofImporters(importers ?? 0) + (isCopy ? Ranking.weights.copy : 0)
      return { ...file, estimate: file.estimate + prior, isCopy, importers }
    })
    return [...first.sort(FileCandidates.byEstimate), ...found.slice(MAX_COPIES)]
  }

  #candidate(
    file: FileCandidate | undefined,
    { mustBePrecise, pattern }: { readonly pattern: RegExp | undefined; readonly mustBePrecise: boolean }
  ): Candidate | undefined {
    if (file === undefined) return undefined
    const { document, folder, gitDir, importers, isCopy, oid, path, size, targets } = file
    if (document === 0) return { targets, gitDir, path, oid: oid ?? "", folder, size, definitions: undefined }
    const row = this.#document.get(document)
    // The document can be deleted after the transaction of the search.
    if (row === undefined)
      return oid === undefined ? undefined : { targets, gitDir, path, oid, size, definitions: undefined }
    // The definitions of patterns are enough for the rank, but not to decide whether a file matches.
    const isKnown = !mustBePrecise || !this.#lookup.isImprecise(document)
    const definitions =
      pattern === undefined ? [] : isKnown ? OutlineCodec.find(String(row.outline), pattern) : undefined
    return { targets, gitDir, path, oid: String(row.oid), size, definitions, isCopy, importers }
  }

  /** Returns the files of a repository at the indexed commit, or undefined for an unindexed repository. */
  #table(gitDir: string): FileTable | undefined {
    const row = this.#repository.get(gitDir)
    if (typeof row?.commit_id !== "string") return undefined
    const key = `${this.name} ${row.commit_id} ${gitDir}`
    const known = this.#tables.get(key)
    if (known !== undefined) return known
    const table = new FileTable(this.#database, Number(row.id), row.commit_id)
    this.#tables.set(key, table, table.paths.length + 1)
    return table
  }
}
