/** The files of a repository in memory, as a search goes through them: a column for each property. */
import type { DatabaseSync } from "node:sqlite"
import * as Ranking from "../Ranking.ts"

export class FileTable {
  readonly paths: Array<string> = []
  readonly documents: Array<number> = []
  readonly sizes: Array<number> = []
  #names: ReadonlyArray<string> | undefined
  readonly #worth: Float32Array

  constructor(database: DatabaseSync, repository: number) {
    const leftOut = new Set<unknown>()
    for (const { id } of database.prepare("SELECT id FROM documents WHERE reason IS NOT NULL").iterate()) {
      leftOut.add(id)
    }
    const statement = database.prepare("SELECT path, document, size FROM files WHERE repository = ? ORDER BY path")
    // In half the time that objects take: after every push, all of them are read again.
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

  /** The names of the files, plain. */
  get names(): ReadonlyArray<string> {
    return (this.#names ??= this.paths.map((path) => Ranking.plainName(path.slice(path.lastIndexOf("/") + 1))))
  }

  /** What the path of a file is worth to any query. */
  worth(file: number): number {
    const known = this.#worth[file] ?? Number.NaN
    if (!Number.isNaN(known)) return known
    return (this.#worth[file] = Ranking.ofPath(this.paths[file] ?? ""))
  }
}
