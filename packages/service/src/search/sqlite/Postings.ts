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

/** Number of bytes up to which a loop copies a list. */
const SHORT_LIST = 32

const rowId = (segment: number, term: number): number => segment * TERMS + term

/** Writes the posting lists of a segment. Each list is its term's distance to the term before, a length and the blocks. */
export class PostingWriter {
  readonly #segment: Segment
  readonly #insert: StatementSync
  #bytes = Buffer.allocUnsafeSlow(1 << 16)
  #list = Buffer.allocUnsafeSlow(1 << 16)
  #length = 0
  #first = 0
  #last = 0

  /** Creates a segment. Requires a transaction. */
  constructor(database: DatabaseSync, first: number, count: number) {
    const { lastInsertRowid } = database.prepare("INSERT INTO segments (first, count) VALUES (?, ?)").run(first, count)
    this.#segment = { id: Number(lastInsertRowid), first, count }
    this.#insert = database.prepare("INSERT INTO postings (id, lists) VALUES (?, ?)")
  }

  /** Adds the ascending blocks of a term, from `start` to `end` of an array. Terms must ascend from call to call. */
  add(term: number, blocks: Uint32Array, start = 0, end = blocks.length): void {
    const { count, first } = this.#segment
    const bitBytes = (count + 7) >> 3
    const list = this.#reserveList(Math.max(5 * (end - start), bitBytes))
    let length = bitBytes + 1
    if (end - start <= bitBytes) {
      length = 0
      for (let at = start, last = first - 1; at < end; at++) {
        const block = blocks[at] ?? 0
        length = writeNumber(list, length, block - last)
        last = block
      }
    }
    if (length <= bitBytes) return this.#append(term, length, 0)
    list.fill(0, 0, bitBytes)
    for (let at = start; at < end; at++) {
      const offset = (blocks[at] ?? 0) - first
      list[offset >> 3] = (list[offset >> 3] ?? 0) | (1 << (offset & 7))
    }
    this.#append(term, bitBytes, 1)
  }

  /** Adds the blocks of a term as bits, counted from the first block. Returns the number of blocks. */
  addBits(term: number, bits: Uint32Array): number {
    const { count, first } = this.#segment
    const bitBytes = (count + 7) >> 3
    const blocks = countBits(bits)
    if (blocks > bitBytes) {
      // Files that are left out can stretch the blocks of a segment beyond the bits.
      const given = new Uint8Array(bits.buffer, bits.byteOffset, Math.min(bitBytes, bits.byteLength))
      this.#reserveList(bitBytes).fill(0, given.length, bitBytes).set(given)
      this.#append(term, bitBytes, 1)
    } else if (blocks > 0) {
      const numbers = new Uint32Array(blocks)
      let length = 0
      forEachBit(bits, (offset) => (numbers[length++] = first + offset))
      this.add(term, numbers)
    }
    return blocks
  }

  #reserveList(length: number): Buffer {
    if (length > this.#list.length) this.#list = Buffer.allocUnsafeSlow(2 * length)
    return this.#list
  }

  /** Adds the list in `#list` to the row. */
  #append(term: number, length: number, hasBits: 0 | 1): void {
    // A long list begins a row, because longer rows fill the pages of the database worse.
    if (this.#length >= ROW_BYTES || length >= ROW_BYTES) this.end()
    if (this.#length === 0) this.#first = this.#last = term
    const most = this.#length + 10 + length
    if (most > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * most)
    const bytes = this.#bytes
    const list = this.#list
    let at = writeNumber(bytes, this.#length, term - this.#last)
    at = writeNumber(bytes, at, length * 2 + hasBits)
    this.#last = term
    // Most lists are so short that a call of `copy` takes longer.
    if (length > SHORT_LIST) list.copy(bytes, at, 0, length)
    else for (let index = 0; index < length; index++) bytes[at + index] = list[index] ?? 0
    this.#length = at + length
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

/** Calls `each` with the places of the set bits, ascending. */
export const forEachBit = (words: Uint32Array, each: (place: number) => void): void => {
  for (let at = 0; at < words.length; at++) {
    for (let word = words[at] ?? 0; word !== 0; word &= word - 1) each(at * 32 + 31 - Math.clz32(word & -word))
  }
}

const countBits = (words: Uint32Array): number => {
  let count = 0
  for (let word of words) {
    word -= (word >>> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
    count += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
  }
  return count
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
