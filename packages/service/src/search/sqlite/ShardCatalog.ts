import type { IndexState } from "../CodeIndex.ts"
import type { ShardState } from "../workers/WorkerMethods.ts"

/** Bounds of a shard for new repositories. A repository with more text has a shard alone. */
const MAX_TEXT = 256 * 1024 * 1024
const MAX_REPOSITORIES = 250

/** Size above which the largest repository leaves a shard that has grown. */
const MAX_GROWN_TEXT = 2 * MAX_TEXT

interface Shard {
  /** Version of the shard. Undefined if the shard could not be read. */
  readonly version: string | undefined
  readonly repositories: Map<string, IndexState>
  /** Total size of the repositories in bytes, and number of files without the symbols of grammars. */
  readonly size: number
  readonly imprecise: number
}

export const notIndexed: IndexState = {
  commit: null,
  pinned: [],
  files: 0,
  size: 0,
  leftOut: 0,
  unreadable: 0,
  impreciseSymbols: 0
}

/** An update in progress: the shard, and the bytes of a repository that the shard does not have yet. */
export interface Reservation {
  readonly shard: number
  readonly bytes: number
}

/**
 * Which shard has which repository, as read from the shards. If several shards have a repository after a crash, all of
 * them are complete for it: the first one with an indexed commit counts, and the next update removes the others.
 */
export class ShardCatalog {
  readonly #shards = new Map<number, Shard>()
  /** Shards of each repository. */
  readonly #shardsOf = new Map<string, Set<number>>()
  #revision = 0

  /** Number that differs after a change of the shard that counts for a repository. */
  get revision(): number {
    return this.#revision
  }

  /** Numbers of the shards. */
  get shards(): ReadonlyArray<number> {
    return [...this.#shards.keys()]
  }

  /** Returns the version of a shard at its last reading. */
  version(shard: number): string | undefined {
    return this.#shards.get(shard)?.version
  }

  /** Stores what was read from a shard. */
  set(state: ShardState): void {
    if ("detail" in state) {
      const known = this.#shards.get(state.shard)
      // A shard that exists but cannot be read gets no repositories.
      if (state.isGone || known === undefined) this.remove(state.shard)
      if (!state.isGone && known === undefined) this.#shards.set(state.shard, empty())
      return
    }
    const { repositories, shard, version } = state
    if (repositories === undefined) return
    this.remove(shard)
    let size = 0
    let imprecise = 0
    const states = new Map<string, IndexState>()
    for (const { gitDir, ...one } of repositories) {
      states.set(gitDir, one)
      size += one.size
      imprecise += one.impreciseSymbols
      this.#addShard(gitDir, shard)
    }
    this.#shards.set(shard, { version, repositories: states, size, imprecise })
  }

  /** Adds a repository that an update has added to a shard. The next reading of the shard gives its state. */
  add(gitDir: string, shard: number): void {
    const { repositories } = this.#shards.get(shard) ?? this.#addEmpty(shard)
    if (repositories.has(gitDir)) return
    repositories.set(gitDir, notIndexed)
    this.#addShard(gitDir, shard)
  }

  #addShard(gitDir: string, shard: number): void {
    this.#revision++
    const shards = this.#shardsOf.get(gitDir)
    if (shards === undefined) this.#shardsOf.set(gitDir, new Set([shard]))
    else shards.add(shard)
  }

  /** Adds a shard that an update has created. */
  #addEmpty(shard: number): Shard {
    const made = { ...empty(), version: "" }
    this.#shards.set(shard, made)
    return made
  }

  /** Removes a deleted shard. */
  remove(shard: number): void {
    this.#revision++
    for (const gitDir of this.#shards.get(shard)?.repositories.keys() ?? []) {
      const shards = this.#shardsOf.get(gitDir)
      shards?.delete(shard)
      if (shards?.size === 0) this.#shardsOf.delete(gitDir)
    }
    this.#shards.delete(shard)
  }

  /** Returns the shards that have a repository, first the one that counts. */
  shardsOf(gitDir: string): ReadonlyArray<number> {
    const shards = this.#shardsOf.get(gitDir)
    if (shards === undefined) return []
    if (shards.size === 1) return [...shards]
    const isEmpty = (shard: number) => (this.#shards.get(shard)?.repositories.get(gitDir)?.commit === null ? 1 : 0)
    return [...shards].toSorted((a, b) => isEmpty(a) - isEmpty(b) || a - b)
  }

  /** Returns all repositories. */
  get repositories(): ReadonlyArray<string> {
    return [...this.#shardsOf.keys()]
  }

  /** True if a shard can take a further repository whose contents it has. */
  hasPlace(shard: number): boolean {
    return (this.#shards.get(shard)?.repositories.size ?? 0) < MAX_REPOSITORIES
  }

  /** Returns the shard for an update of a repository. Undefined for a new one, and for one that leaves its shard. */
  shardFor(gitDir: string): number | undefined {
    const [shard] = this.shardsOf(gitDir)
    const { repositories, size } = this.#shards.get(shard ?? 0) ?? empty()
    if (size <= MAX_GROWN_TEXT || repositories.size === 1) return shard
    const own = repositories.get(gitDir)?.size ?? 0
    return repositories.values().some((other) => other.size > own) ? shard : undefined
  }

  /** Returns the index state of a repository. Undefined if no shard has the repository. */
  state(gitDir: string): IndexState | undefined {
    const [shard] = this.shardsOf(gitDir)
    return shard === undefined ? undefined : this.#shards.get(shard)?.repositories.get(gitDir)
  }

  /** Returns the shards with files without the symbols of grammars, and the number of these files. */
  imprecise(): ReadonlyMap<number, number> {
    return new Map([...this.#shards].flatMap(([shard, { imprecise }]) => (imprecise > 0 ? [[shard, imprecise]] : [])))
  }

  /**
   * Returns the shard for a new repository of some size: the first one with room that has no update in progress, so that
   * `writers` shards are written at the same time, else a new one.
   */
  place(bytes: number, reserved: Iterable<Reservation>, writers: number): number {
    const pending = new Map<number, { count: number; bytes: number }>()
    for (const one of reserved) {
      const { bytes: before = 0, count = 0 } = pending.get(one.shard) ?? {}
      pending.set(one.shard, { count: count + 1, bytes: before + one.bytes })
    }
    const numbers = [...new Set([...this.#shards.keys(), ...pending.keys()])].toSorted((a, b) => a - b)
    const withRoom = numbers.filter((shard) => {
      // A shard that is not known yet is created by an update in progress.
      const { repositories, size, version } = this.#shards.get(shard) ?? { ...empty(), version: "" }
      const { bytes: more = 0, count = 0 } = pending.get(shard) ?? {}
      const isFree = repositories.size === 0 && count === 0
      const fits = size + more + bytes <= MAX_TEXT && repositories.size + count < MAX_REPOSITORIES
      return version !== undefined && (isFree || fits)
    })
    const idle = withRoom.find((shard) => !pending.has(shard))
    if (idle !== undefined) return idle
    const [first] = withRoom
    return first !== undefined && pending.size >= writers ? first : (numbers.at(-1) ?? 0) + 1
  }
}

const empty = (): Shard => ({ version: undefined, repositories: new Map(), size: 0, imprecise: 0 })
