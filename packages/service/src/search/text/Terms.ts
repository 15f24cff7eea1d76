/**
 * Terms of the index, as numbers: each trigram of UTF-8 bytes within a line of the folded text (the last two bytes of a
 * line form one with the line ending), hashes of the defined names, hashes of one in eight runs of six word bytes, and
 * hashes of the imported files. Runs are rarer than trigrams, many of which occur together in a file by chance.
 */
import { fold } from "./Fold.ts"

/**
 * Sizes of the ranges of term numbers, in this order: trigrams, hashed names, hashed runs of six bytes, hashed imports.
 */
const TRIGRAMS = 1 << 24
const NAMES = 1 << 22
const RUNS = 1 << 22
const IMPORTS = 1 << 20

/** Number of all possible terms. */
export const COUNT = TRIGRAMS + NAMES + RUNS + IMPORTS

/** Number of word bytes in an indexed run. */
const RUN_LENGTH = 6

/** Returns the term of a run of six bytes, passed as two trigrams, or 0 for the seven of eight runs not indexed. */
const ofRun = (first: number, second: number): number => {
  let hash = Math.imul(first ^ 0x9e3779b1, 0x85ebca6b)
  hash = Math.imul((hash ^ (hash >>> 15)) + second, 0xc2b2ae35)
  hash ^= hash >>> 13
  return (hash & 7) === 0 ? TRIGRAMS + NAMES + (hash >>> 10) : 0
}

/** Table with 1 for each byte of a folded word: lower-case ASCII letters, digits and `_`. */
const inWord = Uint8Array.from({ length: 256 }, (_, byte) => (/[a-z0-9_]/.test(String.fromCharCode(byte)) ? 1 : 0))

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Returns the term of a defined name, ignoring case. A hash collision only adds a candidate. */
export const ofName = (name: string): number => {
  const hash = hashOf(name)
  return TRIGRAMS + ((hash ^ (hash >>> 22)) & (NAMES - 1))
}

/**
 * Returns the term of a defined name that few searches mean: a field or a declaration. The rank of a file ignores this
 * term, because thousands of files have a field `len`.
 */
export const ofSecondaryName = (name: string): number => ofName(`.${name}`)

/** Returns the term of an imported file by key (`symbols/Imports`), ignoring case. */
export const ofImport = (key: string): number => {
  const hash = hashOf(key)
  return TRIGRAMS + NAMES + RUNS + ((hash ^ (hash >>> 20)) & (IMPORTS - 1))
}

const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(fold(text))) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash
}

/** Returns the terms of every text with the substring `part`, runs first. Empty if `part` is shorter than 3 bytes. */
export const ofPart = (part: string): ReadonlyArray<number> => {
  const bytes = Buffer.from(fold(part))
  const three = (end: number) => bytes.readUIntBE(end - 3, 3)
  const found = new Set<number>()
  // Runs come first, because runs have shorter posting lists.
  for (let end = 1, run = 0; end <= bytes.length; end++) {
    run = inWord[bytes[end - 1] ?? 0] === 1 ? run + 1 : 0
    const term = run >= RUN_LENGTH ? ofRun(three(end - 3), three(end)) : 0
    if (term !== 0) found.add(term)
  }
  for (let end = 3; end <= bytes.length; end++) {
    const letters = bytes.subarray(end - 3, end)
    if (!letters.includes(LINE_FEED) && !letters.includes(CARRIAGE_RETURN)) found.add(three(end))
  }
  return [...found]
}

/**
 * Returns an inclusive range of terms, at least one of which is in every text with the substring `part`. Undefined
 * unless `part` has exactly 2 bytes.
 */
export const ofPair = (part: string): readonly [number, number] | undefined => {
  const bytes = Buffer.from(fold(part))
  const [first, second] = bytes
  if (bytes.length !== 2 || first === undefined || second === undefined) return undefined
  return [(first << 16) | (second << 8), (first << 16) | (second << 8) | 0xff]
}

/** Flags of a byte in `classes`, besides the lower-case byte itself: part of a word, and end of a line. */
const IS_WORD_BYTE = 0x100
const IS_LINE_END = 0x200

const classes = Uint16Array.from({ length: 256 }, (_, byte) => {
  if (byte === LINE_FEED || byte === CARRIAGE_RETURN) return LINE_FEED | IS_LINE_END
  const lower = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
  return lower | (inWord[lower] === 1 ? IS_WORD_BYTE : 0)
})

/** Number of bytes between the checks that the array of found terms has room. */
const BLOCK = 1 << 16

/** Length of the array of found terms, except for large texts. */
const USUAL_LENGTH = 4 * BLOCK

/** Collects the distinct terms of texts. Reuse a collector, because each takes 3 MB of memory. */
export class Collector {
  /** A bit for each term, 1 for a found term. */
  readonly #bits = new Int32Array((COUNT + 31) >>> 5)
  #found = new Uint32Array(USUAL_LENGTH)
  #length = 0
  #lines = 0
  /** Buffer for texts of the usual size. */
  readonly #bytes = Buffer.allocUnsafeSlow(USUAL_LENGTH)

  /** Number of line feeds in the last text. */
  get lines(): number {
    return this.#lines
  }

  /**
   * Returns the terms of a text with further terms, for example of names and imports, unordered. ASCII text can be passed
   * as bytes. The array is valid until the next call.
   */
  collect(text: string | Uint8Array, others: ReadonlyArray<number>): Uint32Array {
    for (let at = 0; at < this.#length; at++) this.#bits[(this.#found[at] ?? 0) >>> 5] = 0
    this.#length = 0
    if (this.#found.length > 4 * USUAL_LENGTH) this.#found = new Uint32Array(USUAL_LENGTH)
    this.#addText(typeof text === "string" ? this.#encode(text) : text)
    for (const term of others) this.#add(term)
    return this.#found.subarray(0, this.#length)
  }

  #addText(bytes: Uint8Array): void {
    const bits = this.#bits
    // The six latest bytes as two trigrams, and the number of bytes of the line and of the word.
    let [earlier, term, have, run, lines] = [0, 0, 0, 0, 0]
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(at + BLOCK, bytes.length)
      const found = this.#reserve(2 * BLOCK)
      let length = this.#length
      for (; at < end; at++) {
        const byte = classes[bytes[at] ?? 0] ?? 0
        earlier = ((earlier << 8) | (term >>> 16)) & 0xffffff
        term = ((term << 8) | (byte & 0xff)) & 0xffffff
        // A term is written in any case, and counts if it is new, because a branch would often be predicted wrongly.
        if (++have >= 3) {
          const word = bits[term >>> 5] ?? 0
          bits[term >>> 5] = word | (1 << (term & 31))
          found[length] = term
          length += ((word >>> (term & 31)) & 1) ^ 1
        }
        if (byte < IS_WORD_BYTE) run = 0
        else if ((byte & IS_LINE_END) !== 0) {
          // The end of a line forms a term with the two preceding bytes, and no term with following bytes.
          have = run = 0
          if (bytes[at] === LINE_FEED) lines++
        } else if (++run >= RUN_LENGTH) {
          const ofSix = ofRun(earlier, term)
          if (ofSix === 0) continue
          const word = bits[ofSix >>> 5] ?? 0
          bits[ofSix >>> 5] = word | (1 << (ofSix & 31))
          found[length] = ofSix
          length += ((word >>> (ofSix & 31)) & 1) ^ 1
        }
      }
      this.#length = length
    }
    // The end of the text also ends a line.
    if (have >= 2) this.#add(((term << 8) | LINE_FEED) & 0xffffff)
    this.#lines = lines
  }

  #add(term: number): void {
    const word = this.#bits[term >>> 5] ?? 0
    const bit = 1 << (term & 31)
    if ((word & bit) !== 0) return
    this.#bits[term >>> 5] = word | bit
    this.#reserve(1)[this.#length++] = term
  }

  /** Returns the array of found terms, with room for more. */
  #reserve(more: number): Uint32Array {
    const found = this.#found
    if (this.#length + more < found.length) return found
    const larger = new Uint32Array((this.#length + more) * 2)
    larger.set(found.subarray(0, this.#length))
    return (this.#found = larger)
  }

  /** Returns the bytes of a folded text. */
  #encode(text: string): Uint8Array {
    // The loop of the caller lowers the case of ASCII letters.
    const isPlain = !/[^\0-\x7f]/.test(text)
    const folded = isPlain ? text : fold(text)
    const length = isPlain ? text.length : Buffer.byteLength(folded)
    const bytes = length <= this.#bytes.length ? this.#bytes : Buffer.allocUnsafeSlow(length)
    bytes.write(folded, isPlain ? "latin1" : "utf8")
    return bytes.subarray(0, length)
  }
}
