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
  readonly reader: ContentsReader
  readonly file: number
}

/** Reads contents from index files. For workers, which open the files only to read. */
export class IndexContents implements StoredContents {
  readonly #open = new LruCache<OpenIndex>(MAX_OPEN)
  /** Index files that were not replaced since `refresh`. */
  readonly #checked = new Map<string, OpenIndex>()

  refresh(): void {
    this.#checked.clear()
  }

  read({ chunks, document, file, inode, layout }: IndexedContent, isWhole: boolean): PartialText | undefined {
    try {
      const stored = this.#reader(file, inode)?.document(document, layout)
      return stored === undefined ? undefined : new PartialText(stored, isWhole ? undefined : chunks)
    } catch {
      // The file was replaced or is damaged. Then the content is read from git.
      return undefined
    }
  }

  #reader(filename: string, inode: number): ContentsReader | undefined {
    const checked = this.#checked.get(filename)
    if (checked?.file === inode) return checked.reader
    const file = statSync(filename, { throwIfNoEntry: false })?.ino
    // The documents of another file have other numbers.
    if (file === undefined || file !== inode) return undefined
    const known = this.#open.get(filename)
    const open = known?.file === file ? known : { reader: this.#connect(filename), file }
    this.#open.set(filename, open)
    this.#checked.set(filename, open)
    return open.reader
  }

  #connect(filename: string): ContentsReader {
    return new ContentsReader(new DatabaseSync(filename, { readOnly: true }))
  }
}
