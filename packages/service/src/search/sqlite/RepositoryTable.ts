import type { DatabaseSync } from "node:sqlite"
import type * as TreeDiff from "./TreeDiff.ts"

interface RepositoryRow {
  readonly id: number
  /** The commit whose files the index has. */
  readonly commit: string | null
  /** Further commits whose contents the index has, separated by spaces. */
  readonly pinned: string
}

/** The tables with the files of repositories. */
export class RepositoryTable {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Returns the row of a repository. Adds a missing row. */
  get(gitDir: string): RepositoryRow {
    this.#database.prepare("INSERT OR IGNORE INTO repositories (git_dir) VALUES (?)").run(gitDir)
    const row = this.#database.prepare("SELECT id, commit_id, pinned FROM repositories WHERE git_dir = ?").get(gitDir)
    return {
      id: Number(row?.id),
      commit: row?.commit_id === null ? null : String(row?.commit_id),
      pinned: String(row?.pinned)
    }
  }

  /** Returns the files whose content the index lacks, one file for each distinct content. */
  missing(files: ReadonlyArray<TreeDiff.TreeFile>): ReadonlyArray<TreeDiff.TreeFile> {
    const known = this.#database.prepare("SELECT 1 FROM documents WHERE oid = ?")
    const missing = new Map<string, TreeDiff.TreeFile>()
    for (const file of files) {
      if (!missing.has(file.oid) && known.get(file.oid) === undefined) missing.set(file.oid, file)
    }
    return [...missing.values()]
  }

  /** Adds the files that were unreadable in earlier commits to the files that differ. */
  withUnread(repository: number, { isWhole, removed, set }: TreeDiff.TreeDifference): TreeDiff.TreeDifference {
    if (isWhole) return { isWhole, removed, set }
    const rows = this.#database.prepare("SELECT path, oid FROM unreadable WHERE repository = ?").all(repository)
    const changed = rows.length === 0 ? new Set() : new Set([...removed, ...set.map(({ path }) => path)])
    const again = rows.map(({ oid, path }) => ({ path: String(path), oid: String(oid) }))
    return { isWhole, removed, set: [...set, ...again.filter(({ path }) => !changed.has(path))] }
  }

  /** Writes the files of a commit, by document. Files without a document are unreadable. */
  setFiles(repository: number, commit: string, { isWhole, removed, set }: TreeDiff.TreeDifference): void {
    const database = this.#database
    const tables = ["files", "unreadable"]
    if (isWhole)
      for (const table of tables) database.prepare(`DELETE FROM ${table} WHERE repository = ?`).run(repository)
    const removals = tables.map((table) => database.prepare(`DELETE FROM ${table} WHERE repository = ? AND path = ?`))
    const remove = (path: string) => {
      for (const removal of removals) removal.run(repository, path)
    }
    for (const path of removed) remove(path)
    if (!isWhole) for (const { path } of set) remove(path)
    const add = database.prepare(
      "INSERT OR REPLACE INTO files (repository, path, document, size) SELECT ?, ?, id, size FROM documents WHERE oid = ?"
    )
    const leave = database.prepare("INSERT OR REPLACE INTO unreadable (repository, path, oid) VALUES (?, ?, ?)")
    for (const { oid, path } of set) {
      if (add.run(repository, path, oid).changes === 0) leave.run(repository, path, oid)
    }
    database
      .prepare(
        `UPDATE repositories SET commit_id = ?,
          (files, size) = (SELECT count(*), coalesce(sum(size), 0) FROM files WHERE repository = repositories.id),
          left_out = (SELECT count(*) FROM files WHERE repository = repositories.id
            AND document IN (SELECT id FROM documents WHERE reason IS NOT NULL)),
          unreadable = (SELECT count(*) FROM unreadable WHERE repository = repositories.id)
        WHERE id = ?`
      )
      .run(commit, repository)
    database
      .prepare("UPDATE repositories SET files = files + unreadable, left_out = left_out + unreadable WHERE id = ?")
      .run(repository)
  }

  /** Writes the files of further commits, whose documents remain in the index. */
  setPins(repository: number, pinned: ReadonlyArray<string>, files: ReadonlyArray<TreeDiff.TreeFile>): void {
    const database = this.#database
    database.prepare("DELETE FROM pins WHERE repository = ?").run(repository)
    const add = database.prepare("INSERT OR IGNORE INTO pins SELECT ?, id FROM documents WHERE oid = ?")
    for (const { oid } of files) add.run(repository, oid)
    database.prepare("UPDATE repositories SET pinned = ? WHERE id = ?").run(pinned.join(" "), repository)
  }
}
