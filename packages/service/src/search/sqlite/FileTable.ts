import type { DatabaseSync } from "node:sqlite"
import * as Ranking from "../Ranking.ts"

/** The searchable files of a repository in memory, ordered by path, with one array per column. */
export class FileTable {
  readonly paths: Array<string> = []
  readonly documents: Array<number> = []
  readonly sizes: Array<number> = []
  readonly commit: string
  #names: ReadonlyArray<string> | undefined
  readonly #worth: Float32Array

  constructor(database: DatabaseSync, repository: number, commit: string) {
    this.commit = commit
    const leftOut = new Set<unknown>()
    for (const { id } of database.prepare("SELECT id FROM documents WHERE reason IS NOT NULL").iterate()) {
      leftOut.add(id)
    }
    const statement = database.prepare("SELECT path, document, size FROM files WHERE repository = ? ORDER BY path")
    // Rows as arrays take half the time of objects, which matters because every push reloads all rows.
    statement.setReturnArrays(true)
    const rows = statement.iterate(repository) as Iterable<unknown> as Iterable<readonly [string, number, number]> // oxlint-disable-line typescript/no-unsafe-type-assertion -- the columns above, none of which is null
    for (const [path, document, size] of rows) {
      if (leftOut.has(document)) continue
      this.paths.push(path)
      this.documents.push(document)
      this.sizes.push(size)
    }
    this.#worth = new Float32Array(this.paths.length).fill(Number.NaN)
  }

  /** File names as normalized by `Ranking.calledOf`, computed on first use. */
  get names(): ReadonlyArray<string> {
    return (this.#names ??= this.paths.map(Ranking.calledOf))
  }

  /** Returns the part of a file's rank that depends only on the path. */
  worth(file: number): number {
    const known = this.#worth[file] ?? Number.NaN
    if (!Number.isNaN(known)) return known
    return (this.#worth[file] = Ranking.ofPath(this.paths[file] ?? ""))
  }

  /**
   * True if the path ends with the path of another file of at least three names, or two names if the files have a
   * similar size, because unrelated files can be called `src/index.ts`.
   */
  isCopy(path: string, size: number): boolean {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      const names = path.slice(at + 1).split("/").length
      if (names < 2) return false
      const original = indexOf(this.paths, path.slice(at + 1))
      if (original === undefined) continue
      const ratio = size / Math.max(1, this.sizes[original] ?? 0)
      if (names > 2 || (ratio > 0.5 && ratio < 2)) return true
    }
    return false
  }
}

/** Finds a text in an ascending array by binary search. */
const indexOf = (sorted: ReadonlyArray<string>, text: string): number | undefined => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? "") < text) low = middle + 1
    else high = middle
  }
  return sorted[low] === text ? low : undefined
}
