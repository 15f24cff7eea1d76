/**
 * Encoded posting list: the number of a single document, or a byte for the encoding and then either the distances
 * between documents as LEB128 or, if shorter, one bit per document of the segment.
 */
export type Posting = number | Uint8Array

/** A segment of the index: `count` documents with ascending numbers from `first`, which share posting lists. */
export interface Segment {
  readonly id: number
  readonly first: number
  readonly count: number
}

const DISTANCES = 0
const BITS = 1

/** Encodes ascending documents of a segment. */
export const encode = (documents: Uint32Array, { count, first }: Segment): Posting => {
  if (documents.length === 1) return documents[0] ?? 0
  const bitBytes = (count + 7) >> 3
  if (documents.length > bitBytes) return encodeBits(documents, first, bitBytes)
  const bytes = encodeDistances(documents, first - 1)
  return bytes.length > bitBytes ? encodeBits(documents, first, bitBytes) : bytes
}

/** Encodes ascending numbers, all above `before`, as distances. */
export const encodeDistances = (numbers: Uint32Array, before: number): Uint8Array => {
  const bytes = new Uint8Array(1 + numbers.length * 5)
  bytes[0] = DISTANCES
  let at = 1
  let last = before
  for (const number of numbers) {
    let distance = number - last
    last = number
    while (distance >= 0x80) {
      bytes[at++] = (distance & 0x7f) | 0x80
      distance >>>= 7
    }
    bytes[at++] = distance
  }
  return bytes.slice(0, at)
}

const encodeBits = (documents: Uint32Array, first: number, length: number): Uint8Array => {
  const bytes = new Uint8Array(1 + length)
  bytes[0] = BITS
  for (const document of documents) {
    const offset = document - first
    const at = 1 + (offset >> 3)
    bytes[at] = (bytes[at] ?? 0) | (1 << (offset & 7))
  }
  return bytes
}

/** Decodes a posting list. Calls `each` with every document, ascending. */
export const forEach = (posting: Posting, { first }: Segment, each: (document: number) => void): void => {
  if (typeof posting === "number") return each(posting)
  if (posting[0] === BITS) {
    for (let at = 1; at < posting.length; at++) {
      let byte = posting[at] ?? 0
      while (byte !== 0) {
        const lowest = byte & -byte
        each(first + (at - 1) * 8 + (31 - Math.clz32(lowest)))
        byte ^= lowest
      }
    }
    return
  }
  forEachDistance(posting, first - 1, each)
}

/** Decodes the result of `encodeDistances`. Calls `each` with every number, ascending. */
export const forEachDistance = (bytes: Uint8Array, before: number, each: (number: number) => void): void => {
  let last = before
  let distance = 0
  let shift = 0
  for (let at = 1; at < bytes.length; at++) {
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

/** Reads a posting list from a database column. */
export const read = (value: unknown): Posting => (value instanceof Uint8Array ? value : Number(value))
