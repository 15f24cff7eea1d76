/** The changed files as the rows of a tree. A folder that contains only one folder shares its row. */
import type { ChangedFile } from "../../ComparisonApi.ts"

/** A row of the tree. */
export type TreeRow =
  | { readonly _tag: "Folder"; readonly name: string; readonly path: string; readonly depth: number }
  | {
      readonly _tag: "File"
      readonly name: string
      readonly depth: number
      readonly file: ChangedFile
      /** The index among all files. */
      readonly index: number
    }

/** The rows of the files, which are in path order. `closed` has the paths of closed folders. */
export const rows = (files: ReadonlyArray<ChangedFile>, closed: ReadonlySet<string>): ReadonlyArray<TreeRow> => {
  const root = folder("")
  for (const [index, file] of files.entries()) {
    const names = file.path.split("/")
    let parent = root
    for (const name of names.slice(0, -1)) {
      let child = parent.folders.get(name)
      if (child === undefined) {
        child = folder(parent.path === "" ? name : `${parent.path}/${name}`)
        parent.folders.set(name, child)
        parent.entries.push(child)
      }
      parent = child
    }
    parent.entries.push({ _tag: "File", name: names.at(-1) ?? "", file, index })
  }
  const all: Array<TreeRow> = []
  addRows(all, root, closed, 0)
  return all
}

interface Folder {
  readonly path: string
  readonly folders: Map<string, Folder>
  readonly entries: Array<
    Folder | { readonly _tag: "File"; readonly name: string; readonly file: ChangedFile; readonly index: number }
  >
}

const folder = (path: string): Folder => ({ path, folders: new Map(), entries: [] })

const addRows = (
  rows: Array<TreeRow>,
  { entries, path: parent }: Folder,
  closed: ReadonlySet<string>,
  depth: number
) => {
  for (const entry of entries) {
    if ("_tag" in entry) {
      rows.push({ ...entry, depth })
      continue
    }
    let inner = entry
    for (
      let [only] = inner.entries;
      inner.entries.length === 1 && only !== undefined && !("_tag" in only);
      [only] = inner.entries
    ) {
      inner = only
    }
    rows.push({
      _tag: "Folder",
      name: inner.path.slice(parent === "" ? 0 : parent.length + 1),
      path: inner.path,
      depth
    })
    if (!closed.has(inner.path)) addRows(rows, inner, closed, depth + 1)
  }
}

/** The files whose path contains all words of `filter`, without regard to case. */
export const matching = (
  files: ReadonlyArray<ChangedFile>,
  filter: string
): ReadonlyArray<Extract<TreeRow, { readonly _tag: "File" }>> => {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  return files.flatMap((file, index) => {
    const path = file.path.toLowerCase()
    return words.every((word) => path.includes(word)) ? [{ _tag: "File", name: file.path, depth: 0, file, index }] : []
  })
}
