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

/** Length of texts from which `Texts` remembers their characters, and number of the hashes of three characters. */
const LARGE_TEXT = 1 << 18
const THREES = 1 << 18

/** Returns the hash of the three characters up to an offset. */
const hashOfThree = (text: string, at: number): number =>
  (text.charCodeAt(at - 2) * 0x1f01 + text.charCodeAt(at - 1) * 0x7f + text.charCodeAt(at)) & (THREES - 1)

/** Texts in one string, which takes less memory than many, and in which a search takes a fraction of the time. */
class Texts {
  readonly #text: string
  /** Offset behind each text. */
  readonly #ends: Uint32Array
  /** Hashes of three consecutive characters, computed on first use. */
  #threes: BitSet | undefined

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
    return this.#text.slice(index === 0 ? 0 : (this.#ends[index - 1] ?? 0) + 1, this.#ends[index])
  }

  map(change: (text: string) => string): Texts {
    return Texts.of(Array.from(this.#ends, (_, index) => change(this.at(index))))
  }

  folded(): Texts {
    const isAscii = !/[^\0-\x7f]/.test(this.#text)
    return new Texts(isAscii ? this.#text.toLowerCase() : fold(this.#text), this.#ends)
  }

  /** Adds the texts that contain a part to `found`. */
  containing(part: string, found: BitSet): BitSet {
    if (!this.#mayContain(part)) return found
    for (let at = this.#text.indexOf(part); at !== -1;) {
      const index = this.#indexAt(at)
      found.add(index)
      const end = this.#ends[index] ?? this.#text.length
      at = this.#text.indexOf(part, end + 1)
    }
    return found
  }

  /** False if the texts lack three consecutive characters of a part. True for few texts, which are searched as fast. */
  #mayContain(part: string): boolean {
    const text = this.#text
    if (text.length < LARGE_TEXT) return true
    if (this.#threes === undefined) {
      this.#threes = new BitSet(THREES)
      for (let at = 2; at < text.length; at++) this.#threes.add(hashOfThree(text, at))
    }
    for (let at = 2; at < part.length; at++) if (!this.#threes.has(hashOfThree(part, at))) return false
    return true
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
