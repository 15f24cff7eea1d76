import type { Candidate, SearchTarget } from "../CodeIndex.ts"
import type { BeginSearch, Handlers, ReaderBatch, ReaderMethods, ShardState } from "../workers/WorkerMethods.ts"
import * as IndexDatabase from "./IndexDatabase.ts"
import { type FoundCandidates, IndexReader, makeCaches } from "./IndexReader.ts"
import { MissingShard, OpenShards } from "./OpenShards.ts"

/** Number of candidates in the first and the largest batch. The first batch is small so that results appear early. */
const FIRST_BATCH = 64
const MAX_BATCH = 512

/** Maximum number of shards that a thread keeps open, and memory for the pages of all of them in kilobytes. */
const MAX_OPEN = 64
const CACHE_KILOBYTES = 32_768

/** Maximum number of targets that are read with git if their shard fails. More targets would delay the others. */
const MAX_READ_WITH_GIT = 16

/** The candidates of a search in one shard, from the next one on. */
class Part {
  readonly shard: number
  /** Index of each target in the whole search. */
  readonly places: ReadonlyArray<number>
  readonly found: FoundCandidates
  readonly release: () => void
  /** Index of the next candidate, its key, and the first of its targets in the whole search. */
  next = -1
  key = 0
  place = 0

  constructor({ found, places, release, shard }: Pick<Part, "found" | "places" | "release" | "shard">) {
    this.shard = shard
    this.places = places
    this.found = found
    this.release = release
    this.advance()
  }

  /** Number of candidates that are left. */
  get left(): number {
    return this.found.count - this.next
  }

  advance(): void {
    this.next++
    if (this.left === 0) return
    this.key = this.found.key(this.next)
    this.place = this.places[this.found.targets(this.next)[0] ?? 0] ?? 0
  }
}

interface Search {
  readonly parts: Set<Part>
  readonly failed: Array<{ readonly target: number; readonly detail: string }>
  size: number
}

/**
 * Reads candidates and states from the shards of a worker. Merges the candidates of all shards in order. A shard that
 * fails does not fail the search of the remaining shards.
 */
export class ShardReader {
  readonly #shards: OpenShards<IndexReader>
  readonly #unindexed: IndexReader
  /** Targets by the numbers that the client has given them. */
  readonly #targets = new Map<number, SearchTarget>()
  readonly #searches = new Map<number, Search>()

  constructor(data: string) {
    const caches = makeCaches()
    this.#shards = new OpenShards(data, {
      make: (database) => new IndexReader(database, caches),
      maxOpen: MAX_OPEN,
      cacheKilobytes: CACHE_KILOBYTES,
      creates: false
    })
    this.#unindexed = new IndexReader(IndexDatabase.openEmpty(), caches)
  }

  readonly handlers: Handlers<ReaderMethods> = {
    begin: (input, { signal }) => this.#begin(input, signal),
    next: ({ cursor }) => this.#next(cursor),
    end: ({ cursor }) => this.#end(cursor),
    states: ({ shards }) => Promise.all(shards.map((known) => this.#state(known))),
    languages: ({ shard, trees }) => this.#shards.use(shard, (reader) => reader.languages(trees)),
    leftOut: ({ limit, repository, shard }) => this.#shards.use(shard, (reader) => reader.leftOut(repository, limit))
  }

  async #begin(input: BeginSearch, signal: AbortSignal): Promise<ReaderBatch> {
    // Before any wait, because the next message can define these numbers again.
    if (input.isReset) this.#targets.clear()
    for (const [number, target] of input.defined) this.#targets.set(number, target)
    const parts = input.parts.map(({ places, shard, targets, workTrees }) => {
      const resolved = Array.from(targets, (number) => this.#targets.get(number))
      const known = [...resolved.filter((target) => target !== undefined), ...workTrees]
      return { shard, places: [...places], targets: known }
    })
    const search: Search = { parts: new Set(), failed: [], size: FIRST_BATCH }
    await Promise.all(parts.map((part) => this.#find(search, input, part, signal)))
    this.#searches.set(input.cursor, search)
    if (signal.aborted) {
      this.#end(input.cursor)
      signal.throwIfAborted()
    }
    return this.#next(input.cursor)
  }

  async #find(
    search: Search,
    input: BeginSearch,
    { places, shard, targets }: Pick<Part, "places" | "shard"> & { readonly targets: ReadonlyArray<SearchTarget> },
    signal: AbortSignal
  ): Promise<void> {
    let release = () => {}
    try {
      const borrowed = shard === 0 ? { value: this.#unindexed, release } : this.#shards.borrow(shard)
      release = borrowed.release
      const found = await borrowed.value.candidates(input.query, targets, input.order, signal)
      for (const { detail, target } of found.failed) search.failed.push({ target: places[target] ?? 0, detail })
      search.parts.add(new Part({ shard, places, found, release }))
    } catch (error) {
      release()
      if (signal.aborted) return
      if (shard !== 0) this.#shards.failed(shard, error)
      if (shard !== 0 && targets.length <= MAX_READ_WITH_GIT)
        return this.#find(search, input, { shard: 0, places, targets }, signal)
      fail(search, places, error)
    }
  }

  #next(cursor: number): ReaderBatch {
    const search = this.#searches.get(cursor)
    if (search === undefined) return { candidates: [], keys: [], left: 0 }
    const candidates: Array<Candidate> = []
    const keys: Array<number> = []
    for (let part = best(search.parts); part !== undefined; part = best(search.parts)) {
      try {
        const { key, next: at } = part
        const candidate = part.found.read(at)
        part.advance()
        if (candidate === undefined) {
          const places = part.found.targets(at).map((target) => part.places[target] ?? 0)
          fail(search, places, new Error("a file was removed from the index during the search"))
        } else {
          candidates.push(placed(candidate, part))
          keys.push(key)
        }
      } catch (error) {
        this.#leave(search, part)
        if (part.shard !== 0) this.#shards.failed(part.shard, error)
        fail(search, part.places, error)
      }
      if (candidates.length >= search.size) break
    }
    search.size = Math.min(search.size * 2, MAX_BATCH)
    let left = 0
    for (const part of search.parts) {
      if (part.left === 0) this.#leave(search, part)
      left += part.left
    }
    const failed = search.failed.splice(0)
    if (left === 0) this.#searches.delete(cursor)
    return { candidates, keys, left, ...(failed.length === 0 ? {} : { failed }) }
  }

  #end(cursor: number): void {
    const search = this.#searches.get(cursor)
    for (const part of search?.parts ?? []) part.release()
    this.#searches.delete(cursor)
  }

  #leave(search: Search, part: Part): void {
    search.parts.delete(part)
    part.release()
  }

  async #state({
    shard,
    version: known
  }: {
    readonly shard: number
    readonly version: string | undefined
  }): Promise<ShardState> {
    try {
      return await this.#shards.use(shard, (reader) => {
        const version = `${reader.name} ${reader.version()}`
        return version === known ? { shard, version } : { shard, version, repositories: reader.states() }
      })
    } catch (error) {
      const isGone = error instanceof MissingShard || IndexDatabase.isDamage(error)
      return { shard, isGone, detail: detailOf(error) }
    }
  }
}

/** Records that targets cannot be searched. */
const fail = (search: Search, places: ReadonlyArray<number>, error: unknown): void => {
  const detail = detailOf(error)
  for (const target of places) search.failed.push({ target, detail })
}

/** Returns the part with the best next candidate: of equal ones, that of the first target. */
const best = (parts: Iterable<Part>): Part | undefined => {
  let found: Part | undefined
  for (const part of parts) {
    if (part.left === 0) continue
    const isBetter = found === undefined || part.key > found.key || (part.key === found.key && part.place < found.place)
    if (isBetter) found = part
  }
  return found
}

const placed = (candidate: Candidate, { places, shard }: Part): Candidate => {
  const [first, ...rest] = candidate.targets
  return { ...candidate, shard, targets: [places[first] ?? 0, ...rest.map((target) => places[target] ?? 0)] }
}

const detailOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
