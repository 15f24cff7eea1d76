/** The rows of the file tree: the entries of the expanded folders, in order. */
import type { Folder, FolderEntry } from "../../ExplorerApi.ts"

/** A file or folder in the tree. */
export interface EntryRow {
  readonly _tag: "Entry"
  readonly entry: FolderEntry
  /** From 1. */
  readonly level: number
  /** The number among the entries of the folder, from 1. */
  readonly position: number
  /** Number of entries of the folder. */
  readonly size: number
  /** Undefined for a file. */
  readonly isExpanded: boolean | undefined
}

/** A note about the entries of a folder: loading, failed, missing, or more than the shown entries. */
export interface NoteRow {
  readonly _tag: "Note"
  readonly path: string
  readonly level: number
  readonly state: "loading" | "failed" | "empty" | "cut"
  /** Number of entries that have no rows. */
  readonly hidden: number
}

export type TreeRow = EntryRow | NoteRow

/** The entries of a folder by path, or the state of the request. */
export type Folders = (path: string) => Pick<Folder, "entries" | "total"> | "loading" | "failed"

/** Returns the rows of a repository, in the order of the screen. */
export const make = (folders: Folders, expanded: ReadonlySet<string>): ReadonlyArray<TreeRow> => {
  const rows: Array<TreeRow> = []
  const add = (path: string, level: number) => {
    const folder = folders(path)
    const note = (state: NoteRow["state"], hidden = 0) => {
      rows.push({ _tag: "Note", path, level, state, hidden })
    }
    if (typeof folder === "string") return note(folder)
    const { entries, total } = folder
    if (entries.length === 0) return note("empty")
    for (const [index, entry] of entries.entries()) {
      const isExpanded = entry.kind === "dir" ? expanded.has(entry.path) : undefined
      rows.push({ _tag: "Entry", entry, level, position: index + 1, size: total, isExpanded })
      if (isExpanded === true) add(entry.path, level + 1)
    }
    if (entries.length < total) note("cut", total - entries.length)
  }
  add("", 1)
  return rows
}

/** Returns the path that identifies a row. */
export const pathOf = (row: TreeRow): string => (row._tag === "Entry" ? row.entry.path : `${row.path}/`)

/** Returns the paths of the folders above a path, from the top, without the root. */
export const ancestors = (path: string): ReadonlyArray<string> => {
  const parts = path.split("/").slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"))
}

/** Returns the index of the next row whose name starts with `prefix`, from `start` and around; -1 without any. */
export const indexOfName = (rows: ReadonlyArray<TreeRow>, prefix: string, start: number): number => {
  const lowerCase = prefix.toLowerCase()
  for (let step = 0; step < rows.length; step++) {
    const index = (start + step) % rows.length
    const row = rows[index]
    if (row?._tag === "Entry" && row.entry.name.toLowerCase().startsWith(lowerCase)) return index
  }
  return -1
}
