/**
 * Posting lists: the blocks of each term, per segment. A row of the table `postings` has the lists of several terms,
 * because a row for each term would take more space than the list: most terms are in few blocks.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { BitSet } from "./BitSet.ts"

/** A segment of the index: `count` blocks with ascending numbers from `first`, which share posting lists. */
export interface Segment {
  readonly id: number
  readonly first: number
  readonly count: number
}

/** Number of possible terms per segment in the ids of rows: the id is the segment and the first term of the row. */
const TERMS = 2 ** 25

/** Number of bytes at which a row ends. */
const ROW_BYTES = 3_800

const rowId = (segment: number, term: number): number => segment * TERMS + term

/** Writes the posting lists of a segment. Each list is its term's distance to the term before, a length and the blocks. */
export class PostingWriter {
  readonly #segment: Segment
  readonly #insert: StatementSync
  #bytes = Buffer.allocUnsafeSlow(1 << 16)
  #length = 0
  #first = 0
  #last = 0

  /** Creates a segment. Requires a transaction. */
  constructor(database: DatabaseSync, first: number, count: number) {
    const { lastInsertRowid } = database.prepare("INSERT INTO segments (first, count) VALUES (?, ?)").run(first, count)
    this.#segment = { id: Number(lastInsertRowid), first, count }
    this.#insert = database.prepare("INSERT INTO postings (id, lists) VALUES (?, ?)")
  }

  /** Adds the ascending blocks of a term. Terms must ascend from call to call. */
  add(term: number, blocks: Uint32Array): void {
    if (this.#length >= ROW_BYTES) this.end()
    if (this.#length === 0) this.#first = this.#last = term
    const { count, first } = this.#segment
    const bitBytes = (count + 7) >> 3
    const most = 16 + Math.max(5 * blocks.length, bitBytes)
    if (this.#length + most > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], this.#length + 2 * most)
    const bytes = this.#bytes
    const start = writeNumber(bytes, this.#length, term - this.#last)
    this.#last = term
    // The distances come behind room for their length, and are moved if the length needs fewer bytes.
    const from = start + 5
    let to = blocks.length > bitBytes ? Number.POSITIVE_INFINITY : writeDistances(bytes, from, blocks, first - 1)
    const hasBits = to - from > bitBytes
    if (hasBits) to = writeBits(bytes, from, blocks, first, bitBytes)
    const begin = writeNumber(bytes, start, (to - from) * 2 + (hasBits ? 1 : 0))
    bytes.copyWithin(begin, from, to)
    this.#length = begin + to - from
  }

  /** Writes the last row. */
  end(): void {
    if (this.#length > 0) this.#insert.run(rowId(this.#segment.id, this.#first), this.#bytes.subarray(0, this.#length))
    this.#length = 0
  }
}

/** A posting list in its encoded form. */
export interface Posting {
  readonly term: number
  readonly bytes: Uint8Array
  readonly hasBits: boolean
}

/** Reads posting lists. */
export class PostingReader {
  readonly #row: StatementSync
  readonly #rows: StatementSync

  constructor(database: DatabaseSync) {
    this.#row = database.prepare("SELECT id, lists FROM postings WHERE id <= ? ORDER BY id DESC LIMIT 1")
    this.#rows = database.prepare("SELECT id, lists FROM postings WHERE id > ? AND id <= ? ORDER BY id")
  }

  /** Returns the posting list of a term in a segment. */
  find(segment: Segment, term: number): Posting | undefined {
    const row = this.#row.get(rowId(segment.id, term))
    return row === undefined ? undefined : listsOf(row.id, row.lists, segment, term, term).next().value
  }

  /** Returns the posting lists of a range of terms, inclusive. */
  *between(segment: Segment, from: number, to: number): Generator<Posting, undefined> {
    const first = this.#row.get(rowId(segment.id, from))
    if (first !== undefined) yield* listsOf(first.id, first.lists, segment, from, to)
    if (from === to) return undefined
    for (const { id, lists } of this.#rows.iterate(rowId(segment.id, from), rowId(segment.id, to))) {
      yield* listsOf(id, lists, segment, from, to)
    }
    return undefined
  }

  /** Returns all posting lists of a segment, ordered by term. */
  all(segment: Segment): Generator<Posting, undefined> {
    return this.between(segment, 0, TERMS - 1)
  }
}

/** Returns the posting lists of a row whose terms are in a range. None for a row of another segment. */
function* listsOf(
  id: unknown,
  lists: unknown,
  segment: Segment,
  from: number,
  to: number
): Generator<Posting, undefined> {
  let term = Number(id) - rowId(segment.id, 0)
  if (term < 0 || !(lists instanceof Uint8Array)) return undefined
  for (let at = 0; at < lists.length;) {
    const distance = readNumber(lists, at)
    term += distance
    at += lengthOf(distance)
    if (term > to) return undefined
    const size = readNumber(lists, at)
    at += lengthOf(size)
    const end = at + (size >>> 1)
    if (term >= from) yield { term, bytes: lists.subarray(at, end), hasBits: (size & 1) === 1 }
    at = end
  }
  return undefined
}

/** Deletes the posting lists of segments. */
export const remove = (database: DatabaseSync, segments: ReadonlyArray<Segment>): void => {
  const lists = database.prepare("DELETE FROM postings WHERE id >= ? AND id < ?")
  const row = database.prepare("DELETE FROM segments WHERE id = ?")
  for (const { id } of segments) {
    lists.run(rowId(id, 0), rowId(id + 1, 0))
    row.run(id)
  }
}

/** Adds the blocks of a posting list to a set. */
export const addTo = (blocks: BitSet, { bytes, hasBits }: Posting, { first }: Segment): void => {
  if (hasBits) blocks.addBits(bytes, first)
  else forEachDistance(bytes, first - 1, (block) => blocks.add(block))
}

/** Calls `each` with the blocks of a posting list, ascending. */
export const forEach = (posting: Posting, segment: Segment, each: (block: number) => void): void => {
  if (!posting.hasBits) return forEachDistance(posting.bytes, segment.first - 1, each)
  const blocks = new BitSet(segment.first + posting.bytes.length * 8)
  addTo(blocks, posting, segment)
  blocks.forEach(each, segment.first)
}

/** Encodes ascending numbers, all above `before`, as distances (LEB128). */
export const encodeDistances = (numbers: Uint32Array, before: number): Uint8Array => {
  const bytes = new Uint8Array(numbers.length * 5)
  return bytes.slice(0, writeDistances(bytes, 0, numbers, before))
}

/** Decodes the result of `encodeDistances`. Calls `each` with every number, ascending. */
export const forEachDistance = (bytes: Uint8Array, before: number, each: (number: number) => void): void => {
  let last = before
  let distance = 0
  let shift = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    distance |= (byte & 0x7f) << shift
    shift += 7
    if (byte >= 0x80) continue
    last += distance
    each(last)
    distance = 0
    shift = 0
  }
}

const writeDistances = (bytes: Uint8Array, from: number, numbers: Uint32Array, before: number): number => {
  let at = from
  let last = before
  for (const number of numbers) {
    at = writeNumber(bytes, at, number - last)
    last = number
  }
  return at
}

const writeBits = (bytes: Uint8Array, from: number, blocks: Uint32Array, first: number, length: number): number => {
  bytes.fill(0, from, from + length)
  for (const block of blocks) {
    const offset = block - first
    const at = from + (offset >> 3)
    bytes[at] = (bytes[at] ?? 0) | (1 << (offset & 7))
  }
  return from + length
}

/** Writes a number as LEB128. Returns the end. */
const writeNumber = (bytes: Uint8Array, from: number, number: number): number => {
  let at = from
  let rest = number
  while (rest >= 0x80) {
    bytes[at++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  bytes[at++] = rest
  return at
}

const readNumber = (bytes: Uint8Array, from: number): number => {
  let number = 0
  for (let at = from, shift = 0; ; at++, shift += 7) {
    const byte = bytes[at] ?? 0
    number |= (byte & 0x7f) << shift
    if (byte < 0x80) return number
  }
}

/** Returns the number of bytes of a number in LEB128. */
const lengthOf = (number: number): number =>
  number < 0x80 ? 1 : number < 0x4000 ? 2 : number < 0x20_0000 ? 3 : number < 0x1000_0000 ? 4 : 5
