/** Reads and parses files of a commit. For workers, which do not use Effect. */
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import { LruCache } from "../../base/LruCache.ts"
import type { BlobReader } from "../BlobReader.ts"
import * as DocumentText from "../text/DocumentText.ts"
import * as WorkLimit from "./WorkLimit.ts"

/** Maximum number of characters in all cached files together. A parsed file takes about ten bytes per character. */
const MAX_CACHED = 8_000_000

/** Maximum number of cached texts of included files, by their characters. */
const MAX_LINKS = 4_000_000

/** Maximum number of bytes of a listed folder, and of cached listings. */
const MAX_FOLDER = 1_000_000

/** Milliseconds of CPU time to parse one file. */
const PARSE_MILLIS = 400

/** A commit of a repository. */
export interface Commit {
  readonly gitDir: string
  readonly commit: string
}

/** Caches parsed files and facts about files, by commit and path. */
export class RepositoryFiles {
  readonly #blobs: BlobReader
  readonly #files = new LruCache<SourceFile.SourceFile | "none">(MAX_CACHED)
  readonly #folders = new LruCache<ReadonlyArray<string>>(MAX_FOLDER)
  readonly #facts = new LruCache<unknown>(MAX_LINKS)

  constructor(blobs: BlobReader) {
    this.#blobs = blobs
  }

  /** Returns the text of a file of at most `maxLength` bytes. Undefined for a missing or longer file. */
  async text(
    { commit, gitDir }: Commit,
    path: string,
    maxLength: number = SourceFile.MAX_LENGTH
  ): Promise<string | undefined> {
    // Git reads one name per line.
    if (!/^[0-9a-f]{40,64}$/.test(commit) || /[\0-\x1f\x7f]/.test(path) || path === "") return undefined
    try {
      const blob = await this.#blobs.read(gitDir, `${commit}:${path}`, maxLength)
      const read = blob?.bytes === undefined ? undefined : DocumentText.read(blob.bytes)
      return read?._tag === "Text" ? read.text : undefined
    } catch {
      // An unreadable file is as good as none.
      return undefined
    }
  }

  /** Returns a parsed file. Undefined for a missing file, or a file without a grammar. */
  async file(at: Commit, path: string): Promise<SourceFile.SourceFile | undefined> {
    if (!SourceFile.isSupported(path)) return undefined
    const key = `${at.commit}:${path} ${at.gitDir}`
    const known = this.#files.get(key)
    if (known !== undefined) return known === "none" ? undefined : known
    const text = await this.text(at, path)
    const file =
      text === undefined ? undefined : await SourceFile.parse(path, text, { isOver: WorkLimit.make(PARSE_MILLIS) })
    this.#files.set(key, file ?? "none", 200 + (file?.text.length ?? 0))
    return file
  }

  /**
   * Returns a fact about a file, which `find` computes from its text once. `find` gets undefined if there is no file.
   */
  async fact<A>(
    at: Commit,
    path: string,
    name: string,
    find: (text: string | undefined) => readonly [A, number]
  ): Promise<A> {
    const key = `${name} ${at.commit}:${path} ${at.gitDir}`
    const known = this.#facts.get(key)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name of a fact has one type
    if (known !== undefined) return (known as { readonly value: A }).value
    const [value, size] = find(await this.text(at, path))
    this.#facts.set(key, { value }, 100 + size)
    return value
  }

  /** Returns the paths of the files in a folder. Empty for a missing folder. */
  async folder(at: Commit, path: string): Promise<ReadonlyArray<string>> {
    const key = `${at.commit}:${path} ${at.gitDir}`
    const known = this.#folders.get(key)
    if (known !== undefined) return known
    let names: ReadonlyArray<string> | undefined
    try {
      names = await this.#blobs.files(at.gitDir, `${at.commit}:${path}`, MAX_FOLDER)
    } catch {
      // An unreadable folder is as good as none.
    }
    const found = (names ?? []).map((name) => (path === "" ? name : `${path}/${name}`))
    this.#folders.set(key, found, 1 + found.length * 40)
    return found
  }

  /** True if there is a text file at the path. */
  exists(at: Commit, path: string): Promise<boolean> {
    return this.fact(at, path, "exists", (text) => [text !== undefined, 1])
  }
}
