/** Reads history indexes, and walks through histories with and without an index. Runs in a worker. */
import { statSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import type { BitSet } from "../sqlite/BitSet.ts"
import { segments } from "../sqlite/Segments.ts"
import { ChangeCandidates } from "./ChangeCandidates.ts"
import { CommitGraph } from "./CommitGraph.ts"
import * as GitOutput from "./GitOutput.ts"
import * as HistoryDatabase from "./HistoryDatabase.ts"
import { emptyBatch, type WalkBatch, WalkFilter, type WalkStart } from "../commits/CommitWalk.ts"

/** Maximum number of commits that the index lacks. With more, git walks through the history. */
const MAX_MISSING = 5_000

/** Maximum number of commits in memory, over all repositories, and of open files. */
const MAX_COMMITS = 2_000_000
const MAX_OPEN = 64

/** Maximum number of commits that are visited at a time. */
const MAX_VISITED = 50_000

interface OpenHistory {
  readonly database: DatabaseSync
  readonly file: number
  readonly graph: CommitGraph
  segments: ReturnType<typeof segments>
  /** Number of commits whose changes are indexed. */
  indexed: number
}

/** Yields batches with at most the number of commits that is passed to `next`. */
export type Walk = AsyncGenerator<WalkBatch, void, number>

/** Reads the history indexes in a folder. */
export class HistoryReader {
  readonly #folder: string
  readonly #open = new Map<string, OpenHistory>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Starts a walk. The first call of `next` of the walk only starts it. */
  async *walk(start: WalkStart, signal: AbortSignal): Walk {
    const indexed = await this.#prepare(start, signal)
    if (indexed === undefined) yield* walkWithGit(start, signal)
    else yield* walkWithIndex(indexed, start)
  }

  close(): void {
    for (const { database } of this.#open.values()) database.close()
    this.#open.clear()
  }

  /** Forgets a repository, and deletes its file. */
  forget(gitDir: string): void {
    this.#close(gitDir)
    HistoryDatabase.remove(HistoryDatabase.fileOf(this.#folder, gitDir))
  }

  /** Returns the graph of a repository with the tips, and the candidates. Undefined if the index is of no use. */
  async #prepare(start: WalkStart, signal: AbortSignal): Promise<Indexed | undefined> {
    const { gitDir, query, tips } = start
    try {
      const history = this.#get(gitDir)
      if (history === undefined || tips.some((tip) => tip.length !== 2 * history.graph.oidBytes)) return undefined
      const { database, graph, indexed, segments } = history
      const extended = await withMissing(graph, start, signal)
      if (extended === undefined) return undefined
      const candidates =
        query.query.kind === "diff"
          ? new ChangeCandidates(database, segments, indexed).find(query.query.expression)
          : undefined
      const rows = database.prepare("SELECT commit_number FROM broad").all()
      const broad = new Set(rows.map((row) => Number(row.commit_number)))
      return { graph: extended.graph, tips: extended.tips, indexed, candidates, broad }
    } catch (error) {
      signal.throwIfAborted()
      this.#close(gitDir)
      if (HistoryDatabase.isBroken(error)) HistoryDatabase.remove(HistoryDatabase.fileOf(this.#folder, gitDir))
      return undefined
    }
  }

  /** Opens the index of a repository, or refreshes it. */
  #get(gitDir: string): OpenHistory | undefined {
    const filename = HistoryDatabase.fileOf(this.#folder, gitDir)
    const file = statSync(filename, { throwIfNoEntry: false })?.ino
    const known = this.#open.get(gitDir)
    if (known !== undefined && known.file !== file) this.#close(gitDir)
    if (file === undefined) return undefined
    const history = this.#open.get(gitDir) ?? openHistory(filename, file)
    if (history === undefined) return undefined
    this.#open.delete(gitDir)
    this.#open.set(gitDir, history)
    const { database } = history
    const boundary = database.prepare("SELECT boundary FROM history").get()?.boundary
    if (boundary !== HistoryDatabase.readBoundary(gitDir)) return undefined
    // One snapshot, so that the segments have no commits that the graph lacks.
    database.exec("BEGIN")
    try {
      HistoryDatabase.loadCommits(database, history.graph)
      history.segments = segments(database)
      history.indexed = HistoryDatabase.indexedCount(database)
    } finally {
      database.exec("COMMIT")
    }
    this.#evict()
    return history
  }

  #evict(): void {
    const commits = () => [...this.#open.values()].reduce((sum, { graph }) => sum + graph.size, 0)
    while (this.#open.size > 1 && (this.#open.size > MAX_OPEN || commits() > MAX_COMMITS)) {
      const [oldest] = this.#open.keys()
      if (oldest !== undefined) this.#close(oldest)
    }
  }

  #close(gitDir: string): void {
    this.#open.get(gitDir)?.database.close()
    this.#open.delete(gitDir)
  }
}

interface Indexed {
  readonly graph: CommitGraph
  readonly tips: ReadonlyArray<number>
  /** Number of commits whose changes are indexed. Commits with higher numbers are candidates. */
  readonly indexed: number
  /** Commits that may match by the terms of their changes. Undefined if all may match. */
  readonly candidates: BitSet | undefined
  /** Commits without terms, which may match. */
  readonly broad: ReadonlySet<number>
}

const openHistory = (filename: string, file: number): OpenHistory | undefined => {
  const database = HistoryDatabase.openExisting(filename)
  if (database === undefined) return undefined
  HistoryDatabase.touch(filename)
  const row = database.prepare("SELECT length(oids) / count AS bytes FROM commits LIMIT 1").get()
  if (row !== undefined) return { database, file, graph: new CommitGraph(Number(row.bytes)), segments: [], indexed: 0 }
  database.close()
  return undefined
}

/** Returns the numbers of the tips, in a graph with the commits that the index lacks. Undefined with too many. */
const withMissing = async (graph: CommitGraph, { gitDir, tips }: WalkStart, signal: AbortSignal) => {
  const known = tips.map((tip) => graph.find(Buffer.from(tip, "hex")))
  if (!known.includes(undefined)) return { graph, tips: known.filter((tip) => tip !== undefined) }
  const missing: Array<GitOutput.ListedCommit> = []
  const list = { tips, without: graph.heads(), oldestFirst: true }
  for await (const commits of GitOutput.listCommits(gitDir, list, signal)) {
    missing.push(...commits)
    if (missing.length > MAX_MISSING) return undefined
  }
  const extended = graph.copy()
  for (const { oid, parents, seconds } of missing) {
    const numbers = parents.map((parent) => extended.find(Buffer.from(parent, "hex")))
    if (numbers.includes(undefined)) return undefined
    extended.add(
      Buffer.from(oid, "hex"),
      seconds,
      numbers.filter((parent) => parent !== undefined)
    )
  }
  const all = tips.map((tip) => extended.find(Buffer.from(tip, "hex")))
  // A tip can be another object, for example a tag.
  return all.includes(undefined) ? undefined : { graph: extended, tips: all.filter((tip) => tip !== undefined) }
}

async function* walkWithIndex({ broad, candidates, graph, indexed, tips }: Indexed, start: WalkStart): Walk {
  const filter = new WalkFilter(start)
  const walk = graph.walk(tips)
  let max = yield emptyBatch
  for (;;) {
    const oids: Array<string> = []
    const oldest: Array<number> = []
    let isSelected = candidates !== undefined
    let last: number | undefined
    for (let visited = 0; visited < MAX_VISITED && oids.length < max; visited++) {
      const { done, value: commit } = walk.next()
      if (done === true) {
        yield { oids, oldest, isSelected, end: undefined }
        return
      }
      last = commit
      const isInRange = filter.selects(graph.secondsOf(commit), graph.isMerge(commit), () => graph.oidOf(commit))
      if (!isInRange) continue
      if (commit >= indexed || broad.has(commit)) isSelected = false
      else if (candidates?.has(commit) === false) continue
      oids.push(graph.oidOf(commit))
      oldest.push(filter.oldest)
    }
    const end = endOf(filter, start, last === undefined ? undefined : graph.oidOf(last))
    max = yield { oids, oldest, isSelected, end }
  }
}

/** Walks without an index. */
async function* walkWithGit(start: WalkStart, signal: AbortSignal): Walk {
  const filter = new WalkFilter(start)
  let max = yield emptyBatch
  let oids: Array<string> = []
  let oldest: Array<number> = []
  let visited = 0
  const list = { tips: start.tips, without: [], oldestFirst: false }
  for await (const commits of GitOutput.listCommits(start.gitDir, list, signal)) {
    for (const { oid, parents, seconds } of commits) {
      visited++
      if (filter.selects(seconds, parents.length > 1, () => oid)) {
        oids.push(oid)
        oldest.push(filter.oldest)
      }
      if (oids.length < max && visited < MAX_VISITED) continue
      max = yield { oids, oldest, isSelected: false, end: endOf(filter, start, oid) }
      oids = []
      oldest = []
      visited = 0
    }
  }
  yield { oids, oldest, isSelected: false, end: undefined }
}

/** Returns the position after a commit: that of the start until the walk is beyond it. */
const endOf = (filter: WalkFilter, { position }: WalkStart, last: string | undefined) =>
  filter.isSkipping && position !== undefined
    ? position
    : { seconds: filter.oldest, oids: last === undefined ? [] : [last] }
