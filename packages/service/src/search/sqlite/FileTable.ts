import type { DatabaseSync } from "node:sqlite"
import * as Ranking from "../Ranking.ts"
import { fold } from "../text/Fold.ts"
import { BitSet } from "./BitSet.ts"

/** The searchable files of a repository in memory, ordered by path, with one array per column. */
export class FileTable {
  readonly commit: string
  readonly documents: Uint32Array
  readonly sizes: Float64Array
  readonly #paths: Texts
  #folded: Texts | undefined
  #names: Texts | undefined
  readonly #worth: Float32Array
  #distinct: ReadonlySet<number> | undefined

  constructor(database: DatabaseSync, repository: number, commit: string) {
    this.commit = commit
    const statement = database.prepare(
      `SELECT path, document, files.size FROM files JOIN documents ON documents.id = document
      WHERE repository = ? AND reason IS NULL ORDER BY path`
    )
    // Rows as arrays take half the time of objects, which matters because every push reloads all rows.
    statement.setReturnArrays(true)
    const rows = statement.iterate(repository) as Iterable<unknown> as Iterable<readonly [string, number, number]> // oxlint-disable-line typescript/no-unsafe-type-assertion -- the columns above, none of which is null
    const paths: Array<string> = []
    const documents: Array<number> = []
    const sizes: Array<number> = []
    for (const [path, document, size] of rows) {
      paths.push(path)
      documents.push(document)
      sizes.push(size)
    }
    this.#paths = Texts.of(paths)
    this.documents = Uint32Array.from(documents)
    this.sizes = Float64Array.from(sizes)
    this.#worth = new Float32Array(paths.length).fill(Number.NaN)
  }

  get length(): number {
    return this.documents.length
  }

  /** True if a file has the document. */
  has(document: number): boolean {
    return (this.#distinct ??= new Set(this.documents)).has(document)
  }

  path(file: number): string {
    return this.#paths.at(file)
  }

  /** Returns the files whose paths contain a text, ignoring case. A text with line feeds can give others, too. */
  withPart(text: string): BitSet {
    this.#folded ??= this.#paths.folded()
    return this.#folded.containing(fold(text), new BitSet(this.length))
  }

  /** Returns the files whose names, as normalized by `Ranking.calledOf`, contain one of the names. */
  called(names: ReadonlyArray<string>): BitSet {
    const found = new BitSet(this.length)
    if (names.length === 0) return found
    this.#names ??= this.#paths.map((path) => Ranking.calledOf(path))
    for (const name of names) this.#names.containing(name, found)
    return found
  }

  /** Returns the normalized name of a file. */
  name(file: number): string {
    return this.#names?.at(file) ?? Ranking.calledOf(this.path(file))
  }

  /** Returns the part of a file's rank that depends only on the path. */
  worth(file: number): number {
    const known = this.#worth[file] ?? Number.NaN
    if (!Number.isNaN(known)) return known
    return (this.#worth[file] = Ranking.ofPath(this.path(file)))
  }

  /**
   * True if the path ends with the path of another file of at least three names, or two names if the files have a
   * similar size, because unrelated files can be called `src/index.ts`.
   */
  isCopy(path: string, size: number): boolean {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      const names = path.slice(at + 1).split("/").length
      if (names < 2) return false
      const original = this.#paths.indexOf(path.slice(at + 1))
      if (original === undefined) continue
      const ratio = size / Math.max(1, this.sizes[original] ?? 0)
      if (names > 2 || (ratio > 0.5 && ratio < 2)) return true
    }
    return false
  }
}

/** Length of texts from which `Texts` remembers where characters occur, and number of the hashes of three characters. */
const LARGE_TEXT = 1 << 18
const THREES = 1 << 18

/** Number of parts of large texts, one for each bit of a number. */
const PARTS = 32

/** Returns the hash of the three characters up to an offset. */
const hashOfThree = (text: string, at: number): number =>
  (text.charCodeAt(at - 2) * 0x1f01 + text.charCodeAt(at - 1) * 0x7f + text.charCodeAt(at)) & (THREES - 1)

/** Texts in one string, which takes less memory than many, and in which a search takes a fraction of the time. */
class Texts {
  readonly #text: string
  /** Offset behind each text. */
  readonly #ends: Uint32Array
  /** The parts of the texts with three consecutive characters, as bits, by hash. Computed on first use. */
  #threes: Uint32Array | undefined

  constructor(text: string, ends: Uint32Array) {
    this.#text = text
    this.#ends = ends
  }

  static of(texts: ReadonlyArray<string>): Texts {
    let end = -1
    const ends = Uint32Array.from(texts, ({ length }) => (end += length + 1))
    return new Texts(texts.join("\n"), ends)
  }

  get length(): number {
    return this.#ends.length
  }

  at(index: number): string {
    return this.#text.slice(this.#offsetOf(index), this.#ends[index])
  }

  map(change: (text: string) => string): Texts {
    return Texts.of(Array.from(this.#ends, (_, index) => change(this.at(index))))
  }

  folded(): Texts {
    const isAscii = !/[^\0-\x7f]/.test(this.#text)
    return new Texts(isAscii ? this.#text.toLowerCase() : fold(this.#text), this.#ends)
  }

  /** Adds the texts that contain a text to `found`. */
  containing(contained: string, found: BitSet): BitSet {
    if (this.#text.length < LARGE_TEXT) return this.#find(contained, 0, this.length, found)
    const parts = this.#partsWith(contained)
    for (let part = 0; part < PARTS; part++) {
      if (((parts >>> part) & 1) === 0) continue
      const first = part
      while (part + 1 < PARTS && ((parts >>> (part + 1)) & 1) === 1) part++
      this.#find(contained, this.#startOf(first), this.#startOf(part + 1), found)
    }
    return found
  }

  /** Adds the texts from `first` up to, but without, `end` that contain a text to `found`. */
  #find(contained: string, first: number, end: number, found: BitSet): BitSet {
    const start = this.#offsetOf(first)
    const text = this.#text.slice(start, this.#ends[end - 1])
    for (let from = 0; from <= text.length;) {
      const at = text.indexOf(contained, from)
      if (at === -1) break
      const index = this.#indexAt(start + at)
      found.add(index)
      from = (this.#ends[index] ?? this.#text.length) + 1 - start
    }
    return found
  }

  /** Returns the parts that have all of three consecutive characters of a text, as bits. */
  #partsWith(text: string): number {
    const threes = (this.#threes ??= this.#readThrees())
    let parts = -1
    for (let at = 2; at < text.length && parts !== 0; at++) parts &= threes[hashOfThree(text, at)] ?? 0
    return parts
  }

  #readThrees(): Uint32Array {
    const threes = new Uint32Array(THREES)
    for (let part = 0; part < PARTS; part++) {
      const end = this.#ends[this.#startOf(part + 1) - 1] ?? 0
      for (let at = this.#offsetOf(this.#startOf(part)) + 2; at < end; at++) {
        const hash = hashOfThree(this.#text, at)
        threes[hash] = (threes[hash] ?? 0) | (1 << part)
      }
    }
    return threes
  }

  /** Returns the index of the first text of a part. */
  #startOf(part: number): number {
    return Math.floor((part * this.length) / PARTS)
  }

  #offsetOf(index: number): number {
    return index === 0 ? 0 : (this.#ends[index - 1] ?? 0) + 1
  }

  /** Finds a text by binary search. The texts must ascend. */
  indexOf(text: string): number | undefined {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.at(middle) < text) low = middle + 1
      else high = middle
    }
    return low < this.length && this.at(low) === text ? low : undefined
  }

  /** Returns the index of the text at an offset. */
  #indexAt(offset: number): number {
    let low = 0
    let high = this.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ends[middle] ?? 0) < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}
