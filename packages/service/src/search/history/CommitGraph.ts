/** The commits of a history with dates and parents, in memory: about 50 bytes per commit. */

const NONE = -1

/** Initial number of commits that fit without growing. */
const INITIAL = 1_024

/** Numbered commits. A parent has a lower number than its children. */
export class CommitGraph {
  /** Bytes of an object id: 20 for SHA-1, 32 for SHA-256. */
  readonly oidBytes: number
  #oids: Buffer
  #dates = new Float64Array(INITIAL)
  /** First parent of each commit, or -1. */
  #firstParents = new Int32Array(INITIAL)
  /** Parents of merges after the first. */
  readonly #otherParents = new Map<number, ReadonlyArray<number>>()
  /** Hash table with open addressing: the number of a commit plus 1, or 0. */
  #table = new Int32Array(4 * INITIAL)
  #size = 0

  constructor(oidBytes: number) {
    this.oidBytes = oidBytes
    this.#oids = Buffer.alloc(INITIAL * oidBytes)
  }

  /** Number of commits. */
  get size(): number {
    return this.#size
  }

  /** Adds a commit with the date in seconds and the numbers of the parents, and returns the number. */
  add(oid: Buffer, seconds: number, parents: ReadonlyArray<number>): number {
    if (this.#size === this.#dates.length) this.#grow()
    const commit = this.#size++
    oid.copy(this.#oids, commit * this.oidBytes)
    this.#dates[commit] = seconds
    this.#firstParents[commit] = parents[0] ?? NONE
    if (parents.length > 1) this.#otherParents.set(commit, parents.slice(1))
    this.#table[this.#slot(oid)] = commit + 1
    return commit
  }

  /** Returns the number of a commit, or undefined for an unknown one. */
  find(oid: Buffer): number | undefined {
    const commit = (this.#table[this.#slot(oid)] ?? 0) - 1
    return commit === NONE ? undefined : commit
  }

  /** Returns the object id in hexadecimal. */
  oidOf(commit: number): string {
    return this.#oids.toString("hex", commit * this.oidBytes, (commit + 1) * this.oidBytes)
  }

  secondsOf(commit: number): number {
    return this.#dates[commit] ?? 0
  }

  isMerge(commit: number): boolean {
    return this.#otherParents.has(commit)
  }

  parentsOf(commit: number): ReadonlyArray<number> {
    const first = this.#firstParents[commit] ?? NONE
    return first === NONE ? [] : [first, ...(this.#otherParents.get(commit) ?? [])]
  }

  /** Returns the object ids of the commits without children. */
  heads(): ReadonlyArray<string> {
    const isParent = new Uint8Array(this.#size)
    for (let commit = 0; commit < this.#size; commit++) {
      for (const parent of this.parentsOf(commit)) isParent[parent] = 1
    }
    const heads: Array<string> = []
    for (let commit = 0; commit < this.#size; commit++) if (isParent[commit] === 0) heads.push(this.oidOf(commit))
    return heads
  }

  /**
   * Yields the ancestors of commits, including these, in the order of `git log`: of the commits whose child was
   * visited, the one with the newest date comes first, and with the same date the one that was found first.
   */
  *walk(tips: ReadonlyArray<number>): Generator<number, void> {
    const isSeen = new Uint8Array(this.#size)
    const queue = new DateQueue()
    const offer = (commit: number) => {
      if (isSeen[commit] === 1) return
      isSeen[commit] = 1
      queue.push(commit, this.secondsOf(commit))
    }
    tips.forEach(offer)
    for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
      this.parentsOf(commit).forEach(offer)
      yield commit
    }
  }

  /** Returns a copy, to add commits to. */
  copy(): CommitGraph {
    const copy = new CommitGraph(this.oidBytes)
    copy.addEncoded(this.encode(0, this.#size))
    return copy
  }

  /** Returns a range of commits as bytes, for `addEncoded`. */
  encode(from: number, to: number): EncodedCommits {
    const others: Array<number> = []
    for (const [commit, parents] of this.#otherParents) {
      if (commit >= from && commit < to) for (const parent of parents) others.push(commit, parent)
    }
    return {
      oids: this.#oids.subarray(from * this.oidBytes, to * this.oidBytes),
      dates: bytesOf(this.#dates.subarray(from, to)),
      firstParents: bytesOf(this.#firstParents.subarray(from, to)),
      otherParents: bytesOf(Int32Array.from(others))
    }
  }

  /** Adds the next range of commits. */
  addEncoded({ dates, firstParents, oids, otherParents }: EncodedCommits): void {
    const from = this.#size
    const size = from + firstParents.length / Int32Array.BYTES_PER_ELEMENT
    while (this.#dates.length < size) this.#grow()
    this.#oids.set(oids, from * this.oidBytes)
    bytesOf(this.#dates).set(dates, from * Float64Array.BYTES_PER_ELEMENT)
    bytesOf(this.#firstParents).set(firstParents, from * Int32Array.BYTES_PER_ELEMENT)
    const others = new Int32Array(Uint8Array.from(otherParents).buffer)
    for (let at = 0; at < others.length; at += 2) {
      const [commit = 0, parent = 0] = [others[at], others[at + 1]]
      this.#otherParents.set(commit, [...(this.#otherParents.get(commit) ?? []), parent])
    }
    for (let commit = from; commit < size; commit++) this.#insert(commit)
    this.#size = size
  }

  /** Adds a commit to the table, which lacks it. */
  #insert(commit: number): void {
    const mask = this.#table.length - 1
    let slot = this.#oids.readUInt32BE(commit * this.oidBytes) & mask
    while (this.#table[slot] !== 0) slot = (slot + 1) & mask
    this.#table[slot] = commit + 1
  }

  /** Returns the slot of a commit in the table, or the free slot for the commit. */
  #slot(oid: Buffer): number {
    const mask = this.#table.length - 1
    for (let slot = oid.readUInt32BE(0) & mask; ; slot = (slot + 1) & mask) {
      const at = ((this.#table[slot] ?? 0) - 1) * this.oidBytes
      if (at < 0 || this.#oids.compare(oid, 0, this.oidBytes, at, at + this.oidBytes) === 0) return slot
    }
  }

  #grow(): void {
    const length = 2 * this.#dates.length
    const dates = new Float64Array(length)
    const parents = new Int32Array(length)
    const oids = Buffer.alloc(length * this.oidBytes)
    dates.set(this.#dates)
    parents.set(this.#firstParents)
    oids.set(this.#oids)
    this.#dates = dates
    this.#firstParents = parents
    this.#oids = oids
    this.#table = new Int32Array(4 * length)
    for (let commit = 0; commit < this.#size; commit++) this.#insert(commit)
  }
}

/** A range of commits as bytes. The numbers of `otherParents` are pairs of a commit and one of its parents. */
export interface EncodedCommits {
  readonly oids: Uint8Array
  readonly dates: Uint8Array
  readonly firstParents: Uint8Array
  readonly otherParents: Uint8Array
}

const bytesOf = (array: Float64Array | Int32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

/** Binary heap of commits, the newest first. Commits of the same date keep the order of insertion. */
class DateQueue {
  readonly #entries: Array<{ readonly commit: number; readonly seconds: number; readonly order: number }> = []
  #inserted = 0

  push(commit: number, seconds: number): void {
    const entries = this.#entries
    entries.push({ commit, seconds, order: this.#inserted++ })
    for (let at = entries.length - 1; at > 0;) {
      const above = (at - 1) >>> 1
      if (!this.#isBefore(at, above)) return
      this.#swap(at, above)
      at = above
    }
  }

  pop(): number | undefined {
    const entries = this.#entries
    const [top] = entries
    const last = entries.pop()
    if (top === undefined || last === undefined || entries.length === 0) return top?.commit
    entries[0] = last
    for (let at = 0; ;) {
      let first = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < entries.length && this.#isBefore(child, first)) first = child
      }
      if (first === at) return top.commit
      this.#swap(at, first)
      at = first
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#entries[one], this.#entries[other]]
    if (a === undefined || b === undefined) return false
    return a.seconds === b.seconds ? a.order < b.order : a.seconds > b.seconds
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#entries[one], this.#entries[other]]
    if (a === undefined || b === undefined) return
    this.#entries[one] = b
    this.#entries[other] = a
  }
}
