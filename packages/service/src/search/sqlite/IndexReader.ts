import { statSync } from "node:fs"
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { threadId } from "node:worker_threads"
import type { CodeQuery, Leaf } from "@tongs/core/query/CodeQuery"
import type { Prefilter } from "@tongs/core/query/Prefilter"
import { LruCache } from "../../base/LruCache.ts"
import * as Languages from "../../git/values/Languages.ts"
import type {
  CandidateBatch,
  Candidate,
  CandidateOrder,
  IndexedRepository,
  IndexedTree,
  LanguageSize,
  SearchTarget
} from "../CodeIndex.ts"
import * as FileKind from "../FileKind.ts"
import * as QueryNames from "../QueryNames.ts"
import * as PathMatcher from "../PathMatcher.ts"
import * as Ranking from "../Ranking.ts"
import { keysOf } from "../symbols/Imports.ts"
import * as DocumentText from "../text/DocumentText.ts"
import type { RepositoryState } from "../workers/WorkerMethods.ts"
import * as LeafPrefilter from "../text/LeafPrefilter.ts"
import type { BitSet } from "./BitSet.ts"
import * as DocumentBlocks from "./DocumentBlocks.ts"
import * as FileCandidates from "./FileCandidates.ts"
import { type FileCandidate, type Judge, RankedFiles, type TargetState } from "./FileCandidates.ts"
import * as FileSelection from "./FileSelection.ts"
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
  /** Returns a candidate. Undefined if the index no longer has the content of the file. */
  readonly read: (at: number) => Candidate | undefined
  /** Returns the indexes of the targets that have a candidate. */
  readonly targets: (at: number) => ReadonlyArray<number>
  readonly failed: NonNullable<CandidateBatch["failed"]>
}

/** The number of a repository in the index, and the indexed commit. */
interface IndexedCommit {
  readonly id: number
  readonly commit: string
  /** Key of the file table. */
  readonly key: string
}

/** The candidates of a search, in order. */
interface Found {
  /** Places of the candidates. */
  readonly order: Uint32Array
  readonly file: (place: number) => FileCandidate
  readonly estimate: (place: number) => number
  /** Blocks that may have matches. Undefined if all may. */
  readonly blocks: BitSet | undefined
}

/** Facts about the query that a candidate needs. */
interface Wanted extends Pick<Found, "blocks"> {
  readonly pattern: RegExp | undefined
  readonly mustBePrecise: boolean
}

/** The documents and blocks that may match the leaves (single conditions) of a query. */
class LeafMatches {
  readonly #lookup: PostingLookup
  readonly #documents = new Map<Leaf, BitSet | undefined>()
  #blocks: BitSet | undefined
  #hasAllBlocks = false

  constructor(lookup: PostingLookup) {
    this.#lookup = lookup
  }

  documents(leaf: Leaf): BitSet | undefined {
    if (this.#documents.has(leaf)) return this.#documents.get(leaf)
    const prefilter = LeafPrefilter.make(leaf)
    const documents = leaf._tag === "Symbol" ? this.#lookup.defined(prefilter) : this.#withBlocks(prefilter)
    this.#documents.set(leaf, documents)
    return documents
  }

  #withBlocks(prefilter: Prefilter): BitSet | undefined {
    const blocks = this.#lookup.blocks(prefilter)
    if (blocks === undefined) this.#hasAllBlocks = true
    else this.#blocks = this.#blocks?.unite(blocks) ?? blocks
    return blocks === undefined ? undefined : this.#lookup.documentsOf(blocks)
  }

  /** Returns the blocks that may match one of the leaves so far, or undefined if all blocks may. */
  blocks(): BitSet | undefined {
    return this.#hasAllBlocks ? undefined : (this.#blocks ?? this.#lookup.noBlocks())
  }
}

/** Returns the chunks of a document with one of the blocks. Undefined if all chunks may match. */
const chunksOf = (document: number, size: number, blocks: BitSet | undefined): ReadonlyArray<number> | undefined => {
  if (blocks === undefined) return undefined
  const chunks: Array<number> = []
  const end = document + DocumentBlocks.count(size)
  blocks.forEach(
    (block) => {
      const chunk = Math.floor((block - document) / DocumentBlocks.PER_CHUNK)
      if (chunks.at(-1) !== chunk) chunks.push(chunk)
    },
    document,
    end
  )
  return chunks
}

let readers = 0

/** Reads candidates and states from a shard. Runs in a worker, because reads block the thread. */
export class IndexReader {
  readonly #database: DatabaseSync
  readonly #lookup: PostingLookup
  readonly #targets: TargetFiles.TargetFilesReader
  readonly #tables: LruCache<FileTable>
  /** Unique name, in caches that shards share, and in versions of states, which outlive the thread of the reader. */
  readonly name = `${threadId}.${++readers}`
  readonly #dataVersion: StatementSync
  readonly #document: StatementSync
  readonly #addition: StatementSync
  readonly #file: string
  readonly #inode: number
  #seen: unknown
  /** Indexed repositories by git folder, as of `#knownVersion`. */
  #known: ReadonlyMap<string, IndexedCommit> = new Map()
  #knownVersion: number | undefined

  constructor(database: DatabaseSync, caches = makeCaches()) {
    this.#database = database
    this.#lookup = new PostingLookup(database)
    this.#targets = new TargetFiles.TargetFilesReader(database, caches, this.name)
    this.#tables = caches.tables
    this.#file = database.location() ?? ""
    this.#inode = statSync(this.#file, { throwIfNoEntry: false })?.ino ?? 0
    this.#addition = database.prepare("SELECT at FROM additions WHERE last >= ? ORDER BY last LIMIT 1")
    this.#dataVersion = database.prepare("PRAGMA data_version")
    this.#document = database.prepare("SELECT oid, layout, outline FROM documents WHERE id = ?")
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
      const known = this.#repositories(version)
      for (const [index, target] of targets.entries()) {
        const isIndexed = target.workTree === undefined && known.get(target.gitDir)?.commit === target.commit
        if (isIndexed) opened.push({ index, target, files: TargetFiles.unchanged(target.commit), detail: "" })
        else {
          signal.throwIfAborted()
          opened.push(await this.#open(index, target, version, signal))
        }
      }
      const found = this.#find(query, opened, order, attempt === MAX_ATTEMPTS ? undefined : version)
      if (found !== undefined) {
        const failed = opened.flatMap((one) => {
          const detail = this.#problemOf(one)
          return detail === undefined ? [] : [{ target: one.index, detail }]
        })
        const wanted = {
          pattern: QueryNames.definitions(query),
          mustBePrecise: QueryNames.needsDefinitions(query),
          blocks: found.blocks
        }
        const place = (at: number) => found.order[at] ?? 0
        return {
          count: found.order.length,
          key: (at) => (order === "best" ? found.estimate(place(at)) : this.#time(found.file(place(at)), order)),
          read: (at) => this.#candidate(found.file(place(at)), wanted),
          targets: (at) => found.file(place(at)).targets,
          failed
        }
      }
    }
  }

  /** Returns the reason why files of a target are missing. After the last attempt, another commit can be indexed. */
  #problemOf({ detail, files, target }: TargetState): string | undefined {
    if (files === undefined) return detail
    const isOutdated = files.base !== null && files.base !== this.#known.get(target.gitDir)?.commit
    return isOutdated ? "the index changed while the files were read" : undefined
  }

  async #open(index: number, target: SearchTarget, version: number, signal: AbortSignal): Promise<TargetState> {
    try {
      return { index, target, files: await this.#targets.read(target, version, signal), detail: "" }
    } catch (error) {
      signal.throwIfAborted()
      return { index, target, files: undefined, detail: error instanceof Error ? error.message : String(error) }
    }
  }

  /** Returns the time at which a file was indexed, negative for the order `oldest`. */
  #time({ document }: FileCandidate, order: CandidateOrder): number {
    const at = document === 0 ? Number.POSITIVE_INFINITY : Number(this.#addition.get(document)?.at ?? 0)
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

  /** Returns the languages of the files of commits. Undefined for a commit that is not the indexed one. */
  languages(trees: ReadonlyArray<IndexedTree>): ReadonlyArray<ReadonlyArray<LanguageSize> | undefined> {
    const repository = this.#database.prepare("SELECT id FROM repositories WHERE git_dir = ? AND commit_id = ?")
    const files = this.#database.prepare("SELECT path, size FROM files WHERE repository = ?")
    return this.#inTransaction(() =>
      trees.map(({ commit, gitDir }) => {
        const row = repository.get(gitDir, commit)
        if (row === undefined) return undefined
        const { add, build } = Languages.languageStatistics()
        add(files.all(Number(row.id)).map(({ path, size }) => ({ path: String(path), size: Number(size), oid: "" })))
        return build().languages.map(({ bytes, name }) => ({ name, bytes }))
      })
    )
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
  ): Found | undefined {
    return this.#inTransaction(() => {
      const now = this.version()
      return version !== undefined && now !== version ? undefined : this.#findNow(query, opened, order, now)
    })
  }

  /** Reads one state of the index. */
  #inTransaction<A>(read: () => A): A {
    this.#database.exec("BEGIN")
    try {
      return read()
    } finally {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK")
    }
  }

  #findNow(query: CodeQuery, opened: ReadonlyArray<TargetState>, order: CandidateOrder, version: number): Found {
    if (this.#seen !== version) this.#lookup.refresh()
    this.#seen = version
    this.#repositories(version)
    const leaves = new LeafMatches(this.#lookup)
    const verdict = PathMatcher.make(query, (leaf) => {
      const documents = leaves.documents(leaf)
      return (document: number) => document === 0 || documents?.has(document) !== false
    })
    const defining = QueryNames.names(query).map((name) => this.#lookup.defining(name))
    const judge: Judge = {
      matches: (file, document) => verdict(file, document) !== "no",
      select: FileSelection.make(query, (leaf) => leaves.documents(leaf)),
      defines: (document) => defining.some((documents) => documents.has(document)),
      names: Ranking.plainNames(QueryNames.make(query))
    }
    const found = new RankedFiles()
    for (const [gitDir, group] of Map.groupBy(opened, ({ target }) => target.gitDir)) {
      const table = this.#table(gitDir)
      if (table !== undefined) FileCandidates.addIndexed(found, judge, gitDir, table, group)
      FileCandidates.addOthers(found, judge, gitDir, group)
    }
    const places = found.order(order)
    const blocks = leaves.blocks()
    if (order === "best") return { blocks, ...this.#withPrior(found, places, judge.defines) }
    return { blocks, order: places, file: (place) => found.file(place), estimate: (place) => found.estimate(place) }
  }

  /** Orders the first files again, by facts of the index about the paths that are too slow to find for every file. */
  #withPrior(found: RankedFiles, order: Uint32Array, defines: (document: number) => boolean): Omit<Found, "blocks"> {
    const importing = new Map<string, BitSet>()
    const importersOf = ({ gitDir, path }: FileCandidate) => {
      const table = this.#table(gitDir)
      return keysOf(path).map((key) => {
        const documents = importing.get(key) ?? this.#lookup.importing(key)
        importing.set(key, documents)
        let count = 0
        documents.forEach((document) => {
          if (table?.has(document) === true) count++
        })
        return count
      })
    }
    const first = new Map<number, FileCandidate>()
    const estimates = new Map<number, number>()
    for (const [at, place] of order.subarray(0, MAX_COPIES).entries()) {
      const file = found.file(place)
      const isCopy = this.#table(file.gitDir)?.isCopy(file.path, file.size) === true
      const canProfit = at < MAX_IMPORTERS && FileKind.pointsOf(file.path) === 0 && defines(file.document)
      const importers = canProfit ? Math.max(0, ...importersOf(file)) : undefined
      const prior = Ranking.ofImporters(importers ?? 0) + (isCopy ? Ranking.weights.copy : 0)
      first.set(place, { ...file, isCopy, importers })
      estimates.set(place, found.estimate(place) + prior)
    }
    order.set([...first.keys()].sort((a, b) => (estimates.get(b) ?? 0) - (estimates.get(a) ?? 0)))
    return {
      order,
      file: (place) => first.get(place) ?? found.file(place),
      estimate: (place) => estimates.get(place) ?? found.estimate(place)
    }
  }

  #candidate(
    { document, folder, gitDir, importers, isCopy, oid, path, size, targets }: FileCandidate,
    { blocks, mustBePrecise, pattern }: Wanted
  ): Candidate | undefined {
    if (document === 0) return { targets, gitDir, path, oid: oid ?? "", folder, size, definitions: undefined }
    const row = this.#document.get(document)
    // The document can be deleted after the transaction of the search.
    if (row === undefined) {
      this.#tables.delete(this.#known.get(gitDir)?.key ?? "")
      return oid === undefined ? undefined : { targets, gitDir, path, oid, size, definitions: undefined }
    }
    // The definitions of patterns are enough for the rank, but not to decide whether a file matches.
    const isKnown = !mustBePrecise || !this.#lookup.isImprecise(document)
    const definitions =
      pattern === undefined ? [] : isKnown ? OutlineCodec.find(String(row.outline), pattern) : undefined
    const layout = row.layout instanceof Uint8Array ? row.layout : null
    const chunks = chunksOf(document, size, blocks)
    const index = { file: this.#file, inode: this.#inode, document, layout, chunks }
    return { targets, gitDir, path, oid: String(row.oid), size, definitions, isCopy, importers, index }
  }

  /** Returns the files of a repository at the indexed commit, or undefined for an unindexed repository. */
  #table(gitDir: string): FileTable | undefined {
    const indexed = this.#known.get(gitDir)
    if (indexed === undefined) return undefined
    const known = this.#tables.get(indexed.key)
    if (known !== undefined) return known
    const table = new FileTable(this.#database, indexed.id, indexed.commit)
    this.#tables.set(indexed.key, table, table.length + 1)
    return table
  }

  /** Returns the number and the indexed commit of each indexed repository. */
  #repositories(version: number): ReadonlyMap<string, IndexedCommit> {
    if (this.#knownVersion === version) return this.#known
    const rows = this.#database.prepare("SELECT id, git_dir, commit_id FROM repositories WHERE commit_id IS NOT NULL")
    this.#known = new Map(
      rows.all().map((row) => {
        const gitDir = String(row.git_dir)
        const commit = String(row.commit_id)
        return [gitDir, { id: Number(row.id), commit, key: `${this.name} ${commit} ${gitDir}` }]
      })
    )
    this.#knownVersion = version
    return this.#known
  }
}
