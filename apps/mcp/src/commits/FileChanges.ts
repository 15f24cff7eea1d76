/** Changed files of a commit or comparison as items: a line per file, or the patches. */
import * as Schema from "effect/Schema"
import type { FileChange } from "@tongs/core/contract/groups/Commits"
import type { Item } from "../answer/Answer.ts"
import * as TextChunks from "../text/TextChunks.ts"

/** How much of the changes to show. */
export const Patch = Schema.Literals(["none", "stat", "full"])

/** Maximum number of files that the forge lists for a commit or a comparison. */
export const MAX_FILES = 300

/** Returns the files at or below a path. All files for an empty path. */
export const within = (files: ReadonlyArray<FileChange>, path: string): ReadonlyArray<FileChange> =>
  path === ""
    ? files
    : files.filter(({ filename, previous_filename: previous }) =>
        [filename, previous].some((name) => name === path || name?.startsWith(`${path}/`) === true)
      )

/** Returns the number of files and changed lines, for example `2 files +12 -3`. */
export const totals = (files: ReadonlyArray<FileChange>): string => {
  const sum = (member: "additions" | "deletions") => files.reduce((total, file) => total + file[member], 0)
  return `${files.length} ${files.length === 1 ? "file" : "files"} +${sum("additions")} -${sum("deletions")}`
}

/** Returns a line for each file. The folders are headings if the result is shorter that way. */
export const lines = (files: ReadonlyArray<FileChange>): ReadonlyArray<Item> => {
  const folders = files.map(({ filename }) => filename.slice(0, filename.lastIndexOf("/") + 1))
  const runs = folders.filter((folder, index) => folder !== folders[index - 1]).length
  if (runs * 2 > files.length)
    return files.map((file) => ({ data: dataOf(file), text: line(file, file.filename), heading: "files:" }))
  return files.map((file, index) => {
    const folder = folders[index] ?? ""
    return {
      data: dataOf(file),
      text: line(file, file.filename.slice(folder.length)),
      heading: `files in ${folder === "" ? "./" : folder}`
    }
  })
}

/** Returns a line for each file, by decreasing number of changed lines. */
export const largest = (files: ReadonlyArray<FileChange>): ReadonlyArray<Item> =>
  files
    .toSorted((one, other) => other.changes - one.changes)
    .map((file) => ({ data: dataOf(file), text: line(file, file.filename), heading: "files, most changes first:" }))

/** Maximum number of folders in an overview. */
const MAX_FOLDERS = 12

/**
 * Returns a line for each of a few folders, by decreasing number of files. Starts at the root, and splits the largest
 * folder.
 */
export const folders = (files: ReadonlyArray<FileChange>): ReadonlyArray<Item> => {
  let groups: ReadonlyArray<Group> = [{ folder: "", files, isSplit: false }]
  for (;;) {
    const largest = groups.filter(({ isSplit }) => !isSplit).toSorted(byFiles)[0]
    if (largest === undefined) break
    const parts = split(largest)
    const fits = groups.length - 1 + parts.length <= MAX_FOLDERS
    groups = [...groups.filter((group) => group !== largest), ...(fits ? parts : [{ ...largest, isSplit: true }])]
  }
  return groups.toSorted(byFiles).map(({ files, folder }) => ({
    data: { folder, files: files.length },
    text: `${folder === "" ? "./" : folder} ${totals(files)}`,
    heading: "folders:"
  }))
}

/** Changed files of a folder. */
interface Group {
  readonly folder: string
  readonly files: ReadonlyArray<FileChange>
  /** True if the group must not be split further. */
  readonly isSplit: boolean
}

const byFiles = (one: Group, other: Group) => other.files.length - one.files.length

const split = ({ files, folder }: Group): ReadonlyArray<Group> => {
  const children = Map.groupBy(files, ({ filename }) => {
    const [child = "", ...rest] = filename.slice(folder.length).split("/", 2)
    return rest.length === 0 ? folder : `${folder}${child}/`
  })
  return [...children].map(([child, files]) => ({ folder: child, files, isSplit: child === folder }))
}

/** Returns the patches of files under headings with the paths, in chunks of whole lines. */
export const patches = (files: ReadonlyArray<FileChange>): ReadonlyArray<Item> =>
  files.flatMap((file) =>
    TextChunks.split(file.patch ?? missingPatch(file)).map((patch, index) => ({
      data: index === 0 ? { ...dataOf(file), patch } : { path: file.filename, patch },
      text: patch,
      heading: line(file, file.filename)
    }))
  )

const line = (file: FileChange, name: string): string => {
  const { additions, changes, deletions, patch, previous_filename: previous, status } = file
  const change = previous === undefined ? (status === "modified" ? "" : status) : `${status} from ${previous}`
  const isWithoutText = changes === 0 && patch === undefined && previous === undefined
  const counts = [
    additions > 0 ? `+${additions}` : "",
    deletions > 0 ? `-${deletions}` : "",
    isWithoutText ? "binary or empty" : ""
  ]
  return [name, change, ...counts].filter((part) => part !== "").join(" ")
}

const dataOf = ({ additions, deletions, filename, previous_filename: from, status }: FileChange) => ({
  path: filename,
  status,
  additions,
  deletions,
  ...(from === undefined ? {} : { from })
})

const missingPatch = ({ changes, status }: FileChange): string => {
  if (changes > 0) return "The forge shows no patch of this size. Call read_file at both commits."
  return status === "renamed" || status === "copied"
    ? "Without changes."
    : "No patch: a binary or empty file, or only its mode changed."
}
