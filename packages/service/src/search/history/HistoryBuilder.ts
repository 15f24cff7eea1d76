/** Builds the history index of a repository. Runs in a worker, because it blocks the thread. */
import type { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import * as LogArguments from "../commits/LogArguments.ts"
import { SegmentBuilder } from "../sqlite/SegmentBuilder.ts"
import { merge, segments } from "../sqlite/Segments.ts"
import { WriterLease } from "../sqlite/WriterLease.ts"
import * as Terms from "../text/Terms.ts"
import * as ChangeTerms from "./ChangeTerms.ts"
import { CommitGraph } from "./CommitGraph.ts"
import * as GitOutput from "./GitOutput.ts"
import * as HistoryDatabase from "./HistoryDatabase.ts"

/** Limits of a build. */
export interface BuildLimits {
  /** Maximum number of terms, counted per commit, in a segment. A term takes 8 bytes of memory. */
  readonly terms: number
  /** Maximum number of commits per git process. */
  readonly commits: number
}

const defaultLimits: BuildLimits = { terms: 4_000_000, commits: 2_000 }

/** Maximum number of unreadable commits of a build. */
const MAX_UNREADABLE = 100

/** Maximum number of small segments before a merge, and of commits in a small segment. */
const MAX_SMALL = 12
const SMALL_SEGMENT = 2_000

export interface BuildOptions {
  readonly folder: string
  readonly gitDir: string
  /** Commit whose ancestors are indexed. */
  readonly tip: string
  readonly onProgress: (progress: BuildProgress) => void
  readonly signal: AbortSignal
  readonly limits?: BuildLimits
}

/** Number of indexed commits, and of all commits. */
export interface BuildProgress {
  readonly commits: number
  readonly of: number
}

/**
 * Adds the ancestors of a commit that the index lacks, the oldest first. Each segment is written in one transaction, so
 * that the next build continues after an interruption. Returns false if another process is building.
 */
export const build = async (options: BuildOptions): Promise<boolean> => {
  const { folder, gitDir } = options
  const filename = HistoryDatabase.fileOf(folder, gitDir)
  const database = HistoryDatabase.open(filename, HistoryDatabase.readBoundary(gitDir))
  try {
    const lease = new WriterLease(database)
    if (!lease.acquire()) return false
    try {
      await addCommits(database, lease, options)
      mergeSmall(database, lease)
      return true
    } finally {
      lease.release()
    }
  } catch (error) {
    if (HistoryDatabase.isBroken(error)) HistoryDatabase.remove(filename)
    throw error
  } finally {
    database.close()
  }
}

const addCommits = async (
  database: DatabaseSync,
  lease: WriterLease,
  { gitDir, limits = defaultLimits, onProgress, signal, tip }: BuildOptions
): Promise<void> => {
  const graph = new CommitGraph(tip.length / 2)
  HistoryDatabase.loadCommits(database, graph)
  if (graph.find(Buffer.from(tip, "hex")) === undefined) {
    const known = graph.size
    await listNew(graph, lease, { gitDir, signal, tip })
    // Written first, so that searches walk in memory while the changes are read.
    lease.transaction(() => HistoryDatabase.saveCommits(database, graph, known, graph.size))
  }
  const writer = new Writer(database, lease, graph, limits.terms)
  while (writer.next < graph.size) {
    const first = writer.next
    const end = Math.min(graph.size, first + limits.commits)
    await readChanges(graph, writer, end, gitDir, signal)
    // Lets the worker receive messages.
    if (writer.next > first) await sleep(0)
    onProgress({ commits: writer.next, of: graph.size })
  }
  writer.write()
}

/** Adds the ancestors of the tip to the graph. */
const listNew = async (
  graph: CommitGraph,
  lease: WriterLease,
  { gitDir, signal, tip }: Pick<BuildOptions, "gitDir" | "signal" | "tip">
): Promise<void> => {
  const list = { tips: [tip], without: graph.heads(), oldestFirst: true }
  for await (const commits of GitOutput.listCommits(gitDir, list, signal)) {
    lease.renew()
    for (const { oid, parents, seconds } of commits) {
      const numbers = parents.map((parent) => numberOf(graph, parent))
      graph.add(Buffer.from(oid, "hex"), seconds, numbers)
    }
  }
}

const numberOf = (graph: CommitGraph, oid: string): number => {
  const commit = graph.find(Buffer.from(oid, "hex"))
  if (commit === undefined) throw new Error(`git listed a commit before its parent ${oid}`)
  return commit
}

/** Adds the commits before `end` to the writer. A commit that git cannot read is a candidate of every query. */
const readChanges = async (
  graph: CommitGraph,
  writer: Writer,
  end: number,
  gitDir: string,
  signal: AbortSignal
): Promise<void> => {
  const oids: Array<string> = []
  // The diff of a merge is empty.
  for (let commit = writer.next; commit < end; commit++) if (!graph.isMerge(commit)) oids.push(graph.oidOf(commit))
  const reader = ChangeTerms.makeReader(writer.collector, (oid, terms) => writer.add(numberOf(graph, oid), terms))
  const input = oids.map((oid) => `${oid}\n`).join("")
  try {
    if (oids.length > 0) {
      for await (const chunk of GitOutput.read(gitDir, LogArguments.patches, input, signal)) {
        reader.push(chunk)
        writer.renew()
      }
      reader.end()
    }
    writer.skipTo(end)
  } catch (error) {
    signal.throwIfAborted()
    writer.addUnreadable(error)
  }
}

/** Writes commits in ascending order. */
class Writer {
  readonly collector = new Terms.Collector()
  /** The next commit to read. All earlier ones were added. */
  next: number
  readonly #database: DatabaseSync
  readonly #lease: WriterLease
  readonly #graph: CommitGraph
  readonly #builder: SegmentBuilder
  readonly #capacity: number
  #written: number
  #broad: Array<number> = []
  #unreadable = 0

  constructor(database: DatabaseSync, lease: WriterLease, graph: CommitGraph, capacity: number) {
    this.#builder = new SegmentBuilder(capacity)
    this.#capacity = capacity
    this.#database = database
    this.#lease = lease
    this.#graph = graph
    this.next = HistoryDatabase.indexedCount(database)
    this.#written = this.next
  }

  add(commit: number, terms: Uint32Array | undefined): void {
    if (commit < this.next) throw new Error("git printed the commits in another order")
    if (terms === undefined || terms.length > this.#capacity) this.#broad.push(commit)
    else if (terms.length > 0) {
      this.skipTo(commit)
      if (!this.#builder.hasRoom(terms.length)) this.write()
      this.#builder.add(commit, terms)
    }
    this.next = commit + 1
  }

  /** Continues at a later commit. The commits before have no changed lines. */
  skipTo(commit: number): void {
    this.next = commit
  }

  /** Skips the merges before the next other commit, and adds this commit without terms. */
  addUnreadable(error: unknown): void {
    if (++this.#unreadable > MAX_UNREADABLE) throw error
    while (this.next < this.#graph.size - 1 && this.#graph.isMerge(this.next)) this.next++
    this.add(this.next, undefined)
  }

  renew(): void {
    this.#lease.renew()
  }

  write(): void {
    if (this.next === this.#written) return
    this.#lease.transaction(() => {
      this.#database.prepare("UPDATE history SET indexed = ?").run(this.next)
      const insert = this.#database.prepare("INSERT INTO broad (commit_number) VALUES (?)")
      for (const commit of this.#broad) insert.run(commit)
      this.#builder.write(this.#database)
    })
    this.#written = this.next
    this.#broad = []
  }
}

/** Merges the segments of small pushes into one, term by term. */
const mergeSmall = (database: DatabaseSync, lease: WriterLease): void => {
  const all = segments(database)
  const last = all.findLastIndex(({ count }) => count > SMALL_SEGMENT)
  // Only the newest segments are small, so that the range of the merged segment has no other commits.
  const merged = all.slice(last + 1)
  if (merged.length > MAX_SMALL) lease.transaction(() => merge(database, merged))
}
