import { statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { LruCache } from "../../base/LruCache.ts"
import type { IndexedContent } from "../CodeIndex.ts"
import type { StoredContents } from "../ContentSearch.ts"
import { ContentsReader } from "./Contents.ts"
import { PartialText } from "../text/PartialText.ts"

/** Maximum number of open index files. */
const MAX_OPEN = 64

/** An open index file. */
interface OpenIndex {
  readonly database: DatabaseSync
  readonly reader: ContentsReader
  readonly inode: number
}

/** Reads contents from index files. For workers, which open the files only to read. */
export class IndexContents implements StoredContents {
  readonly #open = new LruCache<OpenIndex>(MAX_OPEN)

  read(contents: ReadonlyArray<IndexedContent>, isWhole: boolean): ReadonlyArray<PartialText | undefined> {
    const indexes = new Map<string, OpenIndex | undefined>()
    try {
      return contents.map(({ chunks, document, file, inode, layout }) => {
        if (!indexes.has(file)) indexes.set(file, this.#begin(file))
        const index = indexes.get(file)
        // The documents of another file have other numbers.
        if (index?.inode !== inode) return undefined
        try {
          return new PartialText(index.reader.document(document, layout), isWhole ? undefined : chunks)
        } catch {
          return undefined
        }
      })
    } finally {
      for (const index of indexes.values()) if (index?.database.isTransaction === true) index.database.exec("ROLLBACK")
    }
  }

  /** Opens an index file, and begins a transaction, without which SQLite locks the file for each chunk. */
  #begin(filename: string): OpenIndex | undefined {
    try {
      const inode = statSync(filename, { throwIfNoEntry: false })?.ino
      if (inode === undefined) return undefined
      const known = this.#open.get(filename)
      if (known !== undefined && known.inode !== inode) known.database.close()
      const open = known?.inode === inode ? known : this.#connect(filename, inode)
      this.#open.set(filename, open)
      if (!open.database.isTransaction) open.database.exec("BEGIN")
      return open
    } catch {
      return undefined
    }
  }

  #connect(filename: string, inode: number): OpenIndex {
    const database = new DatabaseSync(filename, { readOnly: true })
    return { database, reader: new ContentsReader(database), inode }
  }
}
