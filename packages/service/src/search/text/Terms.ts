/**
 * What the index knows of a file: every three bytes that follow each other in a line of its text, folded and in UTF-8,
 * the last two of a line with its end; and the names that it defines, hashed. Each is a number, its term.
 */
import { fold } from "./Fold.ts"

/** Terms of three bytes are below this, those of names from here on. */
const trigrams = 1 << 24
const names = 1 << 22

export const count = trigrams + names

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** The term of a defined name. Names that share one cost a candidate. */
export const ofName = (name: string): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(fold(name))) hash = Math.imul(hash ^ byte, 0x01000193)
  return trigrams + ((hash ^ (hash >>> 22)) & (names - 1))
}

/** The terms that every text has in which `part` stands; none where it is too short to tell. */
export const ofPart = (part: string): ReadonlyArray<number> => {
  const bytes = Buffer.from(fold(part))
  const found = new Set<number>()
  for (let at = 2; at < bytes.length; at++) {
    const three = bytes.subarray(at - 2, at + 1)
    if (!three.includes(lineFeed) && !three.includes(carriageReturn)) found.add(three.readUIntBE(0, 3))
  }
  return [...found]
}

/** A range of terms, both ends inclusive, one of which every text has in which `part` stands: of two bytes only. */
export const ofPair = (part: string): readonly [number, number] | undefined => {
  const bytes = Buffer.from(fold(part))
  const [first, second] = bytes
  if (bytes.length !== 2 || first === undefined || second === undefined) return undefined
  return [(first << 16) | (second << 8), (first << 16) | (second << 8) | 0xff]
}

const lower = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte))

/** Collects the different terms of one text after the other. It holds 21 MB. */
export class Collector {
  readonly #stamps = new Uint8Array(count)
  #generation = 0
  #found = new Uint32Array(1 << 16)
  #length = 0

  /** The terms of a text and the names that it defines, in no order, until the next call. */
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
    const room = this.#length + bytes.length + 1
    if (room > this.#found.length) this.#found = new Uint32Array(room * 2)
    const stamps = this.#stamps
    const generation = this.#generation
    const found = this.#found
    let length = this.#length
    let term = 0
    let have = 0
    // One more than there are: the text's end is the end of a line.
    for (let at = 0; at <= bytes.length; at++) {
      const byte = lower[bytes[at] ?? lineFeed] ?? lineFeed
      const isEnd = byte === lineFeed || byte === carriageReturn
      term = ((term << 8) | (isEnd ? lineFeed : byte)) & 0xffffff
      have = isEnd && have < 2 ? 0 : have + 1
      const isWhole = have >= 3
      if (isEnd) have = 0
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
