import type { DatabaseSync } from "node:sqlite"
import * as IndexDatabase from "./IndexDatabase.ts"

interface OpenShard<A> {
  readonly database: DatabaseSync
  readonly value: A
  readonly inode: number | undefined
  /** Time of the last known change of the file. */
  changedAt: number | undefined
  /** Number of users that forbid to close the database. */
  users: number
  isRetired: boolean
}

export interface OpenShardsOptions<A> {
  /** Creates the value of a shard from the open database. */
  readonly make: (database: DatabaseSync) => A
  /** Maximum number of shards that stay open without users. */
  readonly maxOpen: number
  /** Memory for the pages of all open shards together. */
  readonly cacheKilobytes: number
  /** True to create missing shards. If false, use of a missing shard throws `MissingShard`. */
  readonly creates: boolean
}

/** A shard that was deleted, because it was damaged or by another process. */
export class MissingShard extends Error {
  override readonly name = "MissingShard"
}

/**
 * The open shards of a worker, each with a value made from the database. Closes the least recently used ones above a
 * bound, opens a shard again when this or another process has replaced the file, and deletes a damaged shard.
 */
export class OpenShards<A> {
  readonly #data: string
  readonly #options: OpenShardsOptions<A>
  /** Open shards by number, the least recently used first. */
  readonly #open = new Map<number, OpenShard<A>>()
  /** Memory for the pages of each shard in kilobytes. */
  #share: number

  constructor(data: string, options: OpenShardsOptions<A>) {
    this.#data = data
    this.#options = options
    this.#share = options.cacheKilobytes
  }

  /** Calls a function with the value of a shard. Deletes the shard if the error shows that it is damaged. */
  async use<B>(shard: number, use: (value: A) => B | Promise<B>): Promise<B> {
    const { release, value } = this.borrow(shard)
    try {
      return await use(value)
    } catch (error) {
      this.failed(shard, error)
      throw error
    } finally {
      release()
    }
  }

  /** Returns the value of a shard, which stays open until `release`. Deletes a shard that is damaged. */
  borrow(shard: number): { readonly value: A; readonly release: () => void } {
    const open = this.#get(shard)
    open.users++
    return {
      value: open.value,
      release: () => {
        open.users--
        if (open.users > 0) return
        if (open.isRetired) open.database.close()
        // A search can use more shards at once than may stay open.
        else if (this.#open.size > this.#options.maxOpen) this.#retire(shard)
      }
    }
  }

  /** Handles an error of a shard: deletes a damaged one, and shrinks the log if the disk is full. */
  failed(shard: number, error: unknown): void {
    const open = this.#open.get(shard)
    const filename = IndexDatabase.fileIn(this.#data, shard)
    // Keeps a file that another process has already replaced.
    const isCurrent = open === undefined || open.inode === IndexDatabase.versionOfFile(filename)?.inode
    if (IndexDatabase.isDamage(error) && isCurrent) IndexDatabase.remove(filename)
    if (IndexDatabase.isFull(error)) open?.database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /** Closes all shards. */
  close(): void {
    for (const shard of this.#open.keys()) this.#retire(shard)
  }

  #get(shard: number): OpenShard<A> {
    const filename = IndexDatabase.fileIn(this.#data, shard)
    const known = this.#open.get(shard)
    if (known !== undefined) {
      const file = IndexDatabase.versionOfFile(filename)
      this.#open.delete(shard)
      const isReplaced = file === undefined || file.inode !== known.inode
      const isNoise = !isReplaced && file.changedAt !== known.changedAt && !IndexDatabase.isDatabase(filename)
      if (!isReplaced && !isNoise) {
        known.changedAt = file.changedAt
        this.#open.set(shard, known)
        return known
      }
      // Before the close, which writes the log into the file.
      if (isNoise) IndexDatabase.remove(filename)
      this.#retireShard(known)
    }
    const opened = this.#openShard(shard, filename)
    this.#open.set(shard, opened)
    const others = [...this.#open].filter(([number, { users }]) => number !== shard && users === 0)
    for (const [number] of others.slice(0, Math.max(0, this.#open.size - this.#options.maxOpen))) this.#retire(number)
    this.#divideCache()
    return opened
  }

  /** Divides the memory for pages evenly. Rounds to powers of two, so that few openings change the other shards. */
  #divideCache(): void {
    const share = 2 ** Math.floor(Math.log2(this.#options.cacheKilobytes / Math.max(1, this.#open.size)))
    if (share === this.#share) return
    this.#share = share
    for (const { database } of this.#open.values()) database.exec(`PRAGMA cache_size=-${share}`)
  }

  #openShard(shard: number, filename: string): OpenShard<A> {
    const { creates, make } = this.#options
    if (!creates && IndexDatabase.versionOfFile(filename) === undefined)
      throw new MissingShard(`shard ${shard} of the index was deleted`)
    const connect = () => IndexDatabase.open(filename, this.#share)
    let database: DatabaseSync
    try {
      database = connect()
    } catch (error) {
      this.failed(shard, error)
      if (!creates || !IndexDatabase.isDamage(error)) throw error
      database = connect()
    }
    const file = IndexDatabase.versionOfFile(filename)
    const made = { database, inode: file?.inode, changedAt: file?.changedAt, users: 0, isRetired: false }
    try {
      return { ...made, value: make(database) }
    } catch (error) {
      database.close()
      this.failed(shard, error)
      throw error
    }
  }

  #retire(shard: number): void {
    const open = this.#open.get(shard)
    this.#open.delete(shard)
    if (open !== undefined) this.#retireShard(open)
  }

  #retireShard(open: OpenShard<A>): void {
    open.isRetired = true
    if (open.users === 0) open.database.close()
  }
}
