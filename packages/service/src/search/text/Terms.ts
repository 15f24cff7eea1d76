/**
 * Terms of the index, as numbers: each trigram of UTF-8 bytes within a line of the folded text (the last two bytes of a
 * line form one with the line ending), hashes of the defined names, and hashes of one in eight runs of six word bytes.
 * Runs are rarer than trigrams, many of which occur together in a file by chance.
 */
import { fold } from "./Fold.ts"

/** Sizes of the ranges of term numbers, in this order: trigrams, hashed names, hashed runs of six bytes. */
const trigrams = 1 << 24
const names = 1 << 22
const runs = 1 << 22

/** Number of all possible terms. */
export const count = trigrams + names + runs

/** Number of word bytes in an indexed run. */
const runLength = 6

/** Returns the term of a run of six bytes, passed as two trigrams, or 0 for the seven of eight runs not indexed. */
const ofRun = (first: number, second: number): number => {
  let hash = Math.imul(first ^ 0x9e3779b1, 0x85ebca6b)
  hash = Math.imul((hash ^ (hash >>> 15)) + second, 0xc2b2ae35)
  hash ^= hash >>> 13
  return (hash & 7) === 0 ? trigrams + names + (hash >>> 10) : 0
}

/** Table with 1 for each byte that is part of a folded word: lower-case ASCII letters, digits and `_`. */
const inWord = Uint8Array.from({ length: 256 }, (_, byte) => (/[a-z0-9_]/.test(String.fromCharCode(byte)) ? 1 : 0))

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Returns the term of a defined name, ignoring case. A hash collision only adds a candidate. */
export const ofName = (name: string): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(fold(name))) hash = Math.imul(hash ^ byte, 0x01000193)
  return trigrams + ((hash ^ (hash >>> 22)) & (names - 1))
}

/** Returns the terms of every text with the substring `part`, runs first. Empty if `part` is shorter than 3 bytes. */
export const ofPart = (part: string): ReadonlyArray<number> => {
  const bytes = Buffer.from(fold(part))
  const three = (end: number) => bytes.readUIntBE(end - 3, 3)
  const found = new Set<number>()
  // Runs come first because they have shorter posting lists.
  for (let end = 1, run = 0; end <= bytes.length; end++) {
    run = inWord[bytes[end - 1] ?? 0] === 1 ? run + 1 : 0
    const term = run >= runLength ? ofRun(three(end - 3), three(end)) : 0
    if (term !== 0) found.add(term)
  }
  for (let end = 3; end <= bytes.length; end++) {
    const letters = bytes.subarray(end - 3, end)
    if (!letters.includes(lineFeed) && !letters.includes(carriageReturn)) found.add(three(end))
  }
  return [...found]
}

/**
 * Returns an inclusive range of terms. Every text with the substring `part` has one of them. Undefined unless `part` has
 * exactly 2 bytes.
 */
export const ofPair = (part: string): readonly [number, number] | undefined => {
  const bytes = Buffer.from(fold(part))
  const [first, second] = bytes
  if (bytes.length !== 2 || first === undefined || second === undefined) return undefined
  return [(first << 16) | (second << 8), (first << 16) | (second << 8) | 0xff]
}

const lower = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte))

/** Collects the distinct terms of texts. Reuse a collector, because each takes 25 MB of memory. */
export class Collector {
  readonly #stamps = new Uint8Array(count)
  #generation = 0
  #found = new Uint32Array(1 << 16)
  #length = 0

  /** Returns the terms of a text and of the names it defines, unordered. The array is valid until the next call. */
  collect(text: string, defined: ReadonlyArray<string>): Uint32Array {
    this.#begin()
    this.#addText(text)
    for (const name of defined) this.#add(ofName(name))
    return this.#found.subarray(0, this.#length)
  }

  #begin(): void {
    this.#length = 0
    this.#generation = (this.#generation + 1) & 0xff
    if (this.#generation !== 0) return
    this.#stamps.fill(0)
    this.#generation = 1
  }

  #addText(text: string): void {
    const isPlain = !/[^\0-\x7f]/.test(text)
    const bytes = isPlain ? Buffer.from(text, "latin1") : Buffer.from(fold(text))
    const room = this.#length + 2 * bytes.length + 1
    if (room > this.#found.length) this.#found = new Uint32Array(room * 2)
    const stamps = this.#stamps
    const generation = this.#generation
    const found = this.#found
    let length = this.#length
    let term = 0
    let have = 0
    // Trigrams that end three, two and one bytes before the current byte.
    let [before, before1, before2] = [0, 0, 0]
    let run = 0
    // One step beyond the last byte: the end of the text also ends a line.
    for (let at = 0; at <= bytes.length; at++) {
      const byte = lower[bytes[at] ?? lineFeed] ?? lineFeed
      before = before1
      before1 = before2
      before2 = term
      run = inWord[byte] === 1 ? run + 1 : 0
      const isEnd = byte === lineFeed || byte === carriageReturn
      term = ((term << 8) | (isEnd ? lineFeed : byte)) & 0xffffff
      have = isEnd && have < 2 ? 0 : have + 1
      const isWhole = have >= 3
      if (isEnd) have = 0
      const ofSix = run >= runLength ? ofRun(before, term) : 0
      if (ofSix !== 0 && stamps[ofSix] !== generation) {
        stamps[ofSix] = generation
        found[length++] = ofSix
      }
      if (!isWhole || stamps[term] === generation) continue
      stamps[term] = generation
      found[length++] = term
    }
    this.#length = length
  }

  #add(term: number): void {
    if (this.#stamps[term] === this.#generation) return
    this.#stamps[term] = this.#generation
    if (this.#length === this.#found.length) {
      const larger = new Uint32Array(this.#length * 2)
      larger.set(this.#found)
      this.#found = larger
    }
    this.#found[this.#length++] = term
  }
}
