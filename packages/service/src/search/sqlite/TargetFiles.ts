/** The files of a search target, relative to the indexed commit of the repository. */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { LruCache } from "../../base/LruCache.ts"
import type { SearchTarget } from "../CodeIndex.ts"
import * as TreeDiff from "./TreeDiff.ts"

/** Maximum number of files in all cached differences together. */
const MAX_FILES = 500_000

/** A file that the indexed commit lacks, or has with another content. */
export interface DifferentFile {
  readonly path: string
  /** Number of the document. 0 if the content is not indexed. */
  readonly document: number
  /** Id of the content. Empty for a file of a work tree. */
  readonly oid: string
  readonly size: number
  /** Top folder of the work tree that has the file. */
  readonly folder?: string
}

/** Difference between the indexed commit of a repository and a target. */
export interface TargetFiles {
  /** The indexed commit, or null if no commit is indexed or the target shares no files with it. */
  readonly base: string | null
  /** Paths of the indexed commit that the target lacks or replaces. */
  readonly hidden: ReadonlySet<string>
  readonly files: ReadonlyArray<DifferentFile>
}

const noPaths: ReadonlySet<string> = new Set()

/** Returns the files of a target whose commit is indexed. */
export const unchanged = (commit: string): TargetFiles => ({ base: commit, hidden: noPaths, files: [] })

/** Caches that the readers of a thread share. */
export interface TargetFilesCaches {
  readonly differences: LruCache<TreeDiff.TreeDifference>
  /** Files by database, base, commit and version of the database, because the version decides which contents are indexed. */
  readonly files: LruCache<TargetFiles>
}

export const makeCaches = (): TargetFilesCaches => ({
  differences: new LruCache(MAX_FILES),
  files: new LruCache(MAX_FILES)
})

/** Reads the differences between targets and the index. */
export class TargetFilesReader {
  readonly #repository: StatementSync
  readonly #document: StatementSync
  readonly #caches: TargetFilesCaches
  /** Prefix of the keys of this database in the shared cache of files. */
  readonly #name: string

  constructor(database: DatabaseSync, caches: TargetFilesCaches, name: string) {
    this.#caches = caches
    this.#name = name
    this.#repository = database.prepare("SELECT commit_id FROM repositories WHERE git_dir = ?")
    this.#document = database.prepare("SELECT id, size, reason FROM documents WHERE oid = ?")
  }

  /** Returns the files of a target. Rejects if git cannot read the commit or the signal aborts. */
  async read(target: SearchTarget, version: number, signal: AbortSignal): Promise<TargetFiles> {
    const { commit, gitDir, workTree } = target
    const indexed = this.#repository.get(gitDir)?.commit_id
    const base = typeof indexed === "string" ? indexed : null
    const ofCommit = base === commit ? unchanged(commit) : await this.#ofCommit(target, base, version, signal)
    if (workTree === undefined) return ofCommit
    const { changed, folder, removed } = workTree
    const hidden = new Set([...removed, ...changed.map(({ path }) => path)])
    return {
      base: ofCommit.base,
      hidden: ofCommit.hidden.union(hidden),
      files: [
        ...ofCommit.files.filter(({ path }) => !hidden.has(path)),
        ...changed.map(({ path, size }) => ({ path, document: 0, oid: "", size, folder }))
      ]
    }
  }

  async #ofCommit(
    { commit, gitDir }: SearchTarget,
    base: string | null,
    version: number,
    signal: AbortSignal
  ): Promise<TargetFiles> {
    const key = `${base} ${commit} ${gitDir}`
    const filesKey = `${this.#name} ${key} ${version}`
    const known = this.#caches.files.get(filesKey)
    if (known !== undefined) return known
    const difference = this.#caches.differences.get(key) ?? (await TreeDiff.diffTrees(gitDir, base, commit, signal))
    this.#caches.differences.set(key, difference, difference.set.length + difference.removed.length + 1)
    const { isWhole, removed, set } = difference
    const files = await this.#resolve(gitDir, commit, set, signal)
    const made = isWhole
      ? { base: null, hidden: noPaths, files }
      : { base, hidden: new Set([...removed, ...set.map(({ path }) => path)]), files }
    this.#caches.files.set(filesKey, made, files.length + removed.length + 1)
    return made
  }

  /** Looks up the contents of files in the index, and reads the sizes of the other contents from git. */
  async #resolve(
    gitDir: string,
    commit: string,
    set: ReadonlyArray<TreeDiff.TreeFile>,
    signal: AbortSignal
  ): Promise<ReadonlyArray<DifferentFile>> {
    const found: Array<DifferentFile> = []
    const unknown: Array<TreeDiff.TreeFile> = []
    for (const { oid, path } of set) {
      const row = this.#document.get(oid)
      if (row === undefined) unknown.push({ path, oid })
      else if (row.reason === null) found.push({ path, oid, document: Number(row.id), size: Number(row.size) })
    }
    if (unknown.length === 0) return found
    const absent = await TreeDiff.missingObjects(gitDir, commit, signal)
    const present = unknown.filter(({ oid }) => !absent.has(oid))
    const sizes = await TreeDiff.sizes(gitDir, present, signal)
    return [
      ...found,
      ...present.flatMap(({ oid, path }) => {
        const size = sizes.get(oid)
        return size === undefined ? [] : [{ path, oid, document: 0, size }]
      })
    ]
  }
}
